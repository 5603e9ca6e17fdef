package import FolderKnowledge
import LocalFolder
package import Logging
import ProblemSentences
package import SessionCore
import StateRows
package import SyncModel
import SyncTiming
import Synchronization
import SystemPackage

/// Looks at the folder, and takes what it finds into the local tree.
///
/// What is seen is stored before anything is concluded from it. Of what could not be looked at nothing is ever concluded.
package final class FolderObserver {
    let environment: SessionEnvironment
    let inbox: Inbox
    let logger: Logger
    let knowledge: Knowledge
    let setbacks: Setbacks
    let committer: Committer
    let conflictCopies: ConflictCopies
    let lastTimes: LastTimes
    let stop: StopRequest

    package let looks = OwedLooks()
    package let restless = RestlessFiles()
    package let unobserved = UnobservedPaths()
    package let rules: RulesInForce
    /// The names of files that have several.
    let linkedNames = LinkedNames()
    /// Why nothing may be done in the folder.
    package private(set) var rootProblem: Problem?
    /// Whether the folder is back on a disk with another number, where it has to be opened again.
    package private(set) var isMountedAnew = false

    /// Reads the ignore rules; those of the last look at the whole folder hold while they cannot be read.
    /// - Throws: `FolderError` where they cannot be read, and there was no such look.
    package init(
        _ environment: SessionEnvironment, inbox: Inbox, knowledge: Knowledge, setbacks: Setbacks, committer: Committer,
        conflictCopies: ConflictCopies, lastTimes: LastTimes, stop: StopRequest, logger: Logger
    ) throws {
        (self.environment, self.inbox, self.knowledge, self.setbacks) = (environment, inbox, knowledge, setbacks)
        (self.committer, self.conflictCopies) = (committer, conflictCopies)
        (self.lastTimes, self.stop, self.logger) = (lastTimes, stop, logger)
        // A folder without rules once had nothing stored of them.
        let text = knowledge.facts.ignoreRules ?? (knowledge.facts.lookedMilliseconds == nil ? nil : "")
        let stored = text.map { IgnoreRules(text: $0.utf8) }
        do throws(FolderError) {
            rules = RulesInForce(read: try IgnoreRules.read(from: environment.root), stored: stored)
        } catch {
            // Nobody knows then what a person wants to keep for themselves.
            guard let stored else { throw error }
            rules = RulesInForce(read: stored, stored: stored)
            rules.noteUnreadable(.unreadable(.ignoreFile, reason: error.message))
        }
    }

    var now: SteadyInstant { environment.clock.now }

    /// Reads what was known, and looks at the folder meanwhile.
    /// - Returns: Files that came with a record while others name them too, in the order of their paths.
    package func readKnown() throws -> [FolderPath] {
        let (environment, leftOut) = (environment, rules.current)
        let walk = Mutex<FirstWalk?>(nil)
        let unfinished = try knowledge.load { files in
            let begun = Self.firstWalk(over: files, in: environment, leavingOut: leftOut)
            walk.withLock { $0 = begun }
        }
        if let walk = walk.withLock(\.self) { looks.owe(walk) }
        restless.doubtOnly(unfinished.unsettled)
        return unfinished.arrived
    }

    /// Nothing was ever looked at: what is known is of another zone.
    package func beginAnew() {
        looks.beginAnew()
        restless.forgetAll()
    }

    // MARK: Whether the folder may be acted on

    /// Whether anything may be done in the folder.
    package var isRootSafe: Bool { rootProblem == nil }

    /// Whether the folder is the one that was opened. Where it is not, nothing is done on either side.
    package func checkRoot() {
        let problem: Problem?
        isMountedAnew = false
        // That it can be listed is asked only where something is wrong: a scan finds it out as well.
        switch environment.root.health(lookingInside: rootProblem != nil) {
        case .ok: problem = nil
        // Its marker is there: it was emptied, and the deletions wait for a person's word.
        case .empty: problem = nil
        case .markerMissing, .gone: problem = .folderVanished(environment.root.path.string)
        case .deviceChanged: problem = .folderReplaced(environment.root.path.string)
        case .mountedAnew:
            isMountedAnew = true
            problem = .folderVanished(environment.root.path.string)
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
