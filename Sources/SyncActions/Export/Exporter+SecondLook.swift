import CloudKitWire
import FolderKnowledge
import FolderObserving
import LocalFolder
import RecordSending
import RecordTrees
import SessionCore
import SyncModel
import SyncTiming

/// The look that is the proof of a deletion, right before it is sent.
extension Exporter {
    /// What is to be sent, without deletions of files that are there after all.
    func withConfirmedDeletions(_ sendings: [Sending]) -> [Sending] {
        let givingWay = sendings.flatMap(deletions(with:))
        let deletions = sendings.map(\.action).filter { $0.kind == .deleteRecord } + givingWay
        guard !deletions.isEmpty else { return sendings }
        let confirmed = Set(confirmed(deletions))
        // A file that two records name has one record, which goes with the first of them.
        var going = Set(givingWay.filter(confirmed.contains).compactMap(\.record))
        return sendings.filter { $0.action.kind != .deleteRecord || confirmed.contains($0.action) }.map { sending in
            var sending = sending
            sending.givingWay.removeAll { going.remove(RecordName($0.recordName!)) == nil }
            return sending
        }
    }

    /// What gives way to a record, as deletions; nothing where nobody can look.
    private func deletions(with sending: Sending) -> [Action] {
        guard !sending.givingWay.isEmpty else { return [] }
        let isUnobserved = observer.unobserved.isUnobserved(by: observer.rules.current)
        return sending.givingWay.compactMap { record in
            guard let base = record.recordName.flatMap({ knowledge.trees.base[RecordName($0)] }),
                !isUnobserved(base.path)
            else { return nil }
            return Action(
                .deleteRecord, record: base.name, path: base.path, local: nil, changeTag: record.recordChangeTag)
        }
    }

    /// A deletion is sent only if the file is missing at a second look as well, and is seen nowhere else.
    func confirmed(_ deletions: [Action]) -> [Action] {
        guard !deletions.isEmpty else { return [] }
        let scanner = FolderScanner(root: environment.root, rules: observer.rules.current)
        func place(_ action: Action) -> FolderPath {
            action.record.flatMap { knowledge.trees.base[$0]?.path } ?? action.path
        }
        let places = Set(deletions.map(place)).sorted()
        let result = scanner.scan(.paths(places), now: environment.clock.wall(), previous: { _ in nil })
        let seen = Set(result.files.map(\.path)).union(result.changing)
        let putOver = placesOfEqualFiles(putThereOf: deletions.compactMap(\.record))
        return deletions.filter { action in
            let path = place(action)
            // Another record's file, or an asset of one, may stand there by now: this one's is gone.
            let isTaken = knowledge.trees.isAttached(path) || knowledge.trees.local.contains(path)
            let isInPlace = result.listed.contains(path) && !knowledge.trees.hasFiles(below: path)
            let new = action.record.flatMap { putOver[$0] }
            // One that is as large and was not read may be this one's, moved by a copy: it is read first.
            let unread = knowledge.trees.unreadFiles(sizedAs: action.record.map { [$0] } ?? [])
            guard isTaken || !isInPlace && !seen.contains(path) && result.provesAbsence(of: path), new == nil,
                unread.isEmpty
            else {
                observer.looks.owe([path, new].compactMap(\.self) + unread)
                observer.superseded(action)
                return false
            }
            return true
        }
    }

    /// Where files of records are after all: over equal ones, where nobody looked since. Nothing but the file itself tells
    /// that, and it would be nobody's once its record is gone: who then deletes the equal one deletes both.
    private func placesOfEqualFiles(putThereOf names: [RecordName]) -> [RecordName: FolderPath] {
        let files = Dictionary(grouping: names.flatMap(knowledge.trees.files), by: \.hash)
        guard !files.isEmpty else { return [:] }
        var places: [RecordName: FolderPath] = [:]
        for path in knowledge.trees.local.paths(with: Set(files.keys)) {
            guard let known = knowledge.trees.local[path], let stamp = environment.reader.stamp(of: path),
                stamp.file != known.stamp.file
            else { continue }
            for file in files[known.hash] ?? [] where file.path != path && file.file.isSame(as: stamp.file) {
                places[file.record] = path
            }
        }
        return places
    }
}
