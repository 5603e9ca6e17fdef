import CloudKitClient
import FolderControl
import FolderKnowledge
import FolderObserving
import FolderSettings
import LocalFolder
import Logging
import RecordMapping
import RecordTrees
import RemoteZone
import SessionCore
import StateRows
import SyncActions
import SyncModel
import SyncPlanning
import SyncTiming
import SystemPackage
import ZoneFetching

/// Tells how the folder stands, from what was really seen.
final class StatusReporter {
    let environment: SessionEnvironment
    let inbox: Inbox
    /// Where requests go; `nil` where the configuration names no such place.
    let server: ServerOrigin?
    let knowledge: Knowledge
    let setbacks: Setbacks
    let events: EventRecorder
    let fetches: OwedFetches
    let access: ZoneAccess
    let observer: FolderObserver
    let work: PlannedWork
    let attention: Attention
    let conflictCopies: ConflictCopies
    let progress: ProgressMeter
    let lastTimes: LastTimes

    /// Tells what these parts know.
    init(
        _ environment: SessionEnvironment, inbox: Inbox, server: ServerOrigin?, knowledge: Knowledge,
        setbacks: Setbacks, events: EventRecorder, fetches: OwedFetches, access: ZoneAccess,
        observer: FolderObserver, work: PlannedWork, attention: Attention, conflictCopies: ConflictCopies,
        progress: ProgressMeter, lastTimes: LastTimes
    ) {
        (self.environment, self.inbox, self.server, self.knowledge) = (environment, inbox, server, knowledge)
        (self.setbacks, self.events, self.fetches, self.access) = (setbacks, events, fetches, access)
        (self.observer, self.work, self.attention) = (observer, work, attention)
        (self.conflictCopies, self.progress, self.lastTimes) = (conflictCopies, progress, lastTimes)
    }

    var now: SteadyInstant { environment.clock.now }
    var isPaused: Bool { knowledge.isPaused(at: environment.clock.milliseconds) }

    /// The report for `status`.
    /// - Parameters:
    ///   - isWorking: Whether a cycle goes on.
    ///   - hasCaughtUp: Whether the watcher has come to what was saved before the question.
    ///   - isSettled: Whether the zone was fetched after the question: what was pushed since is not asked for.
    ///   - isUnproven: Whether that was waited for in vain.
    func report(
        daemon: StatusReport.Daemon?, watch: StatusReport.Watch?, isWorking: Bool, hasCaughtUp: Bool = true,
        isSettled: Bool = false, isUnproven: Bool = false
    ) throws -> StatusReport {
        // A folder that was moved away or unmounted is still open here, and nobody tells what is done in it.
        observer.checkRoot()
        if !observer.isRootSafe, !observer.looks.isWhole {
            observer.looks.oweAll()
            inbox.doorbell.ring()
        }
        let conflicts = try conflictCopies.open()
        let plan = planForReport()
        let planned = plan.actions
        var verdictFacts = VerdictFacts()
        verdictFacts.hasLookedAtBothSides = observer.looks.hasLooked && fetches.hasFetched
        verdictFacts.isPaused = isPaused
        verdictFacts.isOnline = setbacks.isOnline
        verdictFacts.isUnproven = isUnproven
        verdictFacts.isWorking = isWorking
        // Where nothing is watched, the watcher comes to nothing: that is no change that waits for its turn.
        let isPartlyBlind = (watch?.unwatched ?? 0) > 0
        verdictFacts.hasPendingWork =
            !hasCaughtUp && !isPartlyBlind || planned.contains(where: setbacks.isOnItsWay) || inbox.isWaiting
            || !observer.looks.isEmpty || !fetches.isEmpty || !isSettled && inbox.news.hasPushes
        var problems = attention.problems
        for (path, problem) in attention.explained(plan.problems) { problems[.path(path)] = problem }
        let approval = attention.waitingBatches.first
        verdictFacts.needsAttention =
            !conflicts.isEmpty || approval != nil || access.account.needsPerson || observer.rootProblem != nil
            || problems.contains { !$0.value.isRemark && $0.value.code != .unreadable }
        verdictFacts.isDegraded = isPartlyBlind || problems.contains { $0.value.code == .unreadable }
        let verdict = verdictFacts.verdict
        let configuration = environment.configuration
        var pending = StatusReport.Pending()
        pending.unseen = inbox.waitingLooks + observer.looks.paths.count + (observer.looks.unread ?? 0)
        (pending.deletions, pending.uploads, pending.downloads) = plan.counts
        return StatusReport(
            verdict: verdict, reason: reason(for: verdict, conflicts: conflicts.count, problems: problems),
            folder: environment.root.path.string, server: configuration.server, container: configuration.container,
            environment: configuration.environment.rawValue, database: configuration.database.rawValue,
            zone: configuration.zone,
            account: StatusReport.Account(
                status: access.account.status?.word ?? "unknown", userRecordName: knowledge.facts.account,
                name: knowledge.facts.accountName,
                remedy: setbacks.trouble.distrust == nil
                    ? access.account.remedy(at: configuration.server, ofCopy: knowledge.facts.isCopy) : nil),
            daemon: daemon, lastFetchMilliseconds: lastTimes.fetch, lastPushMilliseconds: lastTimes.push,
            network: networkReport, withoutPush: setbacks.trouble.pushRefusal, lastLookMilliseconds: lastTimes.look,
            pause: isPaused ? knowledge.facts.pause.map { StatusReport.Pause($0) } : nil,
            records: knowledge.trees.remote.count,
            pending: pending, progress: progress.current(at: now), watch: watch,
            held: problems.map { subject, problem in
                var path = ""
                if case .path(let own) = subject { path = own.description }
                return StatusReport.Held(
                    path: path, code: problem.code.rawValue, message: problem.message, remedy: problem.remedy,
                    line: problem.line)
            }.sorted { $0.path < $1.path },
            unfit: knowledge.trees.carriedUnfitFiles.filter { problems[.path($0.path)] == nil }.map {
                StatusReport.Held(carried: $0.path, $0.problem)
            },
            notices: notices.map { .init(code: $0.code.rawValue, message: $0.message, remedy: $0.remedy) },
            conflicts: try conflicts.map { StatusReport.Conflict($0, try knowledge.remoteRow(named: $0.record)) },
            approval: try approval.map { batch in
                let unasked = try UnaskedDeletions(
                    before: batch, among: work.deletions.unaskedDeletions(by: environment.clock), in: environment.store,
                    gone: { $0.filter(isGone) })
                return StatusReport.Approval(
                    batch: batch.id, deletions: batch.count, side: batch.side,
                    elsewhere: knowledge.trees.countElsewhere(
                        work.last.awaitingApproval.filter { $0.kind == batch.deletionKind },
                        isHeld: { problems[.path($0)] != nil }),
                    unasked: unasked?.count, unaskedSinceMilliseconds: unasked?.sinceMilliseconds)
            })
    }

