import CloudKitClient
import CloudKitWire
package import FolderControl
import FolderKnowledge
import LocalFolder
import Logging
import ProblemSentences
import RemoteZone
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming
import SystemPackage

/// How the folder stands, from what was really seen.
extension FolderSession {
    /// The report for `status`.
    /// - Parameters:
    ///   - hasCaughtUp: Whether the watcher has come to what was saved before the question.
    ///   - isSettled: Whether the zone was fetched after the question: what was pushed since is not asked for.
    ///   - isUnproven: Whether that was waited for in vain.
    package func report(
        daemon: StatusReport.Daemon?, watch: StatusReport.Watch?, hasCaughtUp: Bool = true, isSettled: Bool = false,
        isUnproven: Bool = false
    ) throws -> StatusReport {
        // A folder that was moved away or unmounted is still open here, and nobody tells what is done in it.
        checkRoot()
        if !isRootSafe, !looks.isWhole {
            looks.oweAll()
            inbox.doorbell.ring()
        }
        let conflicts = try openConflicts()
        let plan = planForReport()
        let planned = plan.actions
        var verdictFacts = VerdictFacts()
        verdictFacts.hasLookedAtBothSides = looks.hasLooked && fetches.hasFetched
        verdictFacts.isPaused = isPaused
        verdictFacts.isOnline = isOnline
        verdictFacts.isUnproven = isUnproven
        verdictFacts.isWorking = isWorking
        verdictFacts.hasPendingWork =
            !hasCaughtUp || planned.contains(where: refusals.isOnItsWay) || inbox.isWaiting
            || !looks.isEmpty || !fetches.isEmpty || !isSettled && inbox.news.hasPushes
        var problems = self.problems
        for (path, problem) in plan.problems { problems[.path(path)] = problem }
        let approval = waitingBatches.first
        verdictFacts.needsAttention =
            !conflicts.isEmpty || approval != nil || account.needsPerson || rootProblem != nil
            || problems.contains { !$0.value.isRemark && $0.value.code != .unreadable }
        verdictFacts.isDegraded =
            (watch?.unwatched ?? 0) > 0 || problems.contains { $0.value.code == .unreadable }
        let verdict = verdictFacts.verdict
        let configuration = environment.configuration
        var pending = StatusReport.Pending()
        pending.unseen = inbox.waitingLooks + looks.paths.count + (looks.unread ?? 0)
        for action in planned {
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
                status: account.status?.word ?? "unknown", userRecordName: knowledge.facts.account,
                name: knowledge.facts.accountName,
                remedy: trouble.distrust == nil ? account.status?.sentence : nil),
            daemon: daemon, lastFetchMilliseconds: lastTimes.fetch, lastPushMilliseconds: lastTimes.push,
            network: networkReport, withoutPush: trouble.pushRefusal, lastLookMilliseconds: lastTimes.look,
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
            approval: approval.map { StatusReport.Approval(batch: $0.id, deletions: $0.count, side: $0.code) })
    }

    /// The report, or one that says why there is none.
    func reportOrFailure(
        daemon: StatusReport.Daemon, watch: StatusReport.Watch?, hasCaughtUp: Bool, isSettled: Bool = false,
        isUnproven: Bool = false
    ) -> StatusReport {
        do {
            return try report(
                daemon: daemon, watch: watch, hasCaughtUp: hasCaughtUp, isSettled: isSettled, isUnproven: isUnproven)
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

    private func reason(
        for verdict: Verdict, conflicts: Int, problems: [HeldProblem.Subject: Problem]
    ) -> String {
        switch verdict {
        case .inSync: return "Folder and zone are the same."
        case .syncing: return "Changes are moving."
        case .pending:
            if let hindrance = trouble.allHindrances.first { return hindrance.message }
            return isDatabasePaused ? "The server asked to wait." : "Changes wait for their turn."
        case .paused: return StatusReport.pausedReason
        case .offline:
            return account.status?.sentence
                ?? "The server cannot be reached; edits are kept and go through later."
        case .unknown: return "The first look at folder and zone is not finished."
        case .degraded:
            let unreadable = problems.values.filter { $0.code == .unreadable }
            return unreadable.count == 1
                ? unreadable[0].message : "Part of the folder is not watched or cannot be read."
        case .attention:
            let sentence = attentionReason(conflicts: conflicts, problems: problems)
            return isOnline || trouble.distrust != nil ? sentence : "\(sentence) The server cannot be reached either."
        }
    }

    private func attentionReason(conflicts: Int, problems: [HeldProblem.Subject: Problem]) -> String {
        if let sentence = account.needsPerson ? account.status?.sentence : nil { return sentence }
        if let problem = rootProblem ?? stateProblem ?? trouble.distrust { return problem.message }
        if !waitingBatches.isEmpty { return "A large deletion waits for your approval." }
        if conflicts > 0 {
            return conflicts == 1 ? "A conflict waits for you." : "\(conflicts) conflicts wait for you."
        }
        let waiting = problems.values.filter { !$0.isRemark }
        return waiting.count == 1
            ? waiting[0].message : "\(waiting.count) files cannot be synced as they are."
    }
}
