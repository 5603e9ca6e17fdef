import CloudKitClient
import CloudKitWire
import FolderKnowledge
import LocalFolder
import Logging
import ProblemSentences
import RecordMapping
import RecordReceiving
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming
import SystemPackage

/// From plan to acts: what the trees call for is done, stored, and planned again until nothing is left.
extension FolderSession {
    /// Plans and acts until nothing is left that can be done now.
    func act() async throws {
        var idle = 0
        // What was agreed on with a zone that is gone is nothing to act on.
        while !isStopping, isRootSafe, knowledge.zoneFacts.created, !isServerAway, !isPaused {
            let actions = try plan()
            guard !actions.isEmpty else { break }
            if actions.contains(where: { $0.isDeleting }) {
                checkRoot()
                guard isRootSafe else { return }
            }
            progress.begin(files: actions.count, bytes: plannedBytes(of: actions), at: now)
            let before = outcomeCount.total
            try await carryOut(actions)
            // An action that is superseded costs a look and a new plan; without any progress, wait for events.
            idle = outcomeCount.total == before ? idle + 1 : 0
            if idle >= 3 || isPaused { break }
            if inbox.hasDue(at: now) || !looks.paths.isEmpty { try await observe() }
            takePushes()
            // Also where an answer was lost and the look-up failed: what the server took must be known before more is sent.
            if !fetches.isEmpty { guard try await fetch() else { break } }
        }
        try endEvent(.import)
        knowledge.forgetTakenOutFiles()
        try knowledge.storeProvenance()
        progress.end()
    }

    /// The bytes that actions move, as far as they are known before: those of the files that are sent, and of the assets of
    /// records that are received.
    func plannedBytes(of actions: some Sequence<Action>) -> Int64 {
        actions.reduce(0) { sum, action in
            switch action.kind {
            case .createRecord, .updateRecord(content: true, path: _): return sum + (action.local?.stamp.size ?? 0)
            case .writeFile, .reconcile:
                let assets = action.record.flatMap { knowledge.trees.remote[$0] }?.assets ?? []
                return assets.reduce(sum) { $0 + $1.size }
            case .updateRecord, .deleteRecord, .moveFile, .deleteFile, .forget: return sum
            }
        }
    }

    /// Computes the plan and stores what waits for a person; gives the actions that can be done now.
    private func plan() throws -> [Action] {
        try knowledge.storeProvenance()
        let planner = planner()
        environment.willPlan?(planner, knowledge.trees)
        lastPlan = knowledge.plan(planner)
        try knowledge.storeProvenance()
        try note(lastPlan.renewed)
        let kinds = [Action.Kind.deleteRecord, .deleteFile]
        deletionMemory.keepApprovals(
            of: kinds.map { kind in batchName(of: lastPlan.actions.filter { $0.kind == kind }) })
        for action in lastPlan.actions {
            logger.trace(
                "Planned",
                metadata: [
                    "action": "\(action.kind)", "path": "\(action.path)",
                    "record": "\(action.record?.rawValue ?? "none")",
                ])
        }
        let leaving = lastPlan.actions.flatMap(leaving) + lastPlan.awaitingApproval.flatMap(leaving)
        deletionMemory.noteMissing(leaving, now: now)
        forgetWhatIsOver()
        try storeAttention()
        return runnableActions()
    }

    /// Notes that the files of some records count as edited, whatever their bytes: it is to be sent.
    func note(_ standings: [RecordName: BaseEntry.Standing]) throws {
        guard !isReadOnly else { return }
        try knowledge.note(standings)
    }

    /// The records that a deletion takes away, or that a new record follows: the one whose asset its file was, or that had
    /// its path and is of another kind.
    func leaving(with action: Action) -> [RecordName] {
        switch (action.kind, action.record) {
        case (.deleteRecord, let name?): [name]
        case (.createRecord, nil):
            knowledge.trees.silentOwners(of: action.path)
                + [knowledge.trees.outgrownRecord(at: action.path)].compactMap(\.self)
        default: []
        }
    }

    /// Refusals and counts of what the plan no longer has are dropped.
    private func forgetWhatIsOver() {
        guard !refusals.isEmpty || !retry.isMoving else { return }
        refusals.keep(only: lastPlan.actions)
        retry.keepStandstills(of: Set(lastPlan.actions.compactMap { RetryKey($0) }))
    }

    func planner() -> Planner {
        let configuration = environment.configuration
        var planner = Planner(
            limit: MassDeletionLimit(
                count: configuration.deletionLimit, part: Double(configuration.deletionShare) / 100),
            approvedBatches: deletionMemory.approvedBatches,
            isUnobserved: unobserved.isUnobserved(by: rules.current), isUnreadable: unobserved.isUnseen,
            isObstructed: unobserved.isObstructed(by: rules.current))
        planner.recentDeletions = deletionMemory.recentCounts(now: now)
        planner.doubtedRecords = unobserved.doubtedRecords
        return planner
    }

    /// What of the last plan neither waits for a retry nor was refused as it is.
    func runnableActions() -> [Action] {
        guard knowledge.zoneFacts.created else { return [] }
        let now = now
        return lastPlan.actions.only { action in
            if let key = RetryKey(action), !retry.isDue(key, at: now) { return false }
            if isSendingHeld, action.isSending { return false }
            if let due = due(action), due > now { return false }
            return refusals[action].map { $0.expires <= now } ?? true
        }
    }

