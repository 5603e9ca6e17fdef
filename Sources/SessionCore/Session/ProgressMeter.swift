package import FolderControl
package import SyncTiming
import Synchronization

/// Counts files and bytes of everything that is being carried out, in one total; transfers count from any thread.
///
/// One plan follows another until nothing is left to do: what a later one has adds to the total, which is new only after
/// ``end()``.
package final class ProgressMeter: Sendable {
    fileprivate struct State {
        var progress = StatusReport.Progress()
        var began: SteadyInstant
        /// Bytes of transfers that ended, whose files have not been counted yet.
        var ahead: Int64 = 0
    }

    private let state = Mutex<State?>(nil)

    /// Nothing is carried out.
    package init() {}

    /// What is moving now, or `nil` at rest.
    package func current(at now: SteadyInstant) -> StatusReport.Progress? {
        state.withLock { state in
            guard let state else { return nil }
            var progress = state.progress
            progress.elapsedMilliseconds = Int64(state.began.duration(to: now) / .milliseconds(1))
            return progress
        }
    }

    /// Notes what a plan is about to do, besides what was done since the beginning.
    package func begin(files: Int, bytes: Int64, at now: SteadyInstant) {
        state.withLock { state in
            var next = state ?? State(began: now)
            next.progress.filesTotal = next.progress.filesDone + files
            next.progress.bytesTotal = next.progress.bytesDone + bytes
            next.ahead = 0
            state = next
        }
    }

    /// Counts the bytes of a transfer that has ended.
    package func add(bytes: Int64) {
        state.withLock { state in
            state?.ahead += bytes
            state?.addDone(bytes)
        }
    }

    /// Counts files that are done, whatever became of them, and their bytes as they were planned: more where fewer had to
    /// travel.
    package func complete(files: Int, bytes: Int64) {
        state.withLock { state in
            guard let ahead = state?.ahead else { return }
            state?.progress.filesDone += files
            state?.addDone(max(0, bytes - ahead))
            state?.ahead = max(0, ahead - bytes)
        }
    }

    package func end() {
        state.withLock { $0 = nil }
    }
}

extension ProgressMeter.State {
    fileprivate mutating func addDone(_ bytes: Int64) {
        progress.bytesDone += bytes
        progress.bytesTotal = max(progress.bytesTotal, progress.bytesDone)
    }
}
