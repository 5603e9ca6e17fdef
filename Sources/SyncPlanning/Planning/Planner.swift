import FileCustody
public import RecordTrees
public import SyncModel

/// Computes the plan from the three trees.
///
/// The plan is never stored: after every change of a tree, and after a crash, it is computed anew.
public struct Planner: Sendable {
    /// When deletions wait for a person's word.
    public var limit: MassDeletionLimit
    /// What a person let pass: all of a batch, or what is left of it.
    public var approved: ApprovedDeletions
    /// Records whose files may be where nobody can look: without them a deletion is no proof, and all wait for a person.
    public var doubtedRecords: Set<RecordName> = []
    /// Deletions of the last minutes that nobody was asked about, in the zone and in the folder.
    public var recentDeletions: (zone: Int, folder: Int) = (0, 0)
    /// The kinds of deletions of which a person was asked before, and has not answered. More files than then do not answer.
    public var asked: Set<Action.Kind> = []
    /// What was sent of a record without an answer, as both sides agree on it if the zone took it.
    public var unanswered: @Sendable (RecordName) -> [BaseEntry] = { _ in [] }
    let isUnobserved: @Sendable (FolderPath) -> Bool
    let isUnreadable: @Sendable (FolderPath) -> Bool
    let isObstructed: @Sendable (FolderPath) -> Bool

    /// - Parameters:
    ///   - limit: When deletions wait for a person's word.
    ///   - approved: What a person let pass.
    ///   - isUnobserved: Whether the folder's state at a path is unknown, because the path is ignored or could not be
    ///     read; never taken for absence.
    ///   - isUnreadable: Whether a file that was seen before cannot be read now; nothing is done with it until it can.
    ///   - isObstructed: Whether something else stands at a path or above it, such as a link: no file is there, and it may have
    ///     been renamed. Such a path is unobserved as well, for its record is not deleted by that.
    public init(
        limit: MassDeletionLimit = MassDeletionLimit(), approved: ApprovedDeletions = ApprovedDeletions(),
        isUnobserved: @escaping @Sendable (FolderPath) -> Bool,
        isUnreadable: @escaping @Sendable (FolderPath) -> Bool = { _ in false },
        isObstructed: @escaping @Sendable (FolderPath) -> Bool = { _ in false }
    ) {
        self.limit = limit
        self.approved = approved
        self.isUnobserved = isUnobserved
        self.isUnreadable = isUnreadable
        self.isObstructed = isObstructed
    }

    /// The actions that what is marked in the trees needs. Marks of what needs nothing are dropped.
    /// - Parameter passesOverAgreed: Whether what all sides say the same of is passed over. Planned, it would need nothing; a
    ///   simulation looks whether that is so.
    public func plan(_ trees: inout SyncTrees, passesOverAgreed: Bool = true) -> Plan {
        var plan = Plan()
        if passesOverAgreed { trees.unmarkAgreed() }
        let moves = MoveDetection(trees) { isUnobserved($0) && !isObstructed($0) }.moves()
        trees.noteMoves(moves)
        // What such a file names no more is known by its new place alone.
        for name in moves.keys { trees.markAssets(of: name) }
        let newcomers = planKnownFiles(of: &trees, in: &plan)
        noteRecordsNamingAgain(of: &trees, in: &plan)
        let records = planRecords(of: trees, moves: moves, in: &plan)
        let waiting = withhold(Set(newcomers.values), in: &plan)
        withholdForApproval(&plan, entries: trees.base.count)
        let settledPaths = planNewFiles(
            of: trees, moves: moves, boundPaths: records.boundPaths, newcomers: newcomers, waiting: waiting, in: &plan)
        trees.marks.remove(records: records.settled, paths: settledPaths)
        plan.actions = plan.actions.inOrder { path, name in
            trees.claims.places(of: name, beside: path).first { !trees.local.contains($0) }
        }
        return plan
    }

    /// Looks at the marked files that records know at other paths: where they came from is noted, and what is to be told of that.
    /// - Returns: Where records' own files are that the zone does not have there.
    private func planKnownFiles(of trees: inout SyncTrees, in plan: inout Plan) -> [FolderPath: RecordName] {
        var newcomers: [FolderPath: RecordName] = [:]
        for path in trees.pathsOfKnownFiles {
            trees.noteOrigin(at: path)
            let custody = trees.custody(of: path)
            newcomers[path] = custody.newcomer
            // Its old place may be seen to be empty only now, when the record of this one was looked at before.
            if let own = custody.ownHolder?.record, !own.isRenewed, custody.renamedOver(own) != nil {
                trees.markDirty(record: own.name)
            }
            if let name = custody.recordToRenew, trees.base[name]?.isRenewed == false {
                plan.renewed[name] = .renewedAsset
            }
        }
        trees.forgetSights()
        return newcomers
    }

    /// Notes the structured records that are to be sent anew although their texts are as both sides agreed on them.
    private func noteRecordsNamingAgain(of trees: inout SyncTrees, in plan: inout Plan) {
        for own in trees.dirtyRecords.compactMap({ trees.base[$0] }) where trees.isAttached(own.path) {
            let custody = trees.custody(of: own.path)
            guard let holder = custody.ownHolder(own.name), let name = custody.recordNamingAgain(holder),
                trees.base[name]?.isRenewed == false
            else { continue }
            plan.renewed[name] = .renewedAsset
            // Its own text has not changed.
            trees.markDirty(record: name)
        }
    }

