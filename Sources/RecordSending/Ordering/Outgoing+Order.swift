import CloudKitWire
import FolderKnowledge
import LocalFolder
import RecordMapping
import RecordTrees
package import SyncModel

/// In which order records are sent that refer to each other (S4.19): parents and targets first, deletions the other way
/// round.
///
/// What decides is read from the files and the zone's records when it is their turn, and kept nowhere.
extension Outgoing {
    /// Some planned actions in the order in which they are to be sent: all of them deletions, or none.
    package nonisolated(nonsending) func order(of actions: [Action]) async throws -> SendOrder {
        if actions.first?.kind == .deleteRecord {
            return SendOrder(deleting: actions, kept: try knowledge.recordsKept(by: actions.compactMap(\.record)))
        }
        let names = NameBook(of: actions.lazy.filter { $0.record == nil }.map(\.path), in: trees)
        var referrers = try referrers(toReplacedBy: actions)
        let actions = referrers.actions.isEmpty ? actions : actions + referrers.actions
        var required: [FolderPath: [RequiredRecord]] = [:]
        for start in stride(from: 0, to: actions.count, by: Self.readAtATime) {
            let some = actionsThatMayRequire(actions[start..<min(start + Self.readAtATime, actions.count)])
            let context = some.isEmpty ? MappingContext() : knowledge.mappingContext(names: names)
            for action in some {
                let records = try requiredRecords(of: action, context: context)
                if !records.isEmpty { required[action.path] = records }
            }
            // Whoever asks how the folder stands is not kept waiting by a large folder.
            if start + Self.readAtATime < actions.count { await Task.yield() }
        }
        referrers.noteKeepers(among: required)
        return SendOrder(saving: actions, required: required, names: names, referrers: referrers, in: trees)
    }

    private static let readAtATime = 500
    /// So many are read on two threads: before the first request of a first sync all files are.
    private static let readInParallelFrom = 64

    /// The actions whose files may need others, told by the words in them.
    private func actionsThatMayRequire(_ actions: ArraySlice<Action>) -> [Action] {
        var texts: [(action: Action, text: Text)] = []
        for action in actions {
            if case .updateRecord(content: false, _) = action.kind { continue }
            guard let entry = trees.local[action.path], case .structured(let type, _) = entry.form else { continue }
            texts.append((action, Text(path: action.path, stamp: entry.stamp, recordType: type)))
        }
        let asked = texts.map(\.text)
        let (schema, reader) = (knowledge.schema, reader)
        @Sendable func mayRequire(_ part: Range<Int>) -> [Bool] {
            asked[part].map { text in
                guard let contents = try? reader.read(text.path), contents.stamp == text.stamp else { return false }
                return StructuredDraft.mayRequireRecords(contents.bytes, recordType: text.recordType, schema: schema)
            }
        }
        let answers: [Bool]
        if asked.count < Self.readInParallelFrom {
            answers = mayRequire(0..<asked.count)
        } else {
            let half = asked.count / 2
            let (first, second) = inParallel {
                mayRequire(0..<half)
            } and: {
                mayRequire(half..<asked.count)
            }
            answers = first + second
        }
        return zip(texts, answers).filter(\.1).map(\.0.action)
    }

    private struct Text: Sendable {
        let path: FolderPath
        let stamp: FileStamp
        let recordType: String
    }

    /// What the zone has to have before it takes a file's record. Nothing where the file cannot be read as it was planned
    /// with: what is wrong with it turns out when it is to be sent.
    private func requiredRecords(of action: Action, context: MappingContext) throws -> [RequiredRecord] {
        guard let entry = trees.local[action.path], case .structured(let type, _) = entry.form,
            let contents = try? reader.read(action.path), contents.stamp == entry.stamp,
            case .structured(_, let document) = StructuredFile.classify(
                contents.bytes, at: action.path, paths: knowledge.paths)
        else { return [] }
        let remote = try action.changeTag == nil ? nil : action.record.flatMap { try knowledge.remoteRecord(named: $0) }
        let draft = try? StructuredDraft(
            document: document, recordType: type, file: action.path, remote: remote?.fields ?? [:], context: context)
        return draft?.requiredRecords ?? []
    }
}
