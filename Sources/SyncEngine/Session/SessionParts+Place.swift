import FolderObserving
import ProblemSentences
import SessionCore
import StateStorage

/// What is done where another folder, or another state, is in the place of the one that was opened.
extension SessionParts {
    /// Whether both are in their places. Where others are, the session is asked to end, so that the folder is opened again; a
    /// single pass goes on, and can store nothing.
    func areInPlace() -> Bool {
        guard environment.isWatched else { return true }
        let standing = environment.stateStanding()
        if case .arriving(let error) = standing {
            attention.note(stateProblem: .stateUnusable(error))
            setbacks.failed(.state)
            return false
        }
        guard case .own = standing, !observer.isMountedAnew else {
            stop.make(toReload: true)
            return false
        }
        return true
    }
}
