import CloudKitClient
import CloudKitWire
import FolderControl
import FolderKnowledge
import ProblemSentences
import RemoteZone
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming

/// How the way to the server stands, and what does not go as it should, for `status`.
extension FolderSession {
    /// Whatever the verdict: since when nothing is answered, why, and when it is tried next.
    var networkReport: StatusReport.Network {
        if let away = environment.network?.outage(of: server) {
            return StatusReport.Network(
                isReachable: false, sinceMilliseconds: milliseconds(of: away.outage.since), cause: away.outage.cause,
                nextTryMilliseconds: (away.nextTry ?? nextRequest).map(milliseconds))
        }
        if let silence = trouble.silence {
            return StatusReport.Network(
                isReachable: false, sinceMilliseconds: milliseconds(of: silence.since), cause: silence.cause,
                nextTryMilliseconds: nextRequest.map(milliseconds))
        }
        guard isDatabasePaused, let cause = trouble.pause else { return StatusReport.Network(isReachable: true) }
        return StatusReport.Network(
            isReachable: true, cause: cause, nextTryMilliseconds: retry.databaseResumes.map(milliseconds))
    }

    private var nextRequest: SteadyInstant? {
        let keys: [RetryKey] = [.account, .zone, .subscription, .databaseChanges, .zoneChanges]
        let waiting = keys.compactMap { retry.next(for: $0) }.filter { $0 > now }
        return waiting.min()
    }

    private func milliseconds(of moment: SteadyInstant) -> Int64 {
        environment.clock.milliseconds + Int64(now.duration(to: moment) / .milliseconds(1))
    }

    /// The plan as far as both sides are known: while the server is waited for, or a person wants a pause, no cycle comes to its own.
    func planForReport() -> Plan {
        // Of a folder that is half looked at no plan is true.
        guard looks.unread == nil else { return lastPlan }
        guard isPaused || !isOnline || isDatabasePaused || account.isUnusable else { return lastPlan }
        var copy = knowledge.trees
        return planner().plan(&copy)
    }

    // MARK: What goes on all the same

    /// What is not as it should be, and holds no file.
    var notices: [Problem] {
        var notices = trouble.allHindrances
        if isOnline, let problem = pushProblem { notices.append(problem) }
        return notices
    }

    private static let pushPatience = Duration.seconds(60)

    private var pushProblem: Problem? {
        let interval = environment.configuration.pollingInterval
        if let trouble = account.feed?.pushes.trouble, trouble.since.advanced(by: Self.pushPatience) <= now {
            return .noCourier(because: trouble.cause, polledEach: interval)
        }
        return fetches.isUnannounced ? .silentPushes(polledEach: interval) : nil
    }
}

extension Problem {
    static func standingToken(of what: String) -> Problem {
        Problem(
            .standingToken,
            message:
                "The server says that there is more to fetch of \(what), but gives no way to it: its sync token stands "
                + "still. Nothing comes or goes until it moves.",
            remedy: "It is asked again each minute. If it stays, only who runs the server can mend it.")
    }

    static func erroredRecord(_ item: ItemResult<Record>) -> Problem {
        let (name, reason): (String?, String) =
            switch item {
            case .success(let record): (record.recordName, "it has no type or no change tag")
            case .failure(let error): (error.recordName, error.reason ?? error.serverErrorCode.rawValue)
            }
        return Problem(
            .erroredRecord,
            message:
                "The server cannot give \(name.map { "the record '\($0)'" } ?? "a record") of the zone: \(reason). What "
                + "follows it waits, and so do edits here.",
            remedy: "It is asked for again by itself. If it stays, save or delete that record on another device.")
    }

    static func noCourier(because cause: String, polledEach interval: Duration) -> Problem {
        Problem(
            .noPushes,
            message: "Pushes do not work: \(cause) What others change is asked for each "
                + "\(interval.components.seconds) s instead.",
            remedy:
                "Nothing is lost, and it is tried again by itself. If it stays, see whether a firewall or a proxy ends "
                + "requests that wait for a minute.")
    }

    static func silentPushes(polledEach interval: Duration) -> Problem {
        Problem(
            .noPushes,
            message: "Pushes do not arrive, although they are waited for. What others change is asked for each "
                + "\(interval.components.seconds) s instead.",
            remedy:
                "Nothing is lost, and subscription and courier are made anew by themselves. If it stays, see whether this "
                + "folder's `.zonefolder` is in use on another machine.")
    }
}
