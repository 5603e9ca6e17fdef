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
    /// Makes the files durable that some actions send, and the absence of those that they delete; what the disk cannot
    /// keep does not go out.
    ///
    /// The base moves when the server has taken them. Were it lost then with the power, an empty or a missing file would
    /// look like an edit or a deletion, and one that came back like a new one, and go to the zone as such.
    nonisolated(nonsending) func durable(_ actions: [Action]) async throws -> [Action] {
        var actions = actions
        while true {
            let paths = actions.reduce(into: Set<FolderPath>()) { $0.formUnion(pathsToKeep(of: $1)) }
            guard !paths.isEmpty else { return actions }
            guard let error = await Self.makeDurable(paths, with: environment.writer) else { return actions }
            logger.error("What was saved cannot be made durable, and is not sent", metadata: ["error": "\(error)"])
            // Of one damaged file or directory only what needs it waits; each turn leaves fewer than were there before.
            var rest: [Action] = []
            for action in actions {
                if let path = error.path, !pathsToKeep(of: action).contains(where: { $0 == path || $0.isBelow(path) }) {
                    rest.append(action)
                } else {
                    setbacks.hold(action, .notDurable(action.path, error))
                }
            }
            actions = rest
        }
    }

    /// What has to be on the disk, as it is or as it is not, before an action is sent.
    private func pathsToKeep(of action: Action) -> Set<FolderPath> {
        var paths: Set<FolderPath> = [action.path]
        paths.formUnion(knowledge.trees.local[action.path]?.form.attachments.map(\.path) ?? [])
        // The directories where files were that are gone: to sync the new place need not take the old name away.
        guard let base = action.record.flatMap({ knowledge.trees.base[$0] }) else { return paths }
        paths.insert(base.path)
        paths.formUnion(base.assets.map(\.path))
        return paths
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
