public import FolderSettings
import FolderWriting
import LocalFolder
import StateRows
import StateStorage
public import SyncModel
import SyncTiming

/// Every earlier version that is kept of a folder's files; looking at them makes and changes nothing.
public struct KeptVersions: Sendable {
    /// Newest first; each once.
    public private(set) var all: [KeptVersion]
    let root: FolderRoot
    let directory: StateDirectory
    private let history: FolderHistory?

    /// Looks into the state directory, whose daemon may be running or not.
    /// - Parameter path: The file, or the folder, whose versions are meant; `nil` for all.
    /// - Throws: `FolderError` or `StateError` where it cannot be read.
    public init(of directory: StateDirectory, atOrBelow path: FolderPath?) throws {
        self.directory = directory
        root = try FolderRoot(opening: directory.folder)
        history = try FolderHistory.look(in: root)
        func isMeant(_ file: FolderPath) -> Bool { path.map { file == $0 || file.isBelow($0) } ?? true }
        let (texts, agreed, moved) = try StateStore.look(at: directory) { store in
            (try store.keptDocuments(), try store.agreedDocuments(), try store.movedFiles())
        }
        var kept = try history?.entries().map { KeptVersion($0) } ?? []
        kept += texts.map { KeptVersion($0) }
        kept = kept.filter { isMeant($0.path) }
        let reader = FolderReader(root: root)
        let now = SessionClock.system.milliseconds
        kept += try agreed.map { $0.found(at: moved[$0.record], in: reader) }.filter { isMeant($0.path) }
            .compactMap { try KeptVersion($0, unlessIn: reader, now: now) }
        all = kept.sorted { $0.isNewer(than: $1) }
        all = Self.toldApart(withoutFiledTexts)
    }

    /// Gives those of one path that went in the same second, which is all that is known of a file in the history, a millisecond
    /// each, the oldest first: a person names one of them by it.
    static func toldApart(_ versions: [KeptVersion]) -> [KeptVersion] {
        var versions = versions
        for same in Dictionary(grouping: versions.indices, by: { Replacement(versions[$0]) }).values
        where same.count > 1 {
            for (number, index) in same.reversed().enumerated() {
                let second = versions[index].replacedMilliseconds / 1000
                versions[index].replacedMilliseconds = second * 1000 + Int64(min(number, 999))
            }
        }
        return versions
    }

    private struct Replacement: Hashable {
        let path: FolderPath
        let second: Int64

        init(_ version: KeptVersion) { (path, second) = (version.path, version.replacedMilliseconds / 1000) }
    }

    /// Without the texts that the history has as well: a command filed the file that was replaced, and the text was kept once both
    /// sides agreed on what came. Of what was brought back later, and was replaced once more, both are told.
    private var withoutFiledTexts: [KeptVersion] {
        let paths = Dictionary(grouping: all, by: \.path)
        return all.filter { version in
            guard !version.isInHistory, let versions = paths[version.path], let place = versions.firstIndex(of: version)
            else { return true }
            let neighbours = [place - 1, place + 1].filter(versions.indices.contains).map { versions[$0] }
            return !neighbours.contains { other in
                other.isInHistory && Writing(other) == Writing(version) && hasSameBytes(version, as: other)
            }
        }
    }

    /// When something was written, and how much.
    private struct Writing: Hashable {
        let milliseconds: Int64
        let size: Int64

        init(_ version: KeptVersion) { (milliseconds, size) = (version.writtenMilliseconds, version.size) }
    }

    private func hasSameBytes(_ version: KeptVersion, as other: KeptVersion) -> Bool {
        guard let hash = try? contents(of: version).hash else { return false }
        return (try? contents(of: other).hash) == hash
    }

    /// The choice for each file of which something is kept, in the order of their paths.
    public func choices(at moment: Int64?) -> [(path: FolderPath, choice: VersionChoice)] {
        Dictionary(grouping: all, by: \.path)
            .map { (path: $0.key, choice: VersionChoice(among: $0.value, at: moment)) }
            .sorted { $0.path < $1.path }
    }

    /// Opens the bytes of a version.
    /// - Throws: An error for people, also where it was removed since it was listed.
    public func open(_ version: KeptVersion) throws -> VersionReader {
        switch version.place {
        case .history(let entry):
            guard let history else { preconditionFailure("a version in the history was listed from it") }
            return VersionReader(try history.open(entry))
        case .row(let id, let isExecutable):
            let bytes = try StateStore.look(at: directory) { try $0.keptDocument(id) }
            return try VersionReader(bytes, isExecutable: isExecutable, of: version)
        case .agreed(let name, let isExecutable):
            let bytes = try StateStore.look(at: directory) { try $0.baseDocument(name) }
            return try VersionReader(bytes, isExecutable: isExecutable, of: version)
        }
    }
}

extension KeptVersion {
    fileprivate var isInHistory: Bool {
        if case .history = place { true } else { false }
    }

    /// Of those that went in one second, which is all that is known of a file in the history, the one that was written later.
    fileprivate func isNewer(than other: KeptVersion) -> Bool {
        (replacedMilliseconds / 1000, writtenMilliseconds, replacedMilliseconds, other.path)
            > (other.replacedMilliseconds / 1000, other.writtenMilliseconds, other.replacedMilliseconds, path)
    }
}

extension VersionReader {
    fileprivate init(_ bytes: [UInt8]?, isExecutable: Bool, of version: KeptVersion) throws {
        guard let bytes else { throw RestoreError.removed(version.path) }
        self.init(bytes, isExecutable: isExecutable)
    }
}

extension KeptVersion {
    /// What both sides agree on so far, where the folder has something else by now: an edit, or a deletion, that is not sent
    /// yet, or that is held.
    fileprivate init?(_ document: AgreedDocument, unlessIn folder: FolderReader, now: Int64) throws {
        let stamp = folder.stamp(of: document.path)
        if let stamp {
            guard stamp.modified != document.modified || stamp.size != document.size else { return nil }
            guard try folder.hash(of: document.path) != document.hash else { return nil }
        }
        self.init(
            path: document.path, replacedMilliseconds: stamp.map { $0.modified / 1_000_000 } ?? now,
            writtenMilliseconds: document.modified / 1_000_000, size: document.size,
            reason: stamp == nil ? .deletedHere : .changedHere,
            place: .agreed(document.record, executable: document.executable))
    }
}

extension AgreedDocument {
    /// The same where its file is by now: one that was renamed is no deletion, though the zone does not know the new name yet.
    fileprivate func found(at place: FolderPath?, in folder: FolderReader) -> Self {
        guard let place, folder.stamp(of: path) == nil, folder.stamp(of: place) != nil else { return self }
        var document = self
        document.path = place
        return document
    }
}

extension FolderReader {
    /// Of a file's bytes now; `nil` where it cannot be read.
    fileprivate func hash(of path: FolderPath) throws -> ContentHash? {
        guard let file = try? open(path) else { return nil }
        while try file.next() != nil {}
        guard case .unchanged(let hash) = try file.finish() else { return nil }
        return hash
    }
}
