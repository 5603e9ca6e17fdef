import CloudKitClient
import CloudKitWire
import LocalFolder
import Logging
import StateStorage
import SyncModel
import SyncPlanning
import SystemPackage

/// How the folder stands, from what was really seen.
extension FolderSession {
    /// The report for `status`.
    /// - Parameters:
    ///   - hasCaughtUp: Whether the watcher has come to what was saved before the question.
    ///   - isSettled: Whether the zone was fetched after the question: what was pushed since is not asked for.
    package func report(
        daemon: StatusReport.Daemon?, watch: StatusReport.Watch?, hasCaughtUp: Bool = true, isSettled: Bool = false
    ) throws -> StatusReport {
        // A folder that was moved away or unmounted is still open here, and nobody tells what is done in it.
        checkRoot()
        if !isRootSafe, !owed.wholeScan {
            owed.wholeScan = true
            inbox.doorbell.ring()
        }
        let conflicts = try openConflicts()
        let runnable = lastPlan.actions
        var verdictFacts = VerdictFacts()
        verdictFacts.hasLookedAtBothSides = hasLooked && hasFetched
        verdictFacts.isPaused = facts.paused
        verdictFacts.isOnline = isOnline
        verdictFacts.isWorking = isWorking
        verdictFacts.hasPendingWork =
            !hasCaughtUp || !runnable.filter { refusals[RefusedVersion($0)] == nil }.isEmpty || inbox.isWaiting
            || owed.wholeScan
            || !owed.paths.isEmpty || owed.zoneFetch || owed.databaseFetch
            || !isSettled && inbox.hasPushes
        let problems = self.problems
        let approval = waitingBatches.first
        verdictFacts.needsAttention =
            !conflicts.isEmpty || approval != nil || accountNeedsAttention || rootProblem != nil
            || problems.contains { $0.value.code != .skippedSpecialFile && $0.value.code != .unreadable }
        verdictFacts.isDegraded =
            (watch?.unwatched ?? 0) > 0 || problems.contains { $0.value.code == .unreadable }
        let verdict = verdictFacts.verdict
        let configuration = environment.configuration
        var pending = StatusReport.Pending()
        for action in runnable {
            if action.isDeleting {
                pending.deletions += 1
            } else if action.isSending {
                pending.uploads += 1
            } else if action.kind != .forget {
                pending.downloads += 1
            }
        }
        return StatusReport(
            verdict: verdict, reason: reason(for: verdict, conflicts: conflicts.count, problems: problems),
            folder: environment.root.path.string, server: configuration.server, container: configuration.container,
            environment: configuration.environment.rawValue, database: configuration.database.rawValue,
            zone: configuration.zone,
            account: StatusReport.Account(
                status: account?.word ?? "unknown", userRecordName: facts.account, remedy: account?.sentence),
            daemon: daemon, lastFetchMilliseconds: lastFetchMilliseconds, lastPushMilliseconds: lastPushMilliseconds,
            records: trees.remote.count, pending: pending, progress: progress.current, watch: watch,
            held: problems.map { subject, problem in
                var path = ""
                if case .path(let own) = subject { path = own.description }
                return StatusReport.Held(
                    path: path, code: problem.code.rawValue, message: problem.message, remedy: problem.remedy,
                    line: problem.line)
            }.sorted { $0.path < $1.path },
            conflicts: conflicts.map {
                StatusReport.Conflict(
                    path: $0.original.description, copy: $0.copy.description, fields: $0.fields,
                    atMilliseconds: $0.atMilliseconds)
            },
            approval: approval.map { StatusReport.Approval(batch: $0.id, deletions: $0.count, side: $0.code) })
    }

    /// The report, or one that says why there is none.
    func reportOrFailure(
        daemon: StatusReport.Daemon, watch: StatusReport.Watch?, hasCaughtUp: Bool, isSettled: Bool = false
    ) -> StatusReport {
        do {
            return try report(daemon: daemon, watch: watch, hasCaughtUp: hasCaughtUp, isSettled: isSettled)
        } catch {
            let configuration = environment.configuration
            return StatusReport(
                verdict: .unknown, reason: "The state cannot be read: \(error)", folder: environment.root.path.string,
                server: configuration.server, container: configuration.container,
                environment: configuration.environment.rawValue, database: configuration.database.rawValue,
                zone: configuration.zone, account: StatusReport.Account(status: "unknown"), daemon: daemon,
                records: trees.remote.count, pending: StatusReport.Pending(), held: [], conflicts: [])
        }
    }

