import FolderControl
import FolderHistory
import LocalFolder
import SyncModel
import SyncService
import SystemPackage

/// The versions that `restore` and `diff` are to work with.
struct ChosenVersions {
    /// In the order of their paths.
    var versions: [KeptVersion] = []
    /// The file that was named, where it is as it was then.
    var unchanged: [FolderPath] = []
    /// Files that are what they were then, in the order of their paths.
    var standing: [FolderPath] = []
    /// Files of which the version that is meant is not to be had.
    var leftOut: LeftOutFiles

    /// - Parameter isThere: Whether a file stands at a path now, where that counts: without a moment, only what is gone from a
    ///   folder is meant.
    /// - Parameter present: The files that stand there now and were written by that moment, where these count as well.
    /// - Parameter inZone: The files whose last bytes are in the zone alone; `nil` where it does not count what is left out.
    /// - Throws: ``CommandFailure`` where there is none for what was named, and nothing that is left out to be told of.
    init(
        _ place: VersionedPath, at moment: Int64?, among kept: KeptVersions, isThere: ((FolderPath) -> Bool)?,
        present: Set<FolderPath>? = nil, inZone: Set<FolderPath>? = nil
    ) throws {
        let choices = kept.choices(at: moment)
        // The copy of a settled conflict would open it again.
        func isMeant(_ path: FolderPath) -> Bool {
            path == place.path || isThere == nil || !ConflictCopyName.isConflictCopy(path)
        }
        leftOut = LeftOutFiles(of: place, at: moment)
        for path in (inZone ?? []).subtracting(choices.map { $0.path }) where isMeant(path) {
            leftOut.add(path, .inZone)
        }
        var unkept = present ?? []
        unkept.subtract(choices.map { $0.path })
        guard !choices.isEmpty || !unkept.isEmpty || !leftOut.isEmpty else { throw CommandFailure.nothingKept(place) }
        let isFile = choices.contains { $0.path == place.path }
        for (path, choice) in choices where isMeant(path) {
            let isNamed = path == place.path
            let isAsThen = present?.contains(path) ?? isThere?(path) ?? true
            // What is kept of the one that was named is told with its error.
            if let inZone,
                let reason = choice.reasonLeftOut(isThere: isAsThen, isInZone: inZone.contains(path), at: moment),
                reason == .inZone || !isNamed
            {
                leftOut.add(path, reason)
                // Elsewhere, an older version takes nothing's place.
                if isThere != nil { continue }
            }
            switch choice {
            case .version(let version):
                if isNamed || moment != nil || isThere.map({ !$0(path) }) ?? true { versions.append(version) }
            case .unchanged where present?.contains(path) == true: standing.append(path)
            case .unchanged where inZone?.contains(path) == true, .notKept where inZone?.contains(path) == true: break
            case .unchanged where isNamed && present != nil:
                // What was a file then, and is a directory now, has what stood in that.
                guard present?.isEmpty == true else { continue }
                throw CommandFailure.notKept(place, oldest: kept.all.last { $0.path == path }!)
            case .unchanged(let newest) where isNamed && isThere?(path) == false:
                // Without a deletion that is kept, nobody knows whether it was gone by then.
                guard newest.wasDeleted else {
                    throw CommandFailure.notKept(place, oldest: kept.all.last { $0.path == path }!)
                }
                throw CommandFailure.wasGone(place)
            case .notKept(let oldest, _) where isNamed:
                throw CommandFailure.notKept(place, oldest: oldest, former: FormerNames.sentences(on: place))
            case .unchanged where isNamed: unchanged.append(path)
            case .unchanged, .notKept, .nothing: break
            }
        }
        standing = (standing + unkept).sorted()
        guard versions.isEmpty, standing.isEmpty, !isFile, !leftOut.isFailure else { return }
        throw moment == nil ? CommandFailure.nothingGone(place) : CommandFailure.nothingChanged(place)
    }
}

