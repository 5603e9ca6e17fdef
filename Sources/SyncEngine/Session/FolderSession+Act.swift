import CloudKitClient
import CloudKitWire
import Logging
import StateStorage
import SyncModel
import SyncPlanning
import SystemPackage

/// From plan to acts: what the trees call for is done, stored, and planned again until nothing is left.
extension FolderSession {
    /// Plans and acts until nothing is left that can be done now.
    func act() async throws {
        var idle = 0
        while !isStopping {
            let actions = try plan()
            guard !actions.isEmpty else { break }
            if actions.contains(where: { $0.isDeleting }) {
                checkRoot()
                guard isRootSafe else { return }
            }
            progress.begin(files: actions.count, bytes: actions.reduce(0) { $0 + ($1.local?.stamp.size ?? 0) })
            let before = changeCount
            try await carryOut(actions)
            // An action that is superseded costs a look and a new plan; without any progress, wait for events.
            idle = changeCount == before ? idle + 1 : 0
            if idle >= 3 { break }
            if inbox.hasDue(at: now) || !owed.paths.isEmpty { try observe() }
            if inbox.takePush() {
                owed.zoneFetch = true
                guard try await fetch() else { break }
            }
        }
        progress.end()
    }

    /// Computes the plan and stores what waits for a person; gives the actions that can be done now.
    private func plan() throws -> [Action] {
        lastPlan = planner().plan(&trees)
        try storeAttention()
        return runnableActions()
    }

    func planner() -> Planner {
        let configuration = environment.configuration
        return Planner(
            limit: MassDeletionLimit(
                count: configuration.deletionLimit, part: Double(configuration.deletionShare) / 100),
            approvedBatches: approvedBatches,
            isUnobserved: Self.unobserved(
                rules: rules, unreadable: Set(unreadable.keys).union(skipped.keys)))
    }

    /// What of the last plan neither waits for a retry nor was refused as it is.
    func runnableActions() -> [Action] {
        let now = now
        return lastPlan.actions.filter { action in
            if let key = RetryKey(action), !retry.isDue(key, at: now) { return false }
            if isUploadHeld, action.isSending { return false }
            return refusals[RefusedVersion(action)] == nil
        }
    }

    /// Whether sending waits for a person's word, because the zone vanished.
    var isUploadHeld: Bool { zoneFacts.loss != nil && zoneFacts.loss != .encryptedDataReset }

    private func carryOut(_ actions: [Action]) async throws {
        // Moves and removals in the folder are cheap and make room for what is written.
        for action in actions {
            switch action.kind {
            case .moveFile(let target): try move(action, to: target)
            case .forget:
                if let name = action.record { try commit([Outcome(base: .removed(name))]) }
            case .createRecord, .updateRecord, .deleteRecord, .writeFile, .deleteFile, .reconcile: break
            }
        }
        let receiving = actions.filter { $0.kind == .writeFile || $0.kind == .reconcile }
        try await receive(receiving)
        try await send(actions.filter(\.isSending))
        for action in actions where action.kind == .deleteFile { try deleteFile(action) }
    }

    // MARK: Outcomes

    /// Stores what finished actions made true, in one transaction, and takes it into the trees.
    func commit(_ outcomes: [Outcome]) throws {
        guard !outcomes.isEmpty else { return }
        try environment.store.commitOutcomes(outcomes)
        changeCount += outcomes.count
        for outcome in outcomes {
            for path in outcome.removedLocal { trees.setLocal(nil, at: path) }
            for entry in outcome.local { trees.setLocal(entry, at: entry.path) }
            switch outcome.remote {
            case .unchanged: break
            case .saved(let row): trees.setRemote(row.entry, named: row.entry.name)
            case .deleted(let name): trees.setRemote(nil, named: name)
            }
            switch outcome.base {
            case .unchanged: break
            case .agreed(let entry, _): trees.setBase(entry, named: entry.name)
            case .removed(let name): trees.setBase(nil, named: name)
            }
        }
    }

    /// Notes that the folder was not as planned with, and has to be looked at.
    func superseded(_ action: Action) {
        owed.paths.insert(action.path)
        if case .moveFile(let target) = action.kind { owed.paths.insert(target) }
        for attachment in trees.local[action.path]?.form.attachments ?? [] { owed.paths.insert(attachment.path) }
        if let name = action.record { trees.markDirty(record: name) }
        trees.markDirty(path: action.path)
    }

    /// Keeps an action back until one of both sides changes; says why.
    func hold(_ action: Action, _ problem: Problem) {
        refusals[RefusedVersion(action)] = problem
    }

    /// Lets everything that was refused be tried again, as after a while or when asked to sync.
    func forgetRefusals() {
        guard !refusals.isEmpty else { return }
        refusals = [:]
    }

    func journal(_ action: String, by author: Author, path: FolderPath?, record: RecordName?) -> JournalEntry {
        JournalEntry(
            atMilliseconds: environment.clock.milliseconds, action: action, author: author, path: path, record: record)
    }
}
