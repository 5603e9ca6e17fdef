import Dispatch
import Synchronization

/// Does two things that have nothing to do with each other at the same time, for a start of a large folder waits for nothing
/// but a processor.
package func inParallel<First: Sendable, Second: Sendable>(
    _ first: @Sendable () -> First, and second: @Sendable () -> Second
) -> (First, Second) {
    let results = Mutex<(first: First?, second: Second?)>((nil, nil))
    DispatchQueue.concurrentPerform(iterations: 2) { part in
        if part == 0 {
            let result = first()
            results.withLock { $0.first = result }
        } else {
            let result = second()
            results.withLock { $0.second = result }
        }
    }
    return results.withLock { ($0.first!, $0.second!) }
}
