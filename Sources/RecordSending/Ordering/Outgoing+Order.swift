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
        let names = NameBook(of: actions.lazy.filter { $0.record == nil }.map(\.path), in: knowledge.trees)
        var referrers = try referrers(toReplacedBy: actions)
        let actions = referrers.actions.isEmpty ? actions : actions + referrers.actions
        var required: [FolderPath: [RequiredRecord]] = [:]
        for start in stride(from: 0, to: actions.count, by: Self.readAtATime) {
            let context = knowledge.mappingContext(names: names)
            for action in actions[start..<min(start + Self.readAtATime, actions.count)] {
                let records = try requiredRecords(of: action, context: context)
                if !records.isEmpty { required[action.path] = records }
            }
            // Whoever asks how the folder stands is not kept waiting by a large folder.
            if start + Self.readAtATime < actions.count { await Task.yield() }
        }
        referrers.noteKeepers(among: required)
        return SendOrder(saving: actions, required: required, names: names, referrers: referrers, in: knowledge.trees)
    }

    private static let readAtATime = 500

    /// What the zone has to have before it takes a file's record. Nothing where the file cannot be read as it was planned
    /// with: what is wrong with it turns out when it is to be sent.
    private func requiredRecords(of action: Action, context: MappingContext) throws -> [RequiredRecord] {
        if case .updateRecord(content: false, _) = action.kind { return [] }
        guard let entry = knowledge.trees.local[action.path], case .structured(let type, _) = entry.form,
            let contents = try? reader.read(action.path), contents.stamp == entry.stamp,
            StructuredDraft.mayRequireRecords(contents.bytes, recordType: type, schema: knowledge.schema),
            case .structured(_, let document) = StructuredFile.classify(
                contents.bytes, at: action.path, paths: knowledge.paths)
        else { return [] }
        let remote = try action.changeTag == nil ? nil : action.record.flatMap { try knowledge.remoteRecord(named: $0) }
        let draft = try? StructuredDraft(
            document: document, recordType: type, file: action.path, remote: remote?.fields ?? [:], context: context)
        return draft?.requiredRecords ?? []
    }
}
