import FileCustody
import FolderKnowledge
import FolderObserving
import FolderWriting
import LocalFolder
import Logging
import ProblemSentences
import RecordMapping
import RecordPaths
import RecordSending
import RecordTrees
import SessionCore
import StateRows
package import SyncModel

/// Renames in the folder.
extension Importer {
    /// Changes whose directories are synced, and whose outcomes are stored, together.
    private static let chunk = 200

    /// Moves files to where their records are now.
    package func move(_ actions: [Action]) throws {
        var moves: [(action: Action, target: FolderPath)] = []
        for action in actions { if case .moveFile(let target) = action.kind { moves.append((action, target)) } }
        var spellings = Spellings(leaving: Set(moves.map(\.action.path)))
        defer { observer.looks.owe(spellings.paths) }
        while !moves.isEmpty {
            try noteMoved(moves)
            try together(moves) { try move($0.action, to: $0.target, spellings: &spellings, in: $1) }
            moves = spellings.takeWaiting { name, path in
                knowledge.trees.claims.places(of: name, beside: path).first { !knowledge.trees.local.contains($0) }
            }
        }
        try forgetWritten()
    }

    /// Makes changes in the folder, and stores what came of them once it is durable.
    func together<Change>(_ changes: [Change], _ make: (Change, WriteBatch) throws -> Outcome?) throws {
        for start in stride(from: 0, to: changes.count, by: Self.chunk) {
            let batch = WriteBatch()
            var outcomes: [Outcome] = []
            for change in changes[start..<min(start + Self.chunk, changes.count)] {
                if let outcome = try make(change, batch) { outcomes.append(outcome) }
            }
            try batch.finish()
            try committer.commit(received: outcomes)
        }
    }

    /// Moves a file, and the assets that go with it, to where its record is now; `nil` where that was not possible.
    private func move(
        _ action: Action, to target: FolderPath, spellings: inout Spellings, in batch: WriteBatch
    ) throws -> Outcome? {
        guard let name = action.record, let version = action.local, var base = knowledge.trees.base[name],
            let entry = knowledge.trees.local[action.path]
        else {
            observer.superseded(action)
            return nil
        }
        var outcome = Outcome()
        do throws(FolderError) {
            var moved = LocalFile(path: target, stamp: version.stamp, hash: version.hash, isSettled: true)
            if target != action.path {
                if let (reason, place) = try respell(onTheWayTo: target, &spellings, in: batch) {
                    setbacks.hold(action, .blocked(target, reason), at: place)
                    return nil
                }
                switch try environment.writer.move(
                    spellings.place(of: action.path), to: target, expecting: version.stamp, version.hash, batch: batch)
                {
                case .done(let file): moved = file
                case .superseded(.exists, nil) where isHeld(at: target):
                    setbacks.hold(action, .heldInPlace(action.path, target), at: target)
                    return nil
                case .superseded(_, let copy):
                    observer.superseded(action)
                    note(copy, of: action.path, name, version)
                    return nil
                case .blocked(let reason):
                    if let other = reason.otherFile, spellings.wait(action, to: target, for: other) { return nil }
                    setbacks.hold(action, .blocked(target, reason), at: reason.otherFile ?? target)
                    return nil
                }
                outcome.removedLocal.append(action.path)
                outcome.local.append(
                    LocalEntry(
                        path: target, stamp: moved.stamp, hash: moved.hash, form: entry.form,
                        isSettled: moved.isSettled))
                if !moved.isSettled { observer.lookAgain(at: target, isUnsettled: true) }
            }
            base.path = target
            base.file = moved.stamp.file
            // Of a file that was edited meanwhile it is not when the agreed bytes were written.
            if moved.hash == base.hash { base.modified = moved.stamp.modified }
        } catch {
            setbacks.hold(action, .cannotWrite(target, error))
            return nil
        }
        if base.recordType == knowledge.fileType {
            for index in base.assets.indices { base.assets[index].path = target }
            // Nobody may have asked what its bytes would fit where it was.
            for index in outcome.local.indices {
                let moved = LocalFile(outcome.local[index])
                let isAgreed = moved.hash == base.hash
                outcome.local[index].form =
                    try observer.forms.form(of: moved, agreedOn: isAgreed ? base.recordType : nil) ?? .file
            }
        }
        // Assets lie relative to the file that names them; what this device edited or added goes along as it is. What stays
        // behind is copied, and what has the name of its file in its own is named anew, as the record is received once more.
        if base.recordType != knowledge.fileType,
            base.assets.contains(where: { isNamed($0, otherThanBeside: target) })
        {
            base.isPartial = true
        }
        for path in Set(entry.form.attachments.map(\.path)).sorted() {
            let place = relocated(path, from: action.path, to: target)
            if place == path { continue }
            guard let place, knowledge.trees.custody(of: path).belongsOnly(to: name, at: action.path),
                let local = knowledge.trees.local[path],
                case .done(let file)? = try? environment.writer.move(
                    spellings.place(of: path), to: place, expecting: local.stamp, local.hash, batch: batch)
            else {
                base.isPartial = true
                continue
            }
            for index in base.assets.indices where base.assets[index].path == path { base.assets[index].path = place }
            outcome.removedLocal.append(path)
            outcome.local.append(
                LocalEntry(path: place, stamp: file.stamp, hash: file.hash, form: .file, isSettled: file.isSettled))
            if !file.isSettled { observer.lookAgain(at: place, isUnsettled: true) }
        }
        if case .structured(let type, let attachments) = entry.form, target != action.path {
            let moved = attachments.map { attachment in
                SyncModel.Attachment(
                    field: attachment.field, index: attachment.index,
                    path: relocated(attachment.path, from: action.path, to: target) ?? attachment.path)
            }
            if let index = outcome.local.firstIndex(where: { $0.path == target }) {
                outcome.local[index].form = .structured(recordType: type, attachments: moved)
            }
        }
        outcome.base = .agreed(base, document: try knowledge.baseDocument(of: name))
        let modified = try knowledge.remoteRow(named: name)?.modifiedBy
        outcome.change = committer.journal(
            JournalEntry.moved, by: knowledge.author(user: modified?.user, device: modified?.device), path: target,
            record: name)
        return outcome
    }

