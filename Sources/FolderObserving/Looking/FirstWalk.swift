import Dispatch
import LocalFolder
import SyncModel
import Synchronization

/// The walk over the whole folder that a session begins with, made while the rest of what is stored is read.
///
/// It needs the stored files alone, and takes as long as the records and what both sides agreed on. Each directory is watched
/// from before it is listed, so that what is done after that is told, and looked at after the look that is made of this walk.
/// Nobody's any more, it places no watch: the directories may be those of another session by then.
package final class FirstWalk: Sendable {
    /// What is left out of it.
    let rules: IgnoreRules
    /// When it began, in milliseconds since 1970: what came later may not be in it.
    let began: Int64
    private let course = Course()

    /// What the walk itself holds of this.
    private final class Course: Sendable {
        let found = Mutex<FolderWalk?>(nil)
        let isWanted = Mutex(true)
        let end = DispatchGroup()
    }

    /// Begins the walk.
    /// - Parameters:
    ///   - isAside: Whether on a thread of its own; else it is at its end before this returns.
    ///   - placeWatch: Called before a directory is listed; `nil` is the folder itself.
    ///   - walk: Makes the walk; given what places a watch.
    init(
        leavingOut rules: IgnoreRules, at began: Int64, isAside: Bool,
        placeWatch: @escaping @Sendable (FolderPath?) -> Void,
        _ walk: @escaping @Sendable (_ onDirectory: (FolderPath?) -> Void) -> FolderWalk
    ) {
        (self.rules, self.began) = (rules, began)
        let begin = { @Sendable [course] in
            let result = walk { directory in
                course.isWanted.withLock { if $0 { placeWatch(directory) } }
            }
            course.found.withLock { $0 = result }
        }
        if isAside {
            // The threads of the usual queue are those that read what is stored.
            DispatchQueue.global(qos: .userInitiated).async(group: course.end, execute: begin)
        } else {
            begin()
        }
    }

    deinit { course.isWanted.withLock { $0 = false } }

    /// What it found; waits for its end.
    func finish() -> FolderWalk {
        course.end.wait()
        return course.found.withLock { $0! }
    }
}
