import Dispatch
import LocalFolder
import Synchronization

/// The walk over the whole folder that a session begins with, made while the rest of what is stored is read.
///
/// It needs the stored files alone, and takes as long as the records and what both sides agreed on. Each directory is watched
/// from before it is listed, so that what is done after that is told, and looked at after the look that is made of this walk.
final class FirstWalk: Sendable {
    /// What is left out of it.
    let rules: IgnoreRules
    /// When it began, in milliseconds since 1970: what came later may not be in it.
    let began: Int64
    private let found = Mutex<FolderWalk?>(nil)
    private let end = DispatchGroup()

    /// Begins the walk.
    /// - Parameter isAside: Whether on a thread of its own; else it is at its end before this returns.
    init(
        leavingOut rules: IgnoreRules, at began: Int64, isAside: Bool, _ walk: @escaping @Sendable () -> FolderWalk
    ) {
        (self.rules, self.began) = (rules, began)
        let begin = { @Sendable [self] in
            let result = walk()
            found.withLock { $0 = result }
        }
        // The threads of the usual queue are those that read what is stored.
        if isAside { DispatchQueue.global(qos: .userInitiated).async(group: end, execute: begin) } else { begin() }
    }

    /// What it found; waits for its end.
    func finish() -> FolderWalk {
        end.wait()
        return found.withLock { $0! }
    }
}
