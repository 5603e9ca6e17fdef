public import SyncModel

/// Computes the plan from the three trees.
///
/// The plan is never stored: after every change of a tree, and after a crash, it is computed anew.
public struct Planner: Sendable {
    /// When deletions wait for a person's word.
    public var limit: MassDeletionLimit
    /// The batch of deletions that a person approved, by ``batchName(of:)``.
    public var approvedBatches: Set<String>
    /// Records whose files may be where nobody can look: without them a deletion is no proof, and all wait for a person.
    public var doubtedRecords: Set<RecordName> = []
    /// Deletions of the last minutes that nobody was asked about, in the zone and in the folder.
    public var recentDeletions: (zone: Int, folder: Int) = (0, 0)
    private let isUnobserved: @Sendable (FolderPath) -> Bool
    private let isUnreadable: @Sendable (FolderPath) -> Bool

    /// - Parameters:
    ///   - limit: When deletions wait for a person's word.
    ///   - approvedBatches: The names of the batches of deletions that may pass.
    ///   - isUnobserved: Whether the folder's state at a path is unknown, because the path is ignored or could not be
    ///     read; never taken for absence.
    ///   - isUnreadable: Whether a file that was seen before cannot be read now; nothing is done with it until it can.
    public init(
        limit: MassDeletionLimit = MassDeletionLimit(), approvedBatches: Set<String> = [],
        isUnobserved: @escaping @Sendable (FolderPath) -> Bool,
        isUnreadable: @escaping @Sendable (FolderPath) -> Bool = { _ in false }
    ) {
        self.limit = limit
        self.approvedBatches = approvedBatches
        self.isUnobserved = isUnobserved
        self.isUnreadable = isUnreadable
    }

    /// The actions that what is marked in the trees needs. Marks of what needs nothing are dropped.
    public func plan(_ trees: inout SyncTrees) -> Plan {
        var plan = Plan()
        var settledRecords: [RecordName] = []
        var settledPaths: [FolderPath] = []
        let moves = MoveDetection(trees, isUnobserved: isUnobserved).moves()
        // What such a file names no more is known by its new place alone.
        for name in moves.keys { trees.markAssets(of: name) }
        let movedPaths = Set(moves.values)
        var boundPaths = movedPaths
        // Theirs is the only place where the zone has the bytes.
        var arriving: Set<RecordName> = []
        for path in trees.dirtyPaths {
            if let name = trees.newcomer(at: path) { arriving.insert(name) }
        }

        for name in trees.dirtyRecords {
            // Still marked: it is looked at again until the file is nobody's asset, or another one.
            if trees.isShadowed(name) { continue }
            let (view, path) = view(
                of: name, moves: moves, to: movedPaths, in: trees, plan: &plan)
            if let path { boundPaths.insert(path) }
            guard let decision = decide(view) else {
                // A file that was renamed and is held: what it is mended to is this record's, so look at it again.
                if moves[name] == nil || view.local != .held { settledRecords.append(name) }
                continue
            }
            plan.actions.append(action(for: decision, on: name, view: view))
        }
        let deletions = Set(plan.actions.lazy.filter { $0.kind == .deleteRecord }.compactMap(\.record))
        let waiting = deletions.intersection(arriving)
        plan.actions.removeAll { $0.kind == .deleteRecord && $0.record.map(waiting.contains) ?? false }
        hold(&plan, entries: trees.base.count)
        let leaving = Set(plan.actions.lazy.filter { $0.kind == .deleteRecord }.compactMap(\.record))
        for path in trees.dirtyPaths {
            // What a broken or a missing file named stays its asset, until it is mended or its record goes.
            // One that waits for a file to be in the zone here would wait for that for ever.
            let isAwaited = trees.newcomer(at: path) != nil
            guard
                trees.silentOwners(of: path, renamed: moves).allSatisfy({
                    leaving.contains($0) || isAwaited && waiting.contains($0)
                })
            else { continue }
            if trees.isStray(path), !boundPaths.contains(path), !isUnreadable(path), let entry = trees.local[path],
                isReady(entry, in: trees, problems: &plan.problems)
            {
                plan.actions.append(
                    Action(
                        .createRecord, record: nil, path: path,
                        local: LocalVersion(stamp: entry.stamp, hash: entry.hash), changeTag: nil))
            } else if moves.isEmpty || !boundPaths.contains(path), !trees.owesStranger(at: path) {
                settledPaths.append(path)
            }
        }
        trees.settle(records: settledRecords, paths: settledPaths)
        plan.actions = order(plan.actions) { path, name in
            trees.claims.places(of: name, beside: path).first { trees.local[$0] == nil }
        }
        return plan
    }