    /// Whether sending waits, because the zone is lost.
    var isUploadHeld: Bool { knowledge.zoneFacts.loss != nil }

    /// Whether a person is asked to let this folder fill the zone.
    var isZoneInQuestion: Bool { knowledge.zoneFacts.loss == .replaced || knowledge.zoneFacts.loss == .reconfigured }

    private func carryOut(_ actions: [Action]) async throws {
        // What came is in the folder then, and what is sent from now on is none of it.
        if actions.allSatisfy({ $0.isSending || $0.kind == .forget }) { try endEvent(.import) }
        try commit(actions.filter { $0.kind == .forget }.compactMap(\.record).map { Outcome(base: .removed($0)) })
        // Moves in the folder are cheap and make room for what is written.
        try move(actions)
        let receiving = actions.filter { $0.kind == .writeFile || $0.kind == .reconcile }
        try await receive(receiving)
        // New rules hold for what would be sent now.
        if looks.paths.contains(Self.ignoreFile) { return }
        guard !isPaused else { return }
        try await send(actions.only { $0.isSending && !isReceivedAsset($0) })
        if !isPaused { try deleteFiles(actions) }
    }

    /// Whether a file that was to be sent as a record of its own belongs to one that was received since the plan was made.
    private func isReceivedAsset(_ action: Action) -> Bool {
        guard action.kind != .deleteRecord, knowledge.trees.isAttached(action.path) else { return false }
        return action.record.flatMap { knowledge.trees.base[$0]?.path } != action.path
    }

    // MARK: Outcomes

    /// Stores what finished actions made true, in one transaction, and takes it into the trees.
    func commit(_ outcomes: [Outcome]) throws {
        guard !outcomes.isEmpty else { return }
        let outcomes = keepingVersions(withStandings(outcomes))
        let unnamed = UnnamedAssets(knowledge)
        let before = unnamed.heldFiles(outcomes)
        let isPushed = outcomes.contains { $0.change?.kind == .export }
        let told = try withEvents(outcomes)
        forgetRefusals(near: outcomes.flatMap { $0.removedLocal + $0.local.map(\.path) })
        try knowledge.commit(told, pushed: isPushed ? environment.clock.milliseconds : nil)
        outcomeCount.note(outcomes.count)
        refusals.release(awaiting: outcomes.lazy.compactMap(\.changedRecord))
        let changed = before.symmetricDifference(unnamed.heldFiles(outcomes)).map(\.path)
        try receiveAgain(unnamed.takingFreedNames(at: Set(changed)))
    }

    /// The same outcomes with how records stand by them, and what becomes of other records thereby.
    private func withStandings(_ outcomes: [Outcome]) -> [Outcome] {
        var outcomes = outcomes
        let standings = Standings(knowledge.trees)
        for index in outcomes.indices {
            guard case .agreed(var entry, let document) = outcomes[index].base else { continue }
            entry.standing = standings.standing(of: entry, isSent: outcomes[index].isSent)
            outcomes[index].base = .agreed(entry, document: document)
            if outcomes[index].isSent { forgetSharedAssets(takenOutBy: entry) }
        }
        for path in standings.takenOut(by: outcomes) {
            knowledge.noteTakenOut(path)
            // Soon: what somebody does later knows of this.
            fetches.oweZone()
        }
        return outcomes + standings.changes(after: outcomes)
    }

    static let ignoreFile = FolderPath(IgnoreRules.fileName)!

    /// Notes that the folder was not as planned with, and has to be looked at.
    func superseded(_ action: Action) {
        // What it was refused for before is not what it waits for now.
        refusals.forget(action)
        if let key = RetryKey(action) { stoodStill(key) }
        looks.owe(action.path)
        // Its bytes may be others although its stamp is the same: read it again.
        restless.doubt(action.path)
        if case .moveFile(let target) = action.kind { looks.owe(target) }
        looks.owe(knowledge.trees.local[action.path]?.form.attachments.map(\.path) ?? [])
        if let name = action.record { knowledge.mark(name) }
        knowledge.mark(action.path)
    }

    /// Keeps an action back until something about it changes, or a while has passed; says why.
    /// - Parameters:
    ///   - place: What stands in its way, where that is another path than its own.
    ///   - pause: How long, where that is known; else the longer, the more often it was kept back.
    func hold(_ action: Action, _ problem: Problem, at place: FolderPath? = nil, for pause: Duration? = nil) {
        refusals.hold(action, because: problem, at: place, for: pause, wall: environment.clock.wall(), now: now)
    }

    /// Lets what was refused be tried again where something changed at its path, above it, below it, at a file that
    /// it names or waits for, or at what stood in its way.
    /// - Parameter code: Only what was refused for such a reason; `nil`: whatever the reason was.
    func forgetRefusals(near changed: [FolderPath], of code: Problem.Code? = nil) {
        refusals.release(near: changed, of: code) { path in
            let form = knowledge.trees.local[path]?.form
            return (form?.attachments.map(\.path) ?? []) + environment.configuration.defaultPaths(of: form)
        }
    }

    /// Lets everything that was refused be tried again, as after a while or when asked to sync.
    func forgetRefusals() {
        // The schema may have been given the reserved field meanwhile: ask the server again.
        if refusals.forgetAll() { knowledge.expectHintsFields() }
    }

    func journal(_ action: String, by author: Author, path: FolderPath?, record: RecordName?) -> JournalEntry {
        JournalEntry(
            atMilliseconds: environment.clock.milliseconds, action: action, author: author, path: path, record: record)
    }
}
