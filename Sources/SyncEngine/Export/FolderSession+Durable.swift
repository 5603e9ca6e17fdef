import LocalFolder
import Logging
import SyncModel
import SyncPlanning

/// Files that programs saved and did not sync.
extension FolderSession {
    /// Makes the files durable that some actions send, and leaves out those that the disk cannot keep.
    ///
    /// The base moves when the server has taken them. Were they lost then with the power, an empty or a missing file would
    /// look like an edit or a deletion, and go to the zone as such.
    func durable(_ actions: [Action]) async throws -> [Action] {
        var paths: [FolderPath] = []
        for action in actions where action.kind != .deleteRecord {
            paths.append(action.path)
            paths += trees.local[action.path]?.form.attachments.map(\.path) ?? []
        }
        guard !paths.isEmpty else { return actions }
        guard let error = await Self.makeDurable(paths, with: environment.writer) else { return actions }
        logger.error("What was saved cannot be made durable, and is not sent", metadata: ["error": "\(error)"])
        for action in actions where action.kind != .deleteRecord { hold(action, .notDurable(action.path, error)) }
        return actions.filter { $0.kind == .deleteRecord }
    }

    /// Off the session's own executor: it waits for the disk.
    @concurrent
    private static func makeDurable(_ paths: [FolderPath], with writer: FolderWriter) async -> FolderError? {
        do throws(FolderError) {
            try writer.makeDurable(besides: paths)
            return nil
        } catch {
            return error
        }
    }
}
