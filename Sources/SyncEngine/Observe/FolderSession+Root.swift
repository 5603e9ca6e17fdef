import LocalFolder
import Logging
import ProblemSentences
import SyncModel
import SystemPackage

/// Whether the folder may be acted on.
extension FolderSession {
    /// Whether anything may be done in the folder.
    var isRootSafe: Bool { rootProblem == nil }

    /// Whether the folder is the one that was opened. Where it is not, nothing is done on either side.
    func checkRoot() {
        let problem: Problem?
        // That it can be listed is asked only where something is wrong: a scan finds it out as well.
        switch environment.root.health(lookingInside: rootProblem != nil) {
        case .ok: problem = nil
        // Its marker is there: it was emptied, and the deletions wait for a person's word.
        case .empty: problem = nil
        case .markerMissing, .deviceChanged, .gone: problem = .folderVanished(environment.root.path.string)
        case .unreadable(let error): problem = .folderUnreadable(error)
        }
        note(rootProblem: problem)
    }

    /// Notes what is wrong with the folder as a whole; `nil`: nothing.
    func note(rootProblem problem: Problem?) {
        if let problem, rootProblem != problem {
            logger.warning("Nothing is done until the folder is back", metadata: ["reason": "\(problem.message)"])
        } else if problem == nil, rootProblem != nil {
            logger.notice("The folder is back")
            // Nobody told what was done in it meanwhile.
            looks.oweAll()
        }
        rootProblem = problem
    }
}
