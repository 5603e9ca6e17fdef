public import FolderSettings
import GRDB
public import StateRows
public import SyncModel

/// What waits for a person: problems, conflicts and held batches.
extension StateStore {
    // MARK: Problems

    /// What is held and why, ordered by subject.
    public func problems() throws(StateError) -> [HeldProblem] {
        try read { db in try ProblemTable.all(db) }
    }

    /// Remembers new problems and forgets mended ones; an old problem keeps its time.
    /// - Parameter now: Milliseconds since 1970.
    public func updateProblems(
        set problems: [HeldProblem.Subject: Problem] = [:], clear: [HeldProblem.Subject] = [], now: Int64
    ) throws(StateError) {
        guard !problems.isEmpty || !clear.isEmpty else { return }
        try write(.ordered) { db in
            for subject in clear { try ProblemTable.remove(subject, db) }
            for (subject, problem) in problems { try ProblemTable.put(problem, subject, now: now, db) }
        }
    }

    /// Makes the given problems all that there are; an old problem keeps its time.
    /// - Parameter now: Milliseconds since 1970.
    public func replaceProblems(
        with problems: [HeldProblem.Subject: Problem], now: Int64
    ) throws(StateError) {
        try write(.ordered) { db in
            for known in try ProblemTable.all(db) where problems[known.subject] == nil {
                try ProblemTable.remove(known.subject, db)
            }
            for (subject, problem) in problems { try ProblemTable.put(problem, subject, now: now, db) }
        }
    }

    // MARK: Conflicts

    /// The conflict copies that are not settled, oldest first.
    public func conflicts() throws(StateError) -> [ConflictRow] {
        try read { db in try ConflictTable.all(db) }
    }

    /// Remembers a conflict copy that is durable in the folder.
    public func addConflict(_ conflict: ConflictRow) throws(StateError) {
        try write(.durable) { db in try ConflictTable.put(conflict, db) }
    }

    /// Forgets a conflict copy that was settled, or that a person deleted.
    public func removeConflict(copy: FolderPath) throws(StateError) {
        try write(.durable) { db in try ConflictTable.remove(copy, db) }
    }

    /// The copy of a file that already holds these bytes, so that none is made twice.
    public func conflict(of original: FolderPath, hash: ContentHash) throws(StateError) -> ConflictRow? {
        try read { db in
            try ConflictTable.all(db).first { $0.original == original && $0.hash == hash }
        }
    }

    // MARK: Held batches

    /// The batches that wait for a word, or have it and are not done.
    public func batchesAwaitingApproval() throws(StateError) -> [BatchAwaitingApproval] {
        try read { db in try BatchTable.all(db) }
    }

    /// Makes the given batches all that there are; a batch that is already known keeps its time and its approval. One that takes
    /// the place of another of its kind, on which there was no word, has waited as long as that.
    public func replaceBatchesAwaitingApproval(with batches: [BatchAwaitingApproval]) throws(StateError) {
        try write(.durable) { db in
            let known = try BatchTable.all(db)
            for batch in known where !batches.contains(where: { $0.id == batch.id }) {
                try BatchTable.remove(batch.id, db)
            }
            for batch in batches {
                guard let old = known.first(where: { $0.id == batch.id }) else {
                    let earlier = known.filter {
                        $0.deletionKind == batch.deletionKind && $0.approvedMilliseconds == nil
                    }
                    var batch = batch
                    batch.sinceMilliseconds = earlier.reduce(batch.sinceMilliseconds) { min($0, $1.sinceMilliseconds) }
                    try BatchTable.put(batch, db)
                    continue
                }
                if old.code != batch.code { try BatchTable.setCode(batch.code, of: batch.id, db) }
            }
        }
    }

    /// What a person let pass and is not done.
    public func approvedDeletions() throws(StateError) -> ApprovedDeletions {
        try read { db in try ApprovalTable.all(db) }
    }

    /// Remembers a person's word, until it is done or not to be done any more.
    /// - Parameters:
    ///   - id: The batch that it was given for.
    ///   - now: Milliseconds since 1970.
    public func approve(_ deletions: ApprovedDeletions, asBatch id: String, now: Int64) throws(StateError) {
        try write(.durable) { db in
            try BatchTable.approve(id, now: now, db)
            try ApprovalTable.add(deletions, db)
        }
    }

    /// Forgets what was approved and is done, or not to be done any more.
    public func forgetApprovals(of deletions: ApprovedDeletions) throws(StateError) {
        try write(.durable) { db in try ApprovalTable.remove(deletions, db) }
    }

    /// The deletions of late that nobody was asked about, oldest first.
    public func recentDeletions() throws(StateError) -> [RecentDeletions] {
        try read { db in try DeletionTable.all(db) }
    }

    /// Makes the given deletions all that count as of late.
    public func replaceRecentDeletions(with deletions: [RecentDeletions]) throws(StateError) {
        try write(.ordered) { db in try DeletionTable.replace(with: deletions, db) }
    }
}
