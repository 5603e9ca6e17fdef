package import RecordMapping
package import SyncModel

/// What refers to records that are to give way to others of another kind at their paths.
package struct Referrers: Sendable {
    /// By the file whose record gives way, that record.
    package var replaced: [FolderPath: RecordName] = [:]
    /// By the file whose record gives way, the records that refer to the old one, by their files.
    package var files: [FolderPath: [FolderPath: RecordName]] = [:]
    /// Saves of those among them that are as both sides agreed.
    package var actions: [Action] = []
    /// By the file whose record gives way, the records that keep the old one, or would go with it, and cannot let go of it
    /// from here.
    package var keepers: [FolderPath: Set<RecordName>] = [:]

    /// Notes the files that name an old record itself rather than its path: they would go on doing so.
    /// - Parameter required: By the file, what its record needs by what it says now.
    package mutating func noteKeepers(among required: [FolderPath: [RequiredRecord]]) {
        for (path, referrers) in files {
            for (file, name) in referrers where required[file]?.contains(where: { $0.name == replaced[path] }) ?? false
            {
                keepers[path, default: []].insert(name)
            }
        }
    }
}
