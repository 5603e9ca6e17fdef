import FolderControl
import FolderKnowledge
import FolderObserving
import FolderSettings
import LocalFolder
import ProblemSentences
import RecordTrees
import RemoteZone
import SessionCore
import SyncActions
import SyncModel
import SyncPlanning
import SyncTiming
import ZoneFetching

/// How the way to the server stands, and what does not go as it should, for `status`.
extension StatusReporter {
    /// Whatever the verdict: since when nothing is answered, why, and when it is tried next.
    var networkReport: StatusReport.Network {
        if let away = environment.network?.outage(of: server) {
            return StatusReport.Network(
                isReachable: false, sinceMilliseconds: milliseconds(of: away.outage.since), cause: away.outage.cause,
                nextTryMilliseconds: (away.nextTry ?? nextRequest).map(milliseconds))
        }
        if let silence = setbacks.trouble.silence {
            return StatusReport.Network(
                isReachable: false, sinceMilliseconds: milliseconds(of: silence.since), cause: silence.cause,
                nextTryMilliseconds: nextRequest.map(milliseconds))
        }
        guard setbacks.isDatabasePaused, let cause = setbacks.trouble.pause else {
            return StatusReport.Network(isReachable: true)
        }
        return StatusReport.Network(
            isReachable: true, cause: cause, nextTryMilliseconds: setbacks.databaseResumes.map(milliseconds))
    }

    private var nextRequest: SteadyInstant? {
        let keys: [RetryKey] = [.account, .zone, .subscription, .databaseChanges, .zoneChanges]
        let waiting = keys.compactMap { setbacks.next(for: $0) }.filter { $0 > now }
        return waiting.min()
    }

    private func milliseconds(of moment: SteadyInstant) -> Int64 {
        environment.clock.milliseconds + Int64(now.duration(to: moment) / .milliseconds(1))
    }

    /// The plan as far as both sides are known: while the server is waited for, or a person wants a pause, no cycle comes to its own.
    func planForReport() -> Plan {
        // Of a folder that is half looked at no plan is true.
        guard observer.looks.unread == nil else { return work.last }
        guard isPaused || !setbacks.isOnline || setbacks.isDatabasePaused || access.account.isUnusable else {
            return work.last
        }
        var copy = knowledge.trees
        return work.planner().plan(&copy)
    }

    // MARK: What goes on all the same

    /// What is not as it should be, and holds no file.
    var notices: [Problem] {
        var notices = setbacks.trouble.allHindrances
        let invalidLines = observer.rules.current.invalidLines
        if !invalidLines.isEmpty { notices.append(.invalidRules(inLines: invalidLines)) }
        let displaced = knowledge.trees.filesUnderOtherNames
        if !displaced.isEmpty { notices.append(.namesTaken(of: displaced)) }
        if setbacks.isOnline, let problem = pushProblem { notices.append(problem) }
        return notices
    }

    private static let pushPatience = Duration.seconds(60)

    private var pushProblem: Problem? {
        let interval = environment.configuration.pollingInterval
        if let trouble = access.account.feed?.pushes.trouble, trouble.since.advanced(by: Self.pushPatience) <= now {
            return .noCourier(because: trouble.cause, polledEach: interval)
        }
        return fetches.isUnannounced ? .silentPushes(polledEach: interval) : nil
    }
}
