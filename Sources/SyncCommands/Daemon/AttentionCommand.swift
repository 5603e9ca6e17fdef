import Logging
import SyncService

/// Runs the command of `on_attention`; what becomes of it changes nothing about syncing.
enum AttentionCommand {
    /// After which a command that still runs is ended.
    private static let limit = Duration.seconds(30)

    /// Starts it and returns at once.
    static func start(_ command: String, _ call: AttentionCall, _ logger: Logger) {
        Task.detached {
            let metadata: Logger.Metadata = ["command": "\(command)", "folder": "\(call.folder)"]
            do {
                let process = try ChildProcess(
                    program: "/usr/bin/env",
                    arguments: [
                        "ZONEFOLDER_FOLDER=\(call.folder)", "ZONEFOLDER_VERDICT=\(call.verdict)",
                        "ZONEFOLDER_MESSAGE=\(call.message)", "/bin/sh", "-c", command,
                    ], isDetached: true)
                guard let ending = await process.ended(within: limit) else {
                    logger.warning("The command of on_attention takes too long, and is ended", metadata: metadata)
                    return await process.endWithChildren()
                }
                guard ending != .exited(0) else { return }
                logger.warning("The command of on_attention failed (\(ending))", metadata: metadata)
            } catch {
                logger.warning("The command of on_attention cannot be started: \(error)", metadata: metadata)
            }
        }
    }
}
