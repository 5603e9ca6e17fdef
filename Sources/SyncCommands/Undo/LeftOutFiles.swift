import FolderControl
import FolderHistory
import FolderSettings
import LocalFolder
import SyncModel
import SystemPackage

/// The files that `restore` was to bring back and leaves out, with why.
struct LeftOutFiles {
    private let place: VersionedPath
    private let isPast: Bool
    /// `nil` where they cannot be read, which any other command about the folder tells.
    private let rules: IgnoreRules?
    private var files: [File] = []

    private struct File {
        let path: FolderPath
        let reason: LeftOutReason
        /// The rule that leaves out a file which the zone alone has: no deletion of it goes out.
        let rule: IgnoreRule?
    }

    /// So many of one kind are named one by one; of more, the first three.
    private static let mostNamed = 5

    /// - Parameter moment: That of the versions which are asked for.
    init(of place: VersionedPath, at moment: Int64?) {
        self.place = place
        isPast = moment != nil
        rules = try? IgnoreRules.read(from: FolderRoot(opening: place.folder))
    }

    /// The rule that leaves out a file.
    func rule(leavingOut path: FolderPath) -> IgnoreRule? { rules?.rule(ignoring: path, isDirectory: false) }

    mutating func add(_ path: FolderPath, _ reason: LeftOutReason) {
        let rule = reason == .inZone ? rule(leavingOut: path) : nil
        files.append(File(path: path, reason: reason, rule: rule))
    }

    var isEmpty: Bool { files.isEmpty }

    /// Whether the deletion of one has yet to go out.
    var isAwaitingDeletion: Bool { !awaitingDeletion.isEmpty }

    /// Those whose deletion has yet to go out.
    var awaitingDeletion: [FolderPath] {
        files.filter { $0.reason == .inZone && $0.rule == nil }.map(\.path).sorted()
    }

    /// Nothing is to be said of these files any more.
    mutating func remove(_ paths: Set<FolderPath>) { files.removeAll { paths.contains($0.path) } }

    /// Whether one is left out for certain: of the others, nobody knows whether they were there.
    var isFailure: Bool { files.contains { $0.reason != .perhapsAbsent } }

    /// What became of each, for `--json`.
    var lines: [RestoreLine] {
        files.sorted { $0.path < $1.path }.map { file in
            RestoreLine(file.path, file.reason == .perhapsAbsent ? .notKept : .failed, message: sentence(on: file))
        }
    }

    /// What is said of them.
    var sentences: [String] {
        LeftOutReason.allCases.flatMap { reason in
            [false, true].flatMap { isByRule -> [String] in
                let alike = files.filter { $0.reason == reason && ($0.rule != nil) == isByRule }.sorted {
                    $0.path < $1.path
                }
                return alike.count > Self.mostNamed
                    ? [sentence(on: alike.map(\.path), reason, isByRule: isByRule)] : alike.map(sentence)
            }
        }
    }

    private func sentence(on file: File) -> String {
        let path = file.path
        let history = listing(place.folder.pushing(FilePath(path.description)).string)
        switch file.reason {
        case .inZone:
            if let rule = file.rule {
                return
                    "The last version of \(path) is in the zone, and stays there: a rule leaves it out here, "
                    + "\(rule.reason ?? rule.text). Once the rule is taken back, it comes by itself."
            }
            // An older version in its place would become the last one everywhere.
            return
                "The last version of \(path) is in the zone alone, since its deletion has not gone out. Once it has, the "
                + "version is kept here, and can be restored. \(status) says what the deletion waits for"
                + (isPast ? "." : "; \(history) lists what is older, for --at.") + withoutDaemon
        case .notKept:
            return "What \(path) was at that time is not kept. \(history) lists what is."
        case .perhapsAbsent:
            return "What \(path) was at that time is not kept, or it was not there. \(history) lists what is kept."
        case .lastNotKept:
            return
                "\(path) was deleted since then, and its last version is not kept here. \(history) lists what is kept; "
                + "another device may have it."
        }
    }

    private func sentence(on paths: [FolderPath], _ reason: LeftOutReason, isByRule: Bool) -> String {
        let files = Amounts.count(paths.count, "file")
        let named = paths.prefix(3).map(\.description).joined(separator: ", ") + " and \(paths.count - 3) more"
        let history = listing(place.shown)
        switch reason {
        case .inZone where isByRule:
            return
                "The last versions of \(files) are in the zone, and stay there, as rules leave them out here: \(named). Once "
                + "the rules are taken back, they come by themselves. `zonefolder ignore PATH` names the rule."
        case .inZone:
            return
                "The last versions of \(files) are in the zone alone, since their deletions have not gone out: \(named). "
                + "Once they have, the versions are kept here, and can be restored. \(status) says what the deletions wait "
                + "for" + (isPast ? "." : "; \(history) lists what is older, for --at.") + withoutDaemon
        case .notKept:
            return "What \(files) were at that time is not kept: \(named). \(history) lists what is."
        case .perhapsAbsent:
            return
                "What \(files) were at that time is not kept, or they were not there: \(named). \(history) lists what is "
                + "kept."
        case .lastNotKept:
            return
                "\(files) were deleted since then, and their last versions are not kept here: \(named). \(history) lists "
                + "what is kept; another device may have them."
        }
    }

    /// What a note names as its asset comes from the zone, but not by itself.
    private var withoutDaemon: String {
        guard !isPast, let directory = try? place.stateDirectory, FolderLock.holder(of: directory) == nil else {
            return ""
        }
        return " What a note in the folder still names comes back at once where a daemon runs: "
            + "`zonefolder start \(ShellWord.quoted(place.folder.string))`."
    }

    private var status: String { "`zonefolder status \(ShellWord.quoted(place.folder.string))`" }

    private func listing(_ path: String) -> String { "`zonefolder history \(ShellWord.quoted(path))`" }
}
