package import FolderKnowledge
package import LocalFolder
package import Logging
import RecordTrees
package import SyncModel

/// What files of the folder bring into the zone: in which order they go, and what is sent of each.
///
/// It reads what is known and the files that are there, and changes nothing. It is for one question, or for one batch: the trees are
/// those of when it was made, and would be copied at their next change.
package struct Outgoing {
    let knowledge: Knowledge
    let trees: SyncTrees
    let reader: FolderReader
    let logger: Logger
    /// What is sent of a file: itself, or a copy of one that never rests; `nil` where none can be had.
    let fileToSend: (FolderPath, LocalVersion) throws -> SentFile?
    /// Whether a file is written to faster than it can be sent.
    let neverRests: (FolderPath) -> Bool
    /// Whether the zone refused what an action sends.
    let isRefused: (Action) -> Bool

    package init(
        knowledge: Knowledge, reader: FolderReader, logger: Logger,
        fileToSend: @escaping (FolderPath, LocalVersion) throws -> SentFile?,
        neverRests: @escaping (FolderPath) -> Bool, isRefused: @escaping (Action) -> Bool
    ) {
        (self.knowledge, self.reader, self.logger) = (knowledge, reader, logger)
        trees = knowledge.trees
        (self.fileToSend, self.neverRests, self.isRefused) = (fileToSend, neverRests, isRefused)
    }
}
