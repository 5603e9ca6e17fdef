import Synchronization

/// Runs tasks one piece at a time on the thread that asks for it, in an order that a seed decides.
///
/// A task that prefers it runs here with all its children and all actors that it calls, so that everything between two
/// suspension points is one step, and the seed alone decides which of several possible steps comes next.
final class StepExecutor: TaskExecutor {
    private let ready = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        ready.withLock { $0.append(job) }
    }

    /// Runs one piece; `false` where nothing can run.
    /// - Parameter choose: Which of so many comes next.
    func step(_ choose: (Int) -> Int) -> Bool {
        let count = ready.withLock(\.count)
        guard count > 0 else { return false }
        let index = count == 1 ? 0 : choose(count)
        let job = ready.withLock { $0.remove(at: index) }
        job.runSynchronously(on: asUnownedTaskExecutor())
        return true
    }
}
