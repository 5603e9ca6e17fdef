import Dispatch
import LocalFolder
import Synchronization

/// The walk over the whole folder that a session begins with, made while the rest of what is stored is read.
///
/// It needs the stored files alone, and takes as long as the records and what both sides agreed on. Each directory is watched
/// from before it is listed, so that nothing is missed between this walk and the look that is made of it.
final class FirstWalk: Sendable {
    private let found = Mutex<FolderWalk?>(nil)
    private let end = DispatchGroup()

    /// Begins the walk.
    /// - Parameter isAside: Whether on a thread of its own; else it is at its end before this returns.
    init(isAside: Bool, _ walk: @escaping @Sendable () -> FolderWalk) {
        let begin = { @Sendable [self] in
            let result = walk()
            found.withLock { $0 = result }
        }
        if isAside { DispatchQueue.global().async(group: end, execute: begin) } else { begin() }
    }

    /// What it found; waits for its end.
    func finish() -> FolderWalk? {
        end.wait()
        return found.withLock(\.self)
    }
}
