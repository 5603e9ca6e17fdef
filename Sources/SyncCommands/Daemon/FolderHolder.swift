import FolderControl
import FolderSettings
import SystemPackage

/// The process that has a folder: one that answers, or one that is about to let go of it.
enum FolderHolder {
    /// The process that syncs a folder and answers for it; `nil` where none has the folder, or has it any more.
    ///
    /// One that was killed keeps its lock until the kernel has ended it, and `zonefolder sync`, which answers nobody, until it
    /// is done: so long this waits.
    /// - Throws: ``CommandFailure`` where neither has come about in time.
    static func answering(for directory: StateDirectory, within limit: Duration) async throws -> Int32? {
        let deadline = ContinuousClock.now + limit
        while let process = FolderLock.holder(of: directory) {
            if (try? await ControlClient(for: directory).status(within: min(limit, longestAnswer))) != nil {
                return process
            }
            guard ContinuousClock.now < deadline else {
                throw CommandFailure.answersNobody(process, directory.folder, within: limit)
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        return nil
    }

    /// A daemon that is busy answers within a second; one that asks its server first, within two more.
    static let longestAnswer = Duration.seconds(5)
}

extension CommandFailure {
    fileprivate static func answersNobody(_ process: Int32, _ folder: FilePath, within limit: Duration) -> Self {
        Self(
            status: .unknown,
            message:
                "Process \(process) has \(folder) and did not answer within \(limit.components.seconds) s, so nothing was "
                + "started: it is a `zonefolder sync` that goes on, or a daemon that hangs. `ps -p \(process)` shows what it "
                + "is; try again once it has ended.")
    }
}