    /// Conflicts whose copy is still there: a person settles one by deleting the copy.
    private func openConflicts() throws -> [ConflictRow] {
        try environment.store.conflicts().filter { conflict in
            do throws(FolderError) {
                _ = try reader.open(conflict.copy)
                return true
            } catch {
                // Only its absence settles it.
                guard error.code == .notFound || error.code == .notAFile else { return true }
            }
            try environment.store.removeConflict(copy: conflict.copy)
            return false
        }
    }

    private var accountNeedsAttention: Bool {
        switch account {
        case nil, .available, .couldNotDetermine: false
        case .noAccount, .restricted, .temporarilyUnavailable, .switched: true
        }
    }

    private func reason(
        for verdict: Verdict, conflicts: Int, problems: [HeldProblem.Subject: Problem]
    ) -> String {
        switch verdict {
        case .inSync: return "Folder and zone are the same."
        case .syncing: return "Changes are moving."
        case .pending: return "Changes wait for their turn."
        case .paused: return "Syncing is paused."
        case .offline: return account?.sentence ?? "The server cannot be reached; edits are kept and go through later."
        case .unknown: return "The first look at folder and zone is not finished."
        case .degraded:
            let unreadable = problems.values.filter { $0.code == .unreadable }
            return unreadable.count == 1
                ? unreadable[0].message : "Part of the folder is not watched or cannot be read."
        case .attention:
            if let sentence = accountNeedsAttention ? account?.sentence : nil { return sentence }
            if let problem = rootProblem ?? stateProblem { return problem.message }
            if !waitingBatches.isEmpty { return "A large deletion waits for your approval." }
            if conflicts > 0 {
                return conflicts == 1 ? "A conflict waits for you." : "\(conflicts) conflicts wait for you."
            }
            let waiting = problems.values.filter { $0.code != .skippedSpecialFile }
            return waiting.count == 1
                ? waiting[0].message : "\(waiting.count) files cannot be synced as they are."
        }
    }

    // MARK: Answers

