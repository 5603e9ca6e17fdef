import FileCustody
import FolderKnowledge
import FolderObserving
import FolderWriting
import LocalFolder
import RecordMapping
import RecordReceiving
import RecordTrees
import SessionCore
import StateRows
import SyncModel

/// What is written into the folder is stored as agreed only after that. Where the process ends in between, or the state fails,
/// the bytes would be taken for a person's edit as soon as the zone has moved on: a note that was deleted there would come back,
/// and a number that both sides raised would be raised twice. What was moved would be what a person moved: that outlives a deletion,
/// takes back what others rename, and a note would leave its pictures behind.
extension Importer {
    /// Remembers what is about to be written.
    func noteWritten(_ writings: [Writing]) throws { try note(writings.compactMap(version)) }

    /// Remembers what is about to be moved.
    func noteMoved(_ moves: [(action: Action, target: FolderPath)]) throws {
        try note(
            moves.compactMap { move in
                guard let name = move.action.record, let version = move.action.local, move.target != move.action.path,
                    var entry = knowledge.trees.base[name]
                else { return nil }
                entry.path = move.target
                let isFile = entry.recordType == knowledge.fileType
                if isFile { for index in entry.assets.indices { entry.assets[index].path = move.target } }
                // A text that nobody edited has it itself.
                let document = isFile || version.hash == entry.hash ? nil : try knowledge.baseDocument(of: name)
                return WrittenVersion(
                    entry: entry, document: document, path: move.target, hash: version.hash, formerTag: entry.changeTag)
            })
    }

    private func note(_ versions: [WrittenVersion]) throws {
        guard !versions.isEmpty || written != .none else { return }
        try knowledge.noteWritten(versions)
        written = .unread
    }

    /// It is stored what became of all that was to be written.
    func forgetWritten() throws {
        guard written != .none else { return }
        try knowledge.forgetWritten()
        written = .none
    }

    /// `nil` where no file is written, or none that differs from what both sides have.
    private func version(_ writing: Writing) -> WrittenVersion? {
        let trees = knowledge.trees
        let former = trees.base[writing.receiving.entry.name]
        guard former?.changeTag != writing.receiving.entry.changeTag else { return nil }
        let hash: ContentHash
        if let written = writing.writtenHash, written != writing.replaces?.hash {
            hash = written
        } else if let former, let kept = writing.replaces?.hash, kept == former.hash,
            !writing.assets.isEmpty || former.executable != writing.isExecutable
        {
            hash = kept
        } else {
            return nil
        }
        let written = writing.assets.map { asset in
            AgreedAsset(
                field: asset.slot.field, index: asset.slot.index, path: asset.path, hash: asset.hash,
                checksum: asset.checksum)
        }
        // Which file it is tells that it was there before.
        let kept = writing.keptAssets.map { asset in
            var asset = asset
            asset.file = trees.local[asset.path]?.stamp.file
            return asset
        }
        let left = Set(writing.leftOvers.map(\.path))
        return WrittenVersion(
            entry: agreed(
                on: writing, hash: hash, executable: writing.isExecutable,
                assets: kept + written + writing.carriedAssets.map(\.agreed)),
            document: writing.agreed?.document, path: writing.path, hash: hash, formerTag: former?.changeTag,
            leftOvers: former?.assets.filter { left.contains($0.path) } ?? [])
    }

    /// Takes what was written, and could not be stored, for what both sides agree on. Before anything is asked of the zone, which
    /// may have moved on; and once the folder was looked at. Nothing goes on where this throws.
    package func adoptWritten() throws {
        guard written == .unread else { return }
        let versions = try knowledge.writtenVersions()
        // To forget nothing writes as well.
        guard !versions.isEmpty else { return written = .none }
        let found = try durable(versions.filter(isInPlace))
        if !found.isEmpty {
            let batch = WriteBatch()
            let outcomes = found.compactMap { outcome(of: $0, in: batch) }
            try batch.finish()
            try committer.commit(received: outcomes, lettingGo: found.flatMap(assetsLetGo))
            // What the files are depends on what was agreed on.
            try observer.reform(found.map(\.path))
        }
        written = .adopted
        if found.count == versions.count { try forgetWritten() }
    }

    /// Those versions whose files outlast a loss of power: only they are agreed on. Of a single file that the disk cannot keep, what
    /// needs it is left out.
    private func durable(_ versions: [WrittenVersion]) throws -> [WrittenVersion] {
        func paths(_ version: WrittenVersion) -> [FolderPath] { [version.path] + version.entry.assets.map(\.path) }
        var rest = versions
        while true {
            do throws(FolderError) {
                try environment.writer.makeDurable(besides: rest.flatMap(paths))
                return rest
            } catch {
                let count = rest.count
                if let bad = error.path {
                    rest.removeAll { version in paths(version).contains { $0 == bad || $0.isBelow(bad) } }
                }
                guard rest.count < count else { throw error }
            }
        }
    }