    /// Whether a file stands there that cannot be synced itself: it makes no room by itself.
    private func isHeld(at path: FolderPath) -> Bool {
        guard let entry = knowledge.trees.local[path] else { return false }
        return knowledge.trees.problem(holding: entry) != nil
            || entry.form.attachments.contains { knowledge.trees.local[$0.path] == nil }
            || knowledge.trees.baseRecord(at: path) == nil && setbacks.problems(of: work.last.actions)[path] != nil
    }

    /// Remembers a copy that was made because a file could not go back to its place.
    func note(_ copy: FolderPath?, of path: FolderPath, _ name: RecordName, _ version: LocalVersion) {
        guard let copy else { return }
        do {
            try conflictCopies.note(copy, of: path, record: name, fields: [], hash: version.hash, modified: nil)
        } catch {
            logger.error(
                "A conflict copy could not be noted; the next look at the whole folder finds it",
                metadata: ["path": "\(path)", "copy": "\(copy)", "error": "\(error)"])
        }
    }

    /// Whether an asset is called as one without a name of its own is, and would be called otherwise beside this file.
    private func isNamed(_ asset: AgreedAsset, otherThanBeside file: FolderPath) -> Bool {
        AssetNaming.path(of: asset.path, field: asset.field, index: asset.index, beside: file)
            .map { $0.name != asset.path.name } ?? false
    }

    /// Notes which assets of a note have gone along already, where the process ended before that was stored.
    func noteRelocated(_ entry: inout BaseEntry, from old: FolderPath) {
        let trees = knowledge.trees
        for index in entry.assets.indices where !trees.local.contains(entry.assets[index].path) {
            guard let place = relocated(entry.assets[index].path, from: old, to: entry.path),
                trees.local[place]?.hash == entry.assets[index].hash
            else { continue }
            entry.assets[index].path = place
        }
    }

    /// Where a file lies that is named relative to another one, when that one moves; `nil` where that is nowhere.
    private func relocated(_ path: FolderPath, from old: FolderPath, to new: FolderPath) -> FolderPath? {
        let (names, home, newHome) = (path.names, old.parent?.names ?? [], new.parent?.names ?? [])
        let shared = zip(names, home).prefix { $0.elementsEqual($1) }.count
        let up = home.count - shared
        guard newHome.count >= up else { return nil }
        let moved = newHome.dropLast(up) + names.dropFirst(shared)
        return FolderPath(bytes: Array(moved.joined(separator: [UInt8(ascii: "/")])))
    }
}
