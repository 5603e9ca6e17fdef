import StateRows
import SyncModel

/// What waits for a person as it is in the store, so that only what changed is written.
final class StoredAttention {
    /// `nil`: nobody knows what is there.
    private var problems: [HeldProblem.Subject: Problem]?
    private var batches: Set<String>?

    /// What is in the store is to be written anew.
    func forgetAll() { (problems, batches) = (nil, nil) }

    /// Writes problems, where others are stored. Where that fails they are written the next time.
    func store(
        _ current: [HeldProblem.Subject: Problem], with write: ([HeldProblem.Subject: Problem]) throws -> Void
    ) rethrows {
        guard current != problems else { return }
        try write(current)
        problems = current
    }

    /// Writes batches that wait, where others are stored: by their names and codes, since the time of one says nothing new.
    func store(_ current: [BatchAwaitingApproval], with write: ([BatchAwaitingApproval]) throws -> Void) rethrows {
        let names = Set(current.map { "\($0.code) \($0.id)" })
        guard names != batches else { return }
        try write(current)
        batches = names
    }
}