    /// Whether everything that was saved before this call is known, done or waiting: a cookie left in the state
    /// directory came back from the watcher. `false` where it did not within two seconds.
    func hasCaughtUp() async -> Bool {
        cookieCount += 1
        let writer = environment.writer
        do {
            return try await inbox.hasCaughtUp(within: .seconds(2), with: "status-\(cookieCount)") { name in
                try writer.dropCookie(named: name)
            }
        } catch {
            logger.warning("It cannot be told what was not seen yet", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// The report for `status`, which says "in sync" only of what was asked for after the question: every save before it
    /// was seen, and what the server had by then is known.
    ///
    /// - Parameter isOfPath: Whether that is asked for of one file: there the folder's verdict can hide that it is not known.
    package func currentReport(
        daemon: StatusReport.Daemon, watch: @Sendable () -> StatusReport.Watch?, isOfPath: Bool = false
    ) async -> StatusReport {
        let hasCaughtUp = await hasCaughtUp()
        let report = reportOrFailure(daemon: daemon, watch: watch(), hasCaughtUp: hasCaughtUp)
        // What is under way may be nothing but the fetch that somebody else's question asked for.
        guard report.verdict == .inSync || !fetchWaiters.isEmpty || isOfPath else { return report }
        let hasFetched = await hasFetchedAnew(within: .seconds(2))
        var current = reportOrFailure(daemon: daemon, watch: watch(), hasCaughtUp: hasCaughtUp && hasFetched)
        if isOfPath {
            let hasSeenAll = !inbox.isWaiting && !owed.wholeScan && owed.paths.isEmpty
            current.isCurrent = hasCaughtUp && hasFetched && hasSeenAll
        }
        return current
    }

    /// Whether the server was asked after this call what changed, and what it said was acted on; `false` where that was
    /// not done in time.
    private func hasFetchedAnew(within limit: Duration) async -> Bool {
        oweDatabaseFetch()
        settleCount += 1
        let id = settleCount
        inbox.doorbell.ring()
        return await withCheckedContinuation { continuation in
            fetchWaiters[id] = continuation
            Task(executorPreference: environment.executor) {
                try? await self.environment.clock.sleep(limit)  // Never cancelled.
                await self.giveUpFetch(id)
            }
        }
    }

    private func giveUpFetch(_ id: Int) {
        fetchWaiters.removeValue(forKey: id)?.resume(returning: false)
    }

    /// Lets those go on who wait for a fetch: what they owed is done, or will not be.
    func finishFetched(force: Bool = false) {
        let isDone = !owed.databaseFetch && !owed.zoneFetch
        guard !fetchWaiters.isEmpty, isDone || force || !isOnline || facts.paused else { return }
        for waiter in fetchWaiters.values { waiter.resume(returning: isDone) }
        fetchWaiters = [:]
    }

    /// What would be done now.
    func plannedSteps() -> [PlannedStep] {
        var copy = trees
        copy.markAllDirty()
        let plan = planner().plan(&copy)
        return plan.actions.map { PlannedStep($0) }
            + plan.awaitingApproval.map { PlannedStep($0, awaitsApproval: true) }
    }

    /// Lets a batch pass and goes on; `false` where no such batch waits.
    package func approved(_ batch: String) -> Bool {
        do {
            guard try approve(batch) else { return false }
        } catch {
            logger.error("The approval could not be stored", metadata: ["error": "\(error)"])
            return false
        }
        inbox.doorbell.ring()
        return true
    }

    /// The report of the moment at which everything that was saved before this call was looked at, the zone was fetched
    /// after it, and what can be done is done: a later one could fall into the next poll. `nil` after the timeout.
    func settledReport(
        daemon: StatusReport.Daemon, watch: @escaping @Sendable () -> StatusReport.Watch?, timeout: Duration?
    ) async -> StatusReport? {
        owed.wholeScan = true
        oweDatabaseFetch()
        owed.zoneFetch = true
        forgetRefusals()
        retry.networkReturned()
        if account?.isUsable != true { account = nil }
        settleCount += 1
        let id = settleCount
        inbox.doorbell.ring()
        return await withCheckedContinuation { continuation in
            settleWaiters.append(SettleWaiter(id: id, daemon: daemon, watch: watch, continuation: continuation))
            if let timeout {
                Task(executorPreference: environment.executor) {
                    try? await self.environment.clock.sleep(timeout)  // Never cancelled.
                    await self.release(id)
                }
            }
        }
    }

    private func release(_ id: Int) {
        for waiter in settleWaiters where waiter.id == id { waiter.continuation.resume(returning: nil) }
        settleWaiters.removeAll { $0.id == id }
    }

    /// Lets those go on who wait for the folder to settle, where it has.
    func finishSettled(force: Bool = false) {
        guard !settleWaiters.isEmpty else { return }
        // A request that was refused for a reason that only a person can mend is not waited for.
        let isStuck =
            !requestProblems.isEmpty || !isOnline || account?.isUsable == false || !isRootSafe || facts.paused
            || stateProblem != nil
        guard force || isStuck || isQuiet && !inbox.isWaiting else { return }
        for waiter in settleWaiters {
            var report = reportOrFailure(
                daemon: waiter.daemon, watch: waiter.watch(), hasCaughtUp: true, isSettled: true)
            report.isCurrent = isQuiet && !inbox.isWaiting
            waiter.continuation.resume(returning: report)
        }
        settleWaiters = []
    }
}

extension PlannedStep {
    init(_ action: Action, awaitsApproval: Bool = false) {
        var target: String?
        let word: String
        switch action.kind {
        case .createRecord: word = "create-record"
        case .updateRecord: word = "update-record"
        case .deleteRecord: word = "delete-record"
        case .writeFile: word = "write-file"
        case .moveFile(let to):
            word = "move-file"
            target = to.description
        case .deleteFile: word = "delete-file"
        case .reconcile: word = "reconcile"
        case .forget: word = "forget"
        }
        self.init(
            action: word, path: action.path.description, target: target, record: action.record?.rawValue,
            awaitsApproval: awaitsApproval)
    }
}
