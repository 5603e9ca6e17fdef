import FileCustody
import RecordTrees
import SyncModel

/// What the decisions are made of.
extension Planner {
    /// The three sides of one record, and the path of the file that was bound to it.
    /// - Parameters:
    ///   - moves: Where files of records are that were renamed.
    ///   - movedPaths: The same without the records.
    func view(
        of name: RecordName, moves: [RecordName: FolderPath], to movedPaths: Set<FolderPath>, in trees: SyncTrees,
        plan: inout Plan
    ) -> (view: RecordView, path: FolderPath?) {
        let (base, movedTo) = (trees.base[name], moves[name])
        let custody = base.map { trees.custody(of: $0.path, renamed: moves) }
        let own = custody?.ownHolder(name)
        let remotePath = trees.pathAfterSuccession(of: name)
        let remote = remotePath.map { RecordView.Remote(path: $0, changeTag: trees.remote[name]!.changeTag) }
        var view = RecordView(
            base: base.map { RecordView.Base(path: $0.path, changeTag: $0.changeTag, isPartial: $0.isPartial) },
            local: .absent, remote: remote)
        // Noted also where nothing can be done yet: what shows it may be gone by then.
        let isTakenOut = own.flatMap { custody?.isTakenOut($0) } ?? false
        if isTakenOut { plan.renewed[name] = .renewed }
        let renamed = base.flatMap { movedTo == nil ? custody?.renamedOver($0) : nil }
        let isPutOver =
            renamed != nil && !isTakenOut && base.map { ![.renewed, .yielded].contains($0.standing) } ?? false
        let candidate: FolderPath?
        if let own, movedTo == nil, let wait = custody?.wait(of: own) {
            // From its new place what it names may lead out of the folder: it fits no record until somebody mends it.
            if isPutOver, wait == .outgrown { plan.renewed[name] = .renewed }
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
                trees.local[path] != nil && (trees.isStray(path) || trees.custody(of: path).successor == name)
                    ? path : nil
            }
        }
        guard let path = candidate, let entry = trees.local[path] else {
            if let remote, trees.isTakenIn(name) { view.base?.changeTag = remote.changeTag }
            // Where the record's file would be read or written must have been looked at.
            let places = [base?.path, remotePath].compactMap { $0 }
            // Where the zone has it no more, what stands in its file's place keeps nothing from it.
            let isOver = remote == nil && base.map { isObstructed($0.path) } ?? false
            if !isOver, places.contains(where: isUnobserved) { view.local = .unobserved }
            return (view, nil)
        }
        guard !isUnreadable(path) else {
            view.local = .unobserved
            return (view, path)
        }
        // What is missing may be in the zone: it holds back what is sent, and nothing that is to be received.
        let recordType = trees.remote[name]?.recordType ?? base?.recordType
        let isMute = trees.isMute(entry.form, ofRecordOf: recordType)
        let isMerged = !isMute && remote != nil && !(base?.isCurrent(in: trees.remote[name]) ?? false)
        if isPutOver { plan.renewed[name] = .renewed }
        // What a record that is gone left as it was is nobody's edit of the one that follows it.
        let isTakenOver = base == nil && trees.custody(of: path).isTakenOverUntouched(by: name)
        let isEdited =
            base.map { base in
                // One that was leaving, and came back, a person has put there.
                renamed != nil || base.isRenewed || plan.renewed[name] != nil
                    || base.standing == .leaving && entry.stamp.file != base.file
                    || entry.isEdited(since: base, in: trees, besidesArrivals: remote == nil)
                    || isPutBack(entry, of: base, in: trees)
            } ?? !isTakenOver
        // Of a file that goes nothing is sent, whatever it is held for.
        let isDeletedThere = remote == nil && base?.path == path && !isEdited
        guard
            isMerged || isTakenOver || isDeletedThere
                || isReady(entry, isMute: isMute, in: trees, problems: &plan.problems)
        else {
            view.local = .held
            return (view, path)
        }
        view.local = .present(
            path: path, version: LocalVersion(stamp: entry.stamp, hash: entry.hash), isEdited: isEdited)
        if !isEdited, let base, path == base.path, trees.isShownTwice(name) { view.remote = nil }
        if let base, entry.isOvertaken(since: base, in: trees) { view.base?.isPartial = true }
        return (view, path)
    }

    /// Whether the file, as both sides agreed on it, is another one than what was sent of the record since: the zone may have
    /// that, and others may have changed or deleted it there, so that putting the file back is an edit as well.
    private func isPutBack(_ entry: LocalEntry, of base: BaseEntry, in trees: SyncTrees) -> Bool {
        !base.isUnchanged(in: trees.remote[base.name])
            && unanswered(base.name).contains { entry.isEdited(since: $0, in: trees) }
    }

    /// Whether a file can be synced as it is; says why where it cannot.
    /// - Parameter isMute: Whether it is known to belong to a record that it says nothing of.
    func isReady(
        _ entry: LocalEntry, isMute: Bool = false, in trees: SyncTrees, problems: inout [FolderPath: Problem]
    ) -> Bool {
        if let problem = isMute ? entry.form.problem : trees.problem(holding: entry) {
            problems[entry.path] = problem
            return false
        }
        for attachment in entry.form.attachments where trees.local[attachment.path] == nil {
            problems[entry.path] = .missingAsset(field: attachment.field, path: attachment.path, of: entry.path)
            return false
        }
        return true
    }
}

extension LocalEntry {
    /// Whether the file, or a file that it names as an asset, differs from what both sides agreed on.
    /// - Parameter besidesArrivals: Whether what came with another record is left out, which is no person's edit of this one. Where
    ///   the zone has the record still, it is to have that as well.
    func isEdited(since base: BaseEntry, in trees: SyncTrees, besidesArrivals: Bool = false) -> Bool {
        if hash != base.hash || stamp.executable(orAgreed: base.executable) != base.executable { return true }
        guard case .structured(_, let attachments) = form else { return false }
        guard attachments.count == base.assets.count else { return true }
        return attachments.contains { attachment in
            !base.assets.contains { asset in
                guard asset.field == attachment.field, asset.index == attachment.index else { return false }
                // What is to come yet nobody has edited.
                guard let file = trees.local[attachment.path] else { return base.isPartial }
                let isArrival = besidesArrivals && trees.provenance[asset.path].arrived == file.hash
                return file.hash == asset.hash
                    || attachment.path == asset.path && (isArrival || trees.isRemnant(over: asset))
            }
        }
    }

    /// Whether another record left its own version of a file that this one names: the zone's is to be received once more.
    func isOvertaken(since base: BaseEntry, in trees: SyncTrees) -> Bool {
        form.attachments.contains { attachment in
            base.assets.contains { asset in
                asset.field == attachment.field && asset.index == attachment.index && asset.path == attachment.path
                    && trees.isRemnant(over: asset)
            }
        }
    }
}

extension SyncTrees {
    fileprivate func isRemnant(over asset: AgreedAsset) -> Bool {
        provenance[asset.path].arrived != nil && custody(of: asset.path).isRemnant(over: asset)
    }
}

extension Problem {
    /// A structured file names an asset that is not there.
    static func missingAsset(field: String, path: FolderPath, of file: FolderPath) -> Problem {
        Problem(
            .missingAsset, message: "\(file): the field '\(field)' names \(path), which is not there.",
            remedy: "Put the file there, bring back what was there with `zonefolder restore`, or take the field out.")
    }
}