    /// Whether a file is gone, and no record has its path whose deletion waits.
    private func isGone(_ path: FolderPath) -> Bool {
        environment.reader.stamp(of: path) == nil && knowledge.trees.baseRecord(at: path) == nil
    }

    /// The report, or one that says why there is none.
    func reportOrFailure(
        daemon: StatusReport.Daemon, watch: StatusReport.Watch?, isWorking: Bool, hasCaughtUp: Bool,
        isSettled: Bool = false, isUnproven: Bool = false
    ) -> StatusReport {
        do {
            return try report(
                daemon: daemon, watch: watch, isWorking: isWorking, hasCaughtUp: hasCaughtUp, isSettled: isSettled,
                isUnproven: isUnproven)
        } catch {
            let configuration = environment.configuration
            return StatusReport(
                verdict: .unknown, reason: "The state cannot be read: \(error)", folder: environment.root.path.string,
                server: configuration.server, container: configuration.container,
                environment: configuration.environment.rawValue, database: configuration.database.rawValue,
                zone: configuration.zone, account: StatusReport.Account(status: "unknown"), daemon: daemon,
                network: networkReport, records: knowledge.trees.remote.count, pending: StatusReport.Pending(),
                held: [],
                conflicts: [])
        }
    }

    private func reason(
        for verdict: Verdict, conflicts: Int, problems: [HeldProblem.Subject: Problem]
    ) -> String {
        switch verdict {
        case .inSync: return "Folder and zone are the same."
        case .syncing: return "Changes are moving."
        case .pending:
            if let hindrance = setbacks.trouble.allHindrances.first { return hindrance.message }
            return setbacks.isDatabasePaused ? "The server asked to wait." : "Changes wait for their turn."
        case .paused: return StatusReport.pausedReason
        // Of a path alone.
        case .notSynced: return ""
        case .offline:
            return access.account.sentence
                ?? "The server cannot be reached; edits are kept and go through later."
        case .unknown: return "The first look at folder and zone is not finished."
        case .degraded:
            let unreadable = problems.values.filter { $0.code == .unreadable }
            return unreadable.count == 1
                ? unreadable[0].message : "Part of the folder is not watched or cannot be read."
        case .attention:
            let sentence = attentionReason(conflicts: conflicts, problems: problems)
            return setbacks.isOnline || setbacks.trouble.distrust != nil
                ? sentence : "\(sentence) The server cannot be reached either."
        }
    }

    private func attentionReason(conflicts: Int, problems: [HeldProblem.Subject: Problem]) -> String {
        if let sentence = access.account.needsPerson ? access.account.sentence : nil { return sentence }
        if let problem = observer.rootProblem ?? attention.stateProblem ?? setbacks.trouble.distrust
            ?? setbacks.trouble.unkeptSignIn
        {
            return problem.message
        }
        // What concerns every file comes before what concerns some.
        if let problem = problems[.folder], !problem.isRemark { return problem.message }
        if let batch = attention.waitingBatches.first {
            return batch.count == 1
                ? "A deletion waits for your approval." : "\(batch.count) deletions wait for your approval."
        }
        if conflicts > 0 {
            return conflicts == 1 ? "A conflict waits for you." : "\(conflicts) conflicts wait for you."
        }
        let waiting = problems.values.filter { !$0.isRemark }
        return waiting.count == 1
            ? waiting[0].message : "\(waiting.count) files cannot be synced as they are."
    }

    /// What this session did, with its waits.
    var workDone: StatusReport.Work {
        var done = events.work
        done.retries = Int64(setbacks.waits.count)
        done.retryWaitMilliseconds = Int64(setbacks.waits.length / .milliseconds(1))
        return done
    }

    /// What would be done now.
    func plannedSteps() -> [PlannedStep] {
        // Of a folder that is half looked at no plan is true.
        guard observer.looks.unread == nil else { return steps(of: work.last) }
        var copy = knowledge.trees
        copy.markAllDirty()
        return steps(of: work.planner().plan(&copy))
    }

    private func steps(of plan: Plan) -> [PlannedStep] {
        let problems = setbacks.problems(of: plan.actions)
        // Where nothing may be changed in the zone, nobody is asked either.
        func isForbidden(_ action: Action) -> Bool { knowledge.isReadOnly && action.isSending }
        return plan.actions.map {
            PlannedStep($0, held: isForbidden($0) ? .permissionDenied : problems[$0.path]?.code)
        }
            + plan.awaitingApproval.map {
                isForbidden($0)
                    ? PlannedStep($0, held: .permissionDenied) : PlannedStep($0, awaitsApproval: true)
            }
    }
}