extension ChosenVersions {
    /// The last versions of what was deleted since a moment, and is gone.
    /// - Throws: ``CommandFailure`` where there is no such file.
    init(_ place: VersionedPath, deletedSince moment: Int64, among kept: KeptVersions) throws {
        let deleted = try kept.deleted(since: moment, atOrBelow: place.path)
        // The copy of a settled conflict would open it again.
        func isMeant(_ path: FolderPath) -> Bool { path == place.path || !ConflictCopyName.isConflictCopy(path) }
        versions = deleted.versions.filter { isMeant($0.path) }
        leftOut = LeftOutFiles(of: place, at: moment)
        // One that a rule leaves out is deleted nowhere, since whenever it is gone.
        for path in deleted.inZone
        where isMeant(path) && (path == place.path || leftOut.rule(leavingOut: path) == nil) {
            leftOut.add(path, .inZone)
        }
        for path in deleted.notKept where isMeant(path) { leftOut.add(path, .lastNotKept) }
        if versions.isEmpty, leftOut.isEmpty { throw CommandFailure.noneDeleted(place, since: moment) }
    }
}

extension CommandFailure {
    static func noPath(_ text: String) -> Self {
        Self(status: .usage, message: "'\(text)' cannot be the path of a file: each name has at most 255 bytes.")
    }

    static func nothingKept(_ place: VersionedPath) -> Self {
        // Its versions of before it was renamed have the name of then.
        if let former = FormerNames.sentences(on: place) { return nothingKeptSince(place, former: former) }
        return Self(
            status: .error,
            message:
                "No earlier version of \(place.shown) is kept. See to the spelling: \(listing(place.folder.string)) "
                + "lists all that are. What is older than `history_days` of config.toml is removed.")
    }

    /// - Parameter former: What is told of the names that it had before.
    private static func nothingKeptSince(_ place: VersionedPath, former: String) -> Self {
        Self(status: .error, message: "No earlier version of \(place.shown) is kept under this name. \(former)")
    }

    static func wasGone(_ place: VersionedPath) -> Self {
        Self(
            status: .error,
            message: "\(place.shown) was not there at that time. \(listing(place.shown)) lists until when its versions "
                + "were.")
    }

    static func notKept(_ place: VersionedPath, oldest: KeptVersion, former: String? = nil) -> Self {
        Self(
            status: .error,
            message:
                "What \(place.shown) was at that time is not kept, or it was not there. The oldest version is the one "
                + "until \(WallClock.text(oldest.replacedMilliseconds)). "
                + (former ?? "\(listing(place.shown)) lists all."))
    }

    static func nothingGone(_ place: VersionedPath) -> Self {
        Self(
            status: .error,
            message:
                "Nothing that is kept of \(place.shown) is gone from it. To have its files as they were, say when: "
                + "--at TIME. \(listing(place.shown)) lists the times.")
    }

    static func nothingChanged(_ place: VersionedPath) -> Self {
        Self(
            status: .error,
            message: "No version of that time is kept below \(place.shown). \(listing(place.shown)) lists what is.")
    }

    static func noneDeleted(_ place: VersionedPath, since moment: Int64) -> Self {
        Self(
            status: .error,
            message:
                "No file at or below \(place.shown) that was deleted since \(WallClock.text(moment)) is gone. "
                + "\(listing(place.shown)) lists what was deleted when.")
    }

    static func stateAsTarget(_ path: FilePath) -> Self {
        Self(status: .usage, message: "\(path) belongs to zonefolder itself. Name another directory with --to.")
    }

    static func folderAsTarget(_ path: FilePath) -> Self {
        Self(
            status: .usage,
            message: "\(path) is in the folder itself, where copies would be synced. Name a directory elsewhere with "
                + "--to.")
    }

    private static func listing(_ path: String) -> String {
        "`zonefolder history \(ShellWord.quoted(path))`"
    }
}
