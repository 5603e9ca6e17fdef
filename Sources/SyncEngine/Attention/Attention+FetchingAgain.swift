import FileCustody
import FolderKnowledge
import RecordTrees
import SessionCore
import SyncModel

/// Bringing back what is gone from the folder and from nowhere else.
extension Attention {
    /// Has assets come from the zone once more that are gone from the folder, while the notes that name them are in it: such a note
    /// waits, and no deletion of the asset goes out.
    /// - Returns: Those of the paths that come.
    /// - Throws: `StateError`.
    func fetchAgain(_ paths: [FolderPath]) throws -> [FolderPath] {
        var coming: [FolderPath] = []
        var records: [RecordName: BaseEntry] = [:]
        for path in paths {
            guard let record = knowledge.trees.custody(of: path).recordMissingFile else { continue }
            coming.append(path)
            records[record.name] = record
        }
        guard !records.isEmpty else { return [] }
        try committer.receiveAgain(records.values.sorted { $0.name < $1.name })
        for name in records.keys { knowledge.mark(name) }
        return coming
    }
}
