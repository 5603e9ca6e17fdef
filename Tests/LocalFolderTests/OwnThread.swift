import Dispatch
import Foundation

/// A thread of its own for work that goes on beside a test and may spin: the threads that tests share are no more than the
/// machine has processors, and tests that spin on all of them wait for ever for what is to run on one of them.
struct OwnThread {
    private let isDone = DispatchSemaphore(value: 0)

    /// Begins the work at once.
    init(_ work: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [isDone] in
            work()
            isDone.signal()
        }
    }

    /// Waits until the work is done.
    func join() {
        isDone.wait()
    }
}
