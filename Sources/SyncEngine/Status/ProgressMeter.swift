import Synchronization

/// Counts files and bytes of the plan that is being carried out; transfers count from any thread.
final class ProgressMeter: Sendable {
    private let state = Mutex<StatusReport.Progress?>(nil)

    /// What is moving now, or `nil` at rest.
    var current: StatusReport.Progress? { state.withLock { $0 } }

    func begin(files: Int, bytes: Int64) {
        state.withLock { $0 = StatusReport.Progress(filesTotal: files, bytesTotal: bytes) }
    }

    func add(files: Int) {
        state.withLock { $0?.filesDone += files }
    }

    func add(bytes: Int64) {
        state.withLock { progress in
            guard progress != nil else { return }
            progress!.bytesDone += bytes
            progress!.bytesTotal = max(progress!.bytesTotal, progress!.bytesDone)
        }
    }

    func end() {
        state.withLock { $0 = nil }
    }
}
