import CloudKitWire
import FolderKnowledge
import FolderObserving
import LocalFolder
import Logging
import ProblemSentences
import RecordTrees
import SessionCore
import StateRows
import StateStorage
import SyncActions
import SyncModel
import SyncPlanning
import SyncTiming

/// What waits for a person: kept in the store so that `status` tells it also while no daemon runs.
final class Attention {
    let environment: SessionEnvironment
    let logger: Logger
    let knowledge: Knowledge
    let setbacks: Setbacks
    let observer: FolderObserver
    let committer: Committer
    let work: PlannedWork
    private let heldFiles = HeldFiles()
    private let stored = StoredAttention()
    let othersRules = OthersRules()
    /// Why what is seen and done cannot be stored.
    private(set) var stateProblem: Problem?

    /// Nothing waits for a person yet, as far as is known.
    init(
        _ environment: SessionEnvironment, knowledge: Knowledge, setbacks: Setbacks, observer: FolderObserver,
        committer: Committer, work: PlannedWork, logger: Logger
    ) {
        (self.environment, self.knowledge, self.setbacks) = (environment, knowledge, setbacks)
        (self.observer, self.committer, self.work, self.logger) = (observer, committer, work, logger)
    }

    /// Notes whether what is seen and done can be stored.
    func note(stateProblem problem: Problem?) { stateProblem = problem }

    /// Nothing waits: what did, was of another zone.
    func beginAnew() {
        heldFiles.forgetAll()
        stored.forgetAll()
    }

    /// Everything that is held now, and why.
    var problems: [HeldProblem.Subject: Problem] {
        var problems: [HeldProblem.Subject: Problem] = [:]
        for (path, problem) in observer.unobserved.problems(in: knowledge.trees) { problems[.path(path)] = problem }
        for (path, problem) in explained(heldFiles.problems) { problems[.path(path)] = problem }
        for (path, text) in knowledge.trees.filesNamedByAssetsAlone {
            problems[.path(path)] = .assetOfAsset(path, namedBy: text)
        }
        for (path, problem) in observer.unobserved.obstacles(in: knowledge.trees) { problems[.path(path)] = problem }
        for (path, problem) in setbacks.problems(of: work.last.actions) { problems[.path(path)] = problem }
        for held in readOnlyProblems { problems[.path(held.path)] = held.problem }
        for (path, problem) in rulesProblems { problems[.path(path)] = problem }
        if let problem = observer.rules.problem { problems[.path(.ignoreFile)] = problem }
        if let problem = observer.rootProblem ?? stateProblem ?? setbacks.trouble.problem {
            problems[.folder] = problem
        }
        if let problem = zoneLossProblem { problems[.folder] = problem }
        return problems
    }

    private var zoneLossProblem: Problem? {
        switch knowledge.zoneFacts.loss {
        // Of one that is not shared now, the request for it says so.
        case .replaced where knowledge.zoneFacts.created || !knowledge.isShared:
            knowledge.isShared
                ? .sharedZoneEmptied(knowledge.zoneID)
                : .zoneVanished(knowledge.zoneID.zoneName, batch: Self.zoneLossBatch)
        case .reconfigured where knowledge.zoneFacts.created || !knowledge.isShared:
            .zoneChanged(knowledge.zoneID.zoneName, batch: Self.zoneLossBatch)
        case .left where !knowledge.zoneFacts.created: .zoneLeft(knowledge.zoneID)
        case nil, .missing, .left, .replaced, .reconfigured: nil
        }
    }

    /// What is held because nothing may be changed in the zone.
    var readOnlyProblems: [(path: FolderPath, problem: Problem)] {
        guard knowledge.isReadOnly else { return [] }
        return (work.last.actions + work.last.awaitingApproval).filter(\.isSending).map {
            ($0.path, .notWritable($0.path, zone: knowledge.zoneID.zoneName, isDeletion: $0.kind == .deleteRecord))
        }
    }

    /// Stores problems and batches that wait, where they changed.
    func store() throws {
        heldFiles.take(work.last.problems, in: knowledge.trees)
        try lookAtOthersRules()
        try stored.store(problems) {
            try environment.store.replaceProblems(with: $0, now: environment.clock.milliseconds)
        }
        // Which deletions wait is known by a plan; what was asked before the start is in the store until then.
        guard work.hasPlanned else { return }
        try stored.store(waitingBatches) { try environment.store.replaceBatchesAwaitingApproval(with: $0) }
    }

    /// The batches of deletions that wait for a person's word, by their names.
    var waitingBatches: [BatchAwaitingApproval] {
        var batches: [BatchAwaitingApproval] = []
        for kind in [Action.Kind.deleteRecord, .deleteFile] where kind == .deleteFile || !knowledge.isReadOnly {
            let deletions = work.last.awaitingApproval.filter { $0.kind == kind }
            guard !deletions.isEmpty else { continue }
            let place = kind == .deleteFile ? "in this folder" : "in the zone"
            batches.append(
                BatchAwaitingApproval(
                    id: batchName(of: deletions),
                    code: BatchAwaitingApproval.code(of: kind, isAsked: work.last.asked.contains(kind)),
                    message: "\(deletions.count) \(deletions.count == 1 ? "file" : "files") would be deleted \(place).",
                    count: deletions.count,
                    sinceMilliseconds: environment.clock.milliseconds))
        }
        return batches
    }

    static let zoneLossBatch = "zone"

    /// Lets a batch pass; `false` where no such batch waits.
    func approve(_ batch: String) throws -> Bool {
        if batch == Self.zoneLossBatch, knowledge.isZoneInQuestion {
            try knowledge.endLoss()
            return true
        }
        guard let kind = waitingBatches.first(where: { $0.id == batch }).map(\.deletionKind) else { return false }
        let deletions = work.last.awaitingApproval.filter { $0.kind == kind }
        let approved = ApprovedDeletions(of: deletions)
        // Stored first: a word that was given is not asked for again.
        try environment.store.approve(approved, asBatch: batch, now: environment.clock.milliseconds)
        work.deletions.approve(approved)
        for action in deletions {
            if let name = action.record { knowledge.mark(name) }
        }
        return true
    }
}
