import CloudKitClient
import CloudKitWire
import FolderKnowledge
import LocalFolder
import ProblemSentences
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming

/// What waits for a person: kept in the store so that `status` tells it also while no daemon runs.
extension FolderSession {
    /// Everything that is held now, and why.
    var problems: [HeldProblem.Subject: Problem] {
        var problems: [HeldProblem.Subject: Problem] = [:]
        for (path, problem) in unobserved.problems(in: knowledge.trees) { problems[.path(path)] = problem }
        for (path, problem) in heldFiles.problems { problems[.path(path)] = problem }
        for (path, problem) in unobserved.obstacles(in: knowledge.trees) { problems[.path(path)] = problem }
        for action in lastPlan.actions {
            guard let refusal = refusals[action], !refusal.isOnItsWay else { continue }
            problems[.path(action.path)] = refusal.problem
        }
        for held in readOnlyProblems { problems[.path(held.path)] = held.problem }
        if let problem = rules.problem { problems[.path(FolderPath(IgnoreRules.fileName)!)] = problem }
        if let problem = rootProblem ?? stateProblem ?? trouble.problem {
            problems[.folder] = problem
        }
        if let problem = zoneLossProblem { problems[.folder] = problem }
        return problems
    }

    private var zoneLossProblem: Problem? {
        switch knowledge.zoneFacts.loss {
        // Of one that is not shared now, the request for it says so.
        case .replaced where knowledge.zoneFacts.created || !isShared:
            .zoneVanished(knowledge.zoneID.zoneName, batch: Self.zoneLossBatch)
        case .reconfigured where knowledge.zoneFacts.created || !isShared:
            .zoneChanged(knowledge.zoneID.zoneName, batch: Self.zoneLossBatch)
        case .left where !knowledge.zoneFacts.created: .zoneLeft(knowledge.zoneID)
        case nil, .missing, .left, .replaced, .reconfigured: nil
        }
    }

    /// Stores problems and batches that wait, where they changed.
    func storeAttention() throws {
        heldFiles.take(lastPlan.problems, in: knowledge.trees)
        try storedAttention.store(problems) {
            try environment.store.replaceProblems(with: $0, now: environment.clock.milliseconds)
        }
        try storedAttention.store(waitingBatches) { try environment.store.replaceHeldBatches(with: $0) }
    }

    /// The batches of deletions that wait for a person's word, by their names.
    var waitingBatches: [HeldBatch] {
        var batches: [HeldBatch] = []
        for kind in [Action.Kind.deleteRecord, .deleteFile] where kind == .deleteFile || !isReadOnly {
            let deletions = lastPlan.awaitingApproval.filter { $0.kind == kind }
            guard !deletions.isEmpty else { continue }
            let place = kind == .deleteFile ? "in this folder" : "in the zone"
            batches.append(
                HeldBatch(
                    id: batchName(of: deletions), code: kind == .deleteFile ? "folder" : "zone",
                    message: "\(deletions.count) files would be deleted \(place).", count: deletions.count,
                    sinceMilliseconds: environment.clock.milliseconds))
        }
        return batches
    }

    static let zoneLossBatch = "zone"

    /// Lets a batch pass; `false` where no such batch waits.
    func approve(_ batch: String) throws -> Bool {
        if batch == Self.zoneLossBatch, isZoneInQuestion {
            try knowledge.settleLoss()
            return true
        }
        guard waitingBatches.contains(where: { $0.id == batch }) else { return false }
        deletionMemory.approve(batch)
        _ = try environment.store.approveBatch(batch, now: environment.clock.milliseconds)
        for action in lastPlan.awaitingApproval {
            if let name = action.record { knowledge.mark(name) }
        }
        return true
    }
}

extension Problem {
    static func zoneVanished(_ zone: String, batch: String) -> Problem {
        Problem(
            .zoneVanished,
            message:
                "The zone '\(zone)' was deleted on the server, and nobody has filled it again. All files are kept, none "
                + "is sent again.",
            remedy:
                "Run `zonefolder approve \(batch)` to fill the zone from this folder; where another device fills it, "
                + "it goes on by itself.")
    }

    static func zoneLeft(_ zone: ZoneID) -> Problem {
        Problem(
            .zoneLeft,
            message:
                "This account left the zone '\(zone.zoneName)' of \(zone.ownerRecordName ?? "its owner"). All files are "
                + "kept, nothing is sent or received.",
            remedy:
                "To take part again, run `zonefolder accept` with the short GUID of the share; it goes on by itself then."
        )
    }

    static func zoneChanged(_ zone: String, batch: String) -> Problem {
        Problem(
            .zoneChanged,
            message:
                "By config.toml this folder is '\(zone)' now, another zone than before or one elsewhere. All files are "
                + "kept, none is sent there.",
            remedy:
                "Run `zonefolder approve \(batch)` to make this folder and that zone the same: each gets what the other has."
        )
    }
}