    /// Whether the file is there as it was to be written, which comes after all that belongs to it, and nothing was agreed on since.
    /// What belongs to it may be missing by a loss of power, and has no other bytes. Where only that is new, it tells of itself.
    private func isInPlace(_ version: WrittenVersion) -> Bool {
        let trees = knowledge.trees
        let former = trees.base[version.entry.name]
        guard let file = trees.local[version.path], file.hash == version.hash, former?.changeTag == version.formerTag
        else { return false }
        if isMove(version) {
            return former.map { $0.path != version.entry.path && !trees.local.contains($0.path) } ?? false
        }
        let assets = version.entry.assets.filter { $0.path != version.path }
        // A merge may come to the text that was agreed on before.
        guard former?.hash == version.hash, version.entry.hash == version.hash else {
            return assets.allSatisfy { asset in trees.local[asset.path].map { $0.hash == asset.hash } ?? true }
        }
        // Or only whether it can be executed.
        if let former, former.executable != version.entry.executable,
            file.stamp.executable(orAgreed: former.executable) == version.entry.executable
        {
            return true
        }
        return assets.allSatisfy { trees.local[$0.path]?.hash == $0.hash }
            && assets.contains { former?.asset(in: $0.slot)?.hash != $0.hash }
    }

    /// What both sides had agreed on for a record, and a version of it has no more. By now its text is here, and names none of it.
    private func assetsLetGo(by version: WrittenVersion) -> [AgreedAsset] {
        guard let former = knowledge.trees.base[version.entry.name], former.recordType != knowledge.fileType
        else {
            return []
        }
        return former.assets.filter { asset in !version.entry.assets.contains { $0.path == asset.path } }
    }

    /// Puts into the history what a version has no more; what a person has a use for by now stays.
    private func leave(_ version: WrittenVersion, in batch: WriteBatch) -> [FolderPath] {
        version.leftOvers.compactMap { asset in
            guard let local = knowledge.trees.local[asset.path],
                knowledge.trees.custody(of: asset.path).goesToHistory(
                    with: asset, of: version.entry.name, at: version.path),
                case .done? = try? environment.writer.delete(
                    asset.path, expecting: local.stamp, local.hash, batch: batch)
            else { return nil }
            return asset.path
        }
    }

    /// Whether nothing but the place of a record's file was to be another one.
    private func isMove(_ version: WrittenVersion) -> Bool { version.formerTag == version.entry.changeTag }

    /// Who saved a version, where the zone has none after it.
    private func author(of version: BaseEntry) -> Author {
        guard let row = try? knowledge.remoteRow(named: version.name), row.entry.changeTag == version.changeTag else {
            return .device(nil)
        }
        return knowledge.author(user: row.modifiedBy.user, device: row.modifiedBy.device)
    }

    /// `nil` where the file cannot be read by now.
    private func outcome(of version: WrittenVersion, in batch: WriteBatch) -> Outcome? {
        let trees = knowledge.trees
        var entry = version.entry
        var document = version.document
        if document == nil, entry.recordType != knowledge.fileType {
            guard let file = try? environment.reader.read(version.path), file.stamp == trees.local[version.path]?.stamp
            else { return nil }
            document = file.bytes
        }
        if let local = trees.local[version.path] {
            (entry.file, entry.modified) = (local.stamp.file, local.stamp.modified)
        }
        let isMoved = isMove(version)
        if isMoved, let former = trees.base[entry.name] { noteRelocated(&entry, from: former.path) }
        for index in entry.assets.indices where entry.recordType != knowledge.fileType {
            guard let file = trees.local[entry.assets[index].path] else {
                // A loss of power may have taken it: it is received once more.
                entry.isPartial = true
                continue
            }
            entry.assets[index].file = file.stamp.file
        }
        // What belongs to it goes along as the record is received once more.
        if isMoved, entry.recordType != knowledge.fileType, !entry.assets.isEmpty { entry.isPartial = true }
        var outcome = Outcome(base: .agreed(entry, document: document))
        outcome.removedLocal = leave(version, in: batch)
        outcome.change = committer.journal(
            isMoved ? JournalEntry.moved : JournalEntry.received, by: author(of: entry), path: version.path,
            record: entry.name)
        return outcome
    }
}