    /// The three sides of one record, and the path of the file that was bound to it.
    /// - Parameters:
    ///   - moves: Where files of records are that were renamed.
    ///   - movedPaths: The same without the records.
    private func view(
        of name: RecordName, moves: [RecordName: FolderPath], to movedPaths: Set<FolderPath>, in trees: SyncTrees,
        plan: inout Plan
    ) -> (view: RecordView, path: FolderPath?) {
        let (base, movedTo) = (trees.base[name], moves[name])
        let remotePath = trees.pathAfterSuccession(of: name)
        let remote = remotePath.map { RecordView.Remote(path: $0, changeTag: trees.remote[name]!.changeTag) }
        var view = RecordView(
            base: base.map { RecordView.Base(path: $0.path, changeTag: $0.changeTag) }, local: .absent, remote: remote)
        // Noted also where nothing can be done yet: what shows it may be gone by then.
        let isTakenOut = base.map { trees.isTakenOut($0, renamed: moves) } ?? false
        if isTakenOut { plan.renewed.append(name) }
        let candidate: FolderPath?
        if let base, movedTo == nil,
            trees.isPromised(base) || trees.isOutgrown(base) || trees.isUndecided(base, renamed: moves)
        {
            // Its record goes once another one has the bytes, or stays: until then it is the only one.
            view.local = .unobserved
            return (view, nil)
        } else if let base {
            candidate = movedTo ?? (trees.isBound(base) ? base.path : nil)
        } else if let path = remotePath, movedPaths.contains(path) {
            // Another record's file was renamed to here: who has the path is known once its new path is in the zone.
            view.local = .unobserved
            return (view, nil)
        } else {
            candidate = remotePath.flatMap { path in
                trees.local[path] != nil && trees.isStray(path) ? path : nil
            }
        }
        guard let path = candidate, let entry = trees.local[path] else {
            // Where the record's file would be read or written must have been looked at.
            let places = [base?.path, remotePath].compactMap { $0 }
            if places.contains(where: isUnobserved) { view.local = .unobserved }
            return (view, nil)
        }
        guard !isUnreadable(path) else {
            view.local = .unobserved
            return (view, path)
        }
        // What is missing may be in the zone: it holds back what is sent, and nothing that is to be received.
        let isMerged = !entry.form.isHeld && remote != nil && remote?.changeTag != base?.changeTag
        let isRenamedOver = base.map { movedTo == nil && trees.isRenamedOver($0, by: entry) } ?? false
        if isRenamedOver, !isTakenOut, [.agreed, .confirmed].contains(base?.standing) { plan.renewed.append(name) }
        guard isMerged || isReady(entry, in: trees, problems: &plan.problems) else {
            view.local = .held
            return (view, path)
        }
        let isEdited =
            base.map { base in
                isTakenOut || isRenamedOver || base.isRenewed || entry.isEdited(since: base, in: trees)
            } ?? true
        view.local = .present(
            path: path, version: LocalVersion(stamp: entry.stamp, hash: entry.hash), isEdited: isEdited)
        if !isEdited, let base, path == base.path, trees.isShownTwice(base) { view.remote = nil }
        return (view, path)
    }

    /// Whether a file can be synced as it is; says why where it cannot.
    private func isReady(
        _ entry: LocalEntry, in trees: SyncTrees, problems: inout [FolderPath: Problem]
    ) -> Bool {
        if case .held(let problem) = entry.form {
            problems[entry.path] = problem
            return false
        }
        for attachment in entry.form.attachments where trees.local[attachment.path] == nil {
            problems[entry.path] = .missingAsset(field: attachment.field, path: attachment.path, of: entry.path)
            return false
        }
        return true
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
    private func hold(_ plan: inout Plan, entries: Int) {
        for (kind, recent) in [(Action.Kind.deleteRecord, recentDeletions.zone), (.deleteFile, recentDeletions.folder)]
        {
            let deletions = plan.actions.filter { $0.kind == kind }
            // A folder that was emptied looks like one whose disk is gone.
            let isEmptied = kind == .deleteRecord && deletions.count == entries && entries > 1
            let isDoubted =
                kind == .deleteRecord
                && deletions.contains { $0.record.map { doubtedRecords.contains($0) } ?? false }
            guard isEmptied || isDoubted || limit.holds(deletions: deletions.count, recent: recent, of: entries),
                !deletions.isEmpty, !approvedBatches.contains(batchName(of: deletions))
            else { continue }
            plan.actions.removeAll { $0.kind == kind }
            plan.awaitingApproval += deletions.sorted { $0.path < $1.path }
        }
    }

    private func order(
        _ actions: [Action], steppingAside: (FolderPath, RecordName) -> FolderPath?
    ) -> [Action] {
        let sorted = actions.sorted {
            ($0.rank, $0.path, $0.record?.rawValue ?? "") < ($1.rank, $1.path, $1.record?.rawValue ?? "")
        }
        let moves = sorted.filter { if case .moveFile = $0.kind { true } else { false } }
        return sorted.filter { $0.rank < Action.moveRank } + ordered(moves: moves, steppingAside: steppingAside)
            + sorted.filter { $0.rank > Action.moveRank }
    }
}

extension Action {
    fileprivate static let moveRank = 1

    /// Creations and moves come before what may depend on them, deletions last.
    fileprivate var rank: Int {
        switch kind {
        case .forget: 0
        case .moveFile: Self.moveRank
        case .writeFile, .reconcile: 2
        case .createRecord: 3
        case .updateRecord: 4
        case .deleteRecord: 5
        case .deleteFile: 6
        }
    }
}

extension LocalEntry {
    /// Whether the file, or a file that it names as an asset, differs from what both sides agreed on.
    func isEdited(since base: BaseEntry, in trees: SyncTrees) -> Bool {
        if hash != base.hash || executable != base.executable { return true }
        guard case .structured(_, let attachments) = form else { return false }
        guard attachments.count == base.assets.count else { return true }
        return attachments.contains { attachment in
            !base.assets.contains { asset in
                asset.field == attachment.field && asset.index == attachment.index
                    && trees.local[attachment.path]?.hash == asset.hash
            }
        }
    }
}

extension Problem {
    /// A structured file names an asset that is not there.
    static func missingAsset(field: String, path: FolderPath, of file: FolderPath) -> Problem {
        Problem(
            .missingAsset, message: "\(file): the field '\(field)' names \(path), which is not there.",
            remedy: "Put the file there, or take the field out.")
    }
}