    /// Plans for each marked record.
    /// - Parameter moves: Where files of records are that were renamed.
    /// - Returns: The records that need nothing, and the paths of the files that were looked at as records'.
    private func planRecords(
        of trees: SyncTrees, moves: [RecordName: FolderPath], in plan: inout Plan
    ) -> (settled: [RecordName], boundPaths: Set<FolderPath>) {
        let movedPaths = Set(moves.values)
        var boundPaths = movedPaths
        var settled: [RecordName] = []
        for name in trees.dirtyRecords {
            if let entry = trees.foundAttached(name) {
                plan.yielded[name] = entry
                continue
            }
            // Still marked: it is looked at again until the file is nobody's asset, or another one.
            if trees.isShadowed(name) { continue }
            let (view, path) = view(of: name, moves: moves, to: movedPaths, in: trees, plan: &plan)
            if let path { boundPaths.insert(path) }
            guard let decision = decide(view) else {
                // A file that was renamed and is held: what it is mended to is this record's, so look at it again.
                if moves[name] == nil || view.local != .held { settled.append(name) }
                continue
            }
            plan.actions.append(action(for: decision, on: name, view: view))
        }
        return (settled, boundPaths)
    }

    /// Takes those deletions of records out of the plan whose files went elsewhere: the zone has their bytes in these records
    /// alone, until it has them there.
    /// - Returns: The records that wait so.
    private func withhold(_ sources: Set<RecordName>, in plan: inout Plan) -> Set<RecordName> {
        let waiting = plan.deletedRecords.intersection(sources)
        plan.actions.removeAll { $0.kind == .deleteRecord && $0.record.map(waiting.contains) ?? false }
        return waiting
    }

    /// Plans for each marked path whose file is no record's yet.
    /// - Parameters:
    ///   - moves: Where files of records are that were renamed.
    ///   - boundPaths: Where files of records are.
    ///   - newcomers: Where files of records are that the zone does not have there.
    ///   - waiting: The records that would go if no file of theirs were on its way.
    /// - Returns: The paths that need nothing.
    private func planNewFiles(
        of trees: SyncTrees, moves: [RecordName: FolderPath], boundPaths: Set<FolderPath>,
        newcomers: [FolderPath: RecordName], waiting: Set<RecordName>, in plan: inout Plan
    ) -> [FolderPath] {
        let leaving = plan.deletedRecords
        var settled: [FolderPath] = []
        for path in trees.dirtyPaths {
            // What a broken or a missing file named stays its asset, until it is mended or its record goes.
            // One that waits for a file to be in the zone here would wait for that for ever.
            let isAwaited = newcomers[path] != nil
            let custody = trees.custody(of: path, renamed: moves)
            guard custody.silentHolders.allSatisfy({ leaving.contains($0) || isAwaited && waiting.contains($0) })
            else { continue }
            if !isAwaited, !custody.isAttached, custody.isOfPartialRecord(besides: leaving) { continue }
            if trees.isStray(path), !boundPaths.contains(path), !isUnreadable(path), let entry = trees.local[path],
                isReady(entry, in: trees, problems: &plan.problems)
            {
                plan.actions.append(
                    Action(
                        .createRecord, record: nil, path: path,
                        local: LocalVersion(stamp: entry.stamp, hash: entry.hash), changeTag: nil))
            } else if moves.isEmpty || !boundPaths.contains(path), !custody.isOwed {
                settled.append(path)
            }
        }
        return settled
    }

    private func action(for decision: Decision, on name: RecordName, view: RecordView) -> Action {
        var path = view.remote?.path ?? view.base?.path
        var version: LocalVersion?
        if case .present(let place, let seen, _) = view.local {
            path = place
            version = seen
        }
        return Action(
            decision.kind, record: name, path: path!, local: version, changeTag: view.remote?.changeTag,
            outlivesDeletion: decision.outlivesDeletion)
    }

    /// Takes deletions out of the plan that are too many to pass unasked.
    private func withholdForApproval(_ plan: inout Plan, entries: Int) {
        for (kind, recent) in [(Action.Kind.deleteRecord, recentDeletions.zone), (.deleteFile, recentDeletions.folder)]
        {
            let deletions = plan.actions.filter { $0.kind == kind }
            // A folder that was emptied looks like one whose disk is gone.
            let isEmptied = kind == .deleteRecord && deletions.count == entries && entries > 1
            let isDoubted =
                kind == .deleteRecord
                && deletions.contains { $0.record.map { doubtedRecords.contains($0) } ?? false }
            let isMany =
                isEmptied || asked.contains(kind)
                || limit.needsApproval(deletions: deletions.count, recent: recent, of: entries)
            guard isMany || isDoubted, !deletions.isEmpty, !approved.cover(deletions) else { continue }
            if isMany { plan.asked.insert(kind) }
            plan.actions.removeAll { $0.kind == kind }
            plan.awaitingApproval += deletions.sorted { $0.path < $1.path }
        }
    }
}

extension Plan {
    fileprivate var deletedRecords: Set<RecordName> {
        Set(actions.lazy.filter { $0.kind == .deleteRecord }.compactMap(\.record))
    }
}
