public import FolderSettings
import StateRows
import StateStorage
public import SyncModel

/// A path under which what is at another one now was before: its earlier versions are kept under that.
public struct FormerPath: Hashable, Sendable {
    /// Of the file; where a folder is asked about, of one whose files were in it under the same names.
    public let path: FolderPath
    /// When the last of them got its next path, as far as the journal tells, in milliseconds since 1970.
    public let untilMilliseconds: Int64

    /// Those that records had before a path, or one below it, the latest first; each once.
    /// - Parameter changes: As the journal has them, oldest first.
    static func all(of place: FolderPath, in changes: [JournalEntry]) -> [FormerPath] {
        var stays: [RecordName: [(path: FolderPath, since: Int64)]] = [:]
        for change in changes where change.tellsPath {
            guard let name = change.record, let path = change.path, stays[name]?.last?.path != path else { continue }
            stays[name, default: []].append((path, change.atMilliseconds))
        }
        func isMeant(_ path: FolderPath) -> Bool { path == place || path.isBelow(place) }
        var until: [FolderPath: Int64] = [:]
        for stays in stays.values {
            guard let last = stays.lastIndex(where: { isMeant($0.path) }) else { continue }
            for index in 0..<last where !isMeant(stays[index].path) {
                let next = stays[index...last].first { isMeant($0.path) }!
                let former = former(stays[index].path, of: next.path, in: place)
                until[former] = max(until[former] ?? .min, stays[index + 1].since)
            }
        }
        return until.map { FormerPath(path: $0.key, untilMilliseconds: $0.value) }
            .sorted { ($0.untilMilliseconds, $1.path) > ($1.untilMilliseconds, $0.path) }
    }

    /// Where a file was: the folder, where its path in that was the same.
    private static func former(_ old: FolderPath, of new: FolderPath, in place: FolderPath) -> FolderPath {
        let rest = Array(new.names.dropFirst(place.names.count))
        let names = Array(old.names)
        guard !rest.isEmpty, names.count > rest.count, names.suffix(rest.count).elementsEqual(rest) else { return old }
        return FolderPath(bytes: Array(names.dropLast(rest.count).joined(separator: [0x2F]))) ?? old
    }
}

extension KeptVersions {
    /// The former paths of a file or a folder under which something is kept, the latest first.
    /// - Throws: `FolderError` or `StateError` where it cannot be read.
    public static func formerPaths(of path: FolderPath, in directory: StateDirectory) throws -> [FormerPath] {
        let changes = try StateStore.look(at: directory) { try $0.changes(limit: StateStore.keptChanges) }
        let former = FormerPath.all(of: path, in: changes)
        guard !former.isEmpty else { return [] }
        let kept = Set(try KeptVersions(of: directory, atOrBelow: nil).all.map(\.path))
        return former.filter { former in kept.contains { $0 == former.path || $0.isBelow(former.path) } }
    }
}

extension JournalEntry {
    /// Whether its record had its path from then on.
    fileprivate var tellsPath: Bool {
        switch action {
        case Self.sent, Self.received, Self.staleHash, Self.moved, Self.keptEditHere, Self.keptEditThere: true
        default: false
        }
    }
}
