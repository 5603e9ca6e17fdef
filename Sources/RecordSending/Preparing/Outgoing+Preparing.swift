package import CloudKitWire
import Crypto
import FileCustody
import FolderKnowledge
import FolderSettings
import LocalFolder
import Logging
import LosslessJSON
import ProblemSentences
import RecordMapping
import RecordPaths
import RecordTrees
import StateStorage
package import SyncModel

/// Turning planned actions into record operations: reads the files, maps them, and leaves out what did not change.
extension Outgoing {
    /// What each action has to send. The file is read here, so what goes out is what was planned with or nothing.
    package func prepare(_ actions: [Action], in order: SendOrder) throws -> [Preparation] {
        let context = knowledge.mappingContext(names: order.names)
        return try actions.map { action in
            do {
                return try prepare(action, in: order, context: context)
            } catch let problem as HeldBack {
                return .held(problem.problem)
            } catch let error as FolderError {
                guard error.isSeenByLook else {
                    logger.warning("A file could not be prepared for sending", metadata: ["error": "\(error)"])
                    return .held(.notDurable(action.path, error))
                }
                logger.debug("A file could not be read for sending", metadata: ["error": "\(error)"])
                return .superseded
            }
        }
    }

    private func prepare(
        _ action: Action, in order: SendOrder, context: MappingContext
    ) throws -> Preparation {
        if action.kind == .deleteRecord, let name = action.record {
            guard let tag = action.changeTag else { return .superseded }
            if let targets = order.lettingGo[name] {
                return try prepareLettingGo(action, name: name, of: targets, context: context)
            }
            let record = Record(recordName: name.rawValue, recordChangeTag: tag)
            return .send(
                Sending(
                    action: action, name: name, recordType: nil, needs: [],
                    operation: { _ in RecordOperation(.delete, record) }, draft: nil))
        }
        guard let entry = trees.local[action.path], let version = action.local,
            entry.stamp == version.stamp, entry.hash == version.hash
        else { return .superseded }
        let remote = try action.changeTag == nil ? nil : action.record.flatMap { try knowledge.remoteRecord(named: $0) }
        switch entry.form {
        case .held(let problem): return .held(problem)
        case .file, .unfit:
            guard let sent = try fileToSend(action.path, version) else { return .superseded }
            return try prepareFile(action, sending: sent, remote: remote, names: order.names)
        case .structured(let recordType, _):
            return try prepareStructured(
                action, recordType: recordType, version: version, remote: remote, in: order, context: context)
        }
    }

    // MARK: File records

    private func prepareFile(
        _ action: Action, sending sent: SentFile, remote: Record?, names: NameBook
    ) throws -> Preparation {
        let configuration = knowledge.configuration
        let version = sent.version
        let name = action.record ?? names.name(of: action.path, in: trees)
        let claim = claimedPath(action, name: name)
        let known = trees.base[name]?.executable ?? remote.map { FileRecord(fields: $0.fields).isExecutable }
        let isExecutable = version.stamp.executable(orAgreed: known ?? false)
        let file = FileRecord(
            path: claim, content: nil, size: version.stamp.size, sha256: version.hash,
            modified: version.stamp.modified / 1_000_000, isExecutable: isExecutable)
        let draft = AgreedDraft(
            recordType: configuration.fileRecordType, path: action.path, version: version,
            assets: [
                AgreedDraft.Asset(
                    slot: AssetSlot(field: ContentSource.fileField), path: action.path, version: version)
            ], document: nil, isExecutable: isExecutable)
        var fields = file.fields
        var sendsContent = true
        if let remote {
            sendsContent = trees.base[name].map { $0.hash != version.hash } ?? true
            if case .updateRecord(content: false, _) = action.kind { fields = fields.filter { $0.key == "path" } }
            if !sendsContent { fields["modified"] = nil }
            // What another client claims may be no path that a folder can have; it stays as long as nobody moves the file.
            let attribute = FileRecord(fields: remote.fields).path
            if knowledge.paths.path(ofFile: name, attribute: attribute) == claim { fields["path"] = nil }
            fields = RecordChanges.diff(from: remote.fields, to: fields, isRemovable: { _, _ in false })
            if !sendsContent, let base = trees.base[name],
                let time = base.timeToSend(
                    ofFile: version.stamp.modified / 1_000_000, known: FileRecord(fields: remote.fields).modified,
                    besidesOthers: !fields.isEmpty)
            {
                fields["modified"] = Field(.timestamp(time))
            }
            if fields.isEmpty, !sendsContent { return .agreed(name, draft) }
        }
        // Another device may send larger ones: of such a file what is no content is sent.
        guard !sendsContent || version.stamp.size <= configuration.assetLimit else {
            throw HeldBack(.tooLarge(action.path, size: version.stamp.size, limit: configuration.assetLimit))
        }
        let slot = AssetSlot(field: ContentSource.fileField)
        let need = AssetNeed(
            slot: slot, path: action.path, version: version, source: trees.source(of: version.hash),
            snapshot: sent.snapshot)
        let kind: RecordOperation.Kind = remote == nil ? .create : .update
        let record = Record(
            recordName: name.rawValue, recordType: configuration.fileRecordType,
            recordChangeTag: remote == nil ? nil : action.changeTag, fields: fields)
        return .send(
            Sending(
                action: action, name: name, recordType: configuration.fileRecordType,
                needs: sendsContent ? [need] : [],
                operation: { assets in
                    var record = record
                    if let asset = assets[slot] { record.fields[slot.field] = Field(.asset(asset.forWriting)) }
                    return RecordOperation(kind, record)
                }, draft: draft, replaced: replacedRecord(by: action)))
    }

    /// The record of another kind that the file was of, where the zone has it as both sides agreed on it: it goes in the
    /// request that brings the new one.
    package func replacedRecord(by action: Action) -> Record? {
        guard action.kind == .createRecord, action.record == nil,
            let name = trees.custody(of: action.path).outgrownRecord,
            let remote = trees.remote[name], trees.base[name]?.isUnchanged(in: remote) == true
        else { return nil }
        return Record(recordName: name.rawValue, recordChangeTag: remote.changeTag)
    }

    /// The path that the record is to claim: its file's, where that is new or was moved here; else what it claims now.
    func claimedPath(_ action: Action, name: RecordName) -> FolderPath {
        if case .updateRecord(_, path: false) = action.kind, let claimed = trees.remote[name]?.path {
            return claimed
        }
        return action.path
    }
}

/// A problem on its way out of the mapping.
struct HeldBack: Error {
    let problem: Problem

    init(_ problem: Problem) {
        self.problem = problem
    }
}
