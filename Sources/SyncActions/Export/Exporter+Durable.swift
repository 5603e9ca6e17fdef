import CloudKitWire
import FolderKnowledge
import FolderWriting
import LocalFolder
import Logging
import ProblemSentences
import RecordTrees
import SessionCore
import SyncModel

/// What programs did to files and did not sync.
extension Exporter {
    /// Makes the files durable that some actions send, and the absence of those that they delete; none goes out where the
    /// disk cannot keep that.
    ///
    /// The base moves when the server has taken them. Were it lost then with the power, an empty or a missing file would
    /// look like an edit or a deletion, and one that came back like a new one, and go to the zone as such.
    nonisolated(nonsending) func durable(_ actions: [Action]) async throws -> [Action] {
        var paths: Set<FolderPath> = []
        for action in actions {
            paths.insert(action.path)
            paths.formUnion(knowledge.trees.local[action.path]?.form.attachments.map(\.path) ?? [])
            // The directories where files were that are gone: to sync the new place need not take the old name away.
            guard let base = action.record.flatMap({ knowledge.trees.base[$0] }) else { continue }
            paths.insert(base.path)
            paths.formUnion(base.assets.map(\.path))
        }
        guard !paths.isEmpty else { return actions }
        guard let error = await Self.makeDurable(paths, with: environment.writer) else { return actions }
        logger.error("What was saved cannot be made durable, and is not sent", metadata: ["error": "\(error)"])
        for action in actions { setbacks.hold(action, .notDurable(action.path, error)) }
        return []
    }

    /// Off the session's own executor: it waits for the disk.
    @concurrent
    private static func makeDurable(_ paths: Set<FolderPath>, with writer: FolderWriter) async -> FolderError? {
        do throws(FolderError) {
            try writer.makeDurable(besides: paths)
            return nil
        } catch {
            return error
        }
    }
}
