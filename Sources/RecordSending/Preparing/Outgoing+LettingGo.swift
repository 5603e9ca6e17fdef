import CloudKitWire
import Crypto
import FolderKnowledge
import LosslessJSON
import RecordMapping
import RecordTrees
import SyncModel

/// Records that are to be deleted and keep each other: one of them lets go first.
extension Outgoing {
    /// A save that takes the references out of a record that keep some others from being deleted. Both sides agree on just
    /// that then; the record's own deletion is planned anew, as after a crash.
    func prepareLettingGo(
        _ action: Action, name: RecordName, of targets: Set<RecordName>, context: MappingContext
    ) throws -> Preparation {
        guard let base = trees.base[name], let record = try knowledge.remoteRecord(named: name) else {
            return .superseded
        }
        var fields = record.fields.filter { field in
            let kept = Record(fields: [field.key: field.value]).recordsKept(in: knowledge.zoneID.zoneName)
            return !kept.isDisjoint(with: targets)
        }.mapValues { Field(nil, isEncrypted: $0.isEncrypted) }
        guard !fields.isEmpty else { return .superseded }
        var document = try knowledge.baseDocument(of: name)
        var hash = base.hash
        if let text = document, let parsed = try? JSONDocument(parsing: text),
            let rest = try? shortened(parsed, letGoOf: targets, record, base: base, context: context)
        {
            // What it says of its layout goes along: an answer that is lost is recognised by the text that the record gives.
            fields.merge(rest.fields) { _, new in new }
            document = rest.text
            hash = ContentHash(bytes: SHA256.hash(data: rest.text))!
        }
        let update = Record(
            recordName: name.rawValue, recordType: base.recordType, recordChangeTag: action.changeTag, fields: fields)
        return .send(
            Sending(
                action: action, name: name, recordType: base.recordType, needs: [],
                operation: { _ in RecordOperation(.update, update) },
                draft: AgreedDraft(
                    recordType: base.recordType, path: base.path, version: base.version(of: base.file, hash: hash),
                    assets: base.assets.map { asset in
                        AgreedDraft.Asset(
                            slot: asset.slot, path: asset.path,
                            version: base.version(of: asset.file ?? base.file, hash: asset.hash))
                    }, document: document)))
    }

    /// The text on which both sides agreed without what refers to some records, and what a record changes by that; `nil` where
    /// the text does not give the record.
    private func shortened(
        _ document: JSONDocument, letGoOf targets: Set<RecordName>, _ record: Record, base: BaseEntry,
        context: MappingContext
    ) throws -> (text: [UInt8], fields: [String: Field])? {
        func draft(of document: JSONDocument) throws -> StructuredDraft {
            try StructuredDraft(
                document: document, recordType: base.recordType, file: base.path, remote: record.fields,
                context: context)
        }
        let keys = try draft(of: document).requiredRecords.filter {
            targets.contains($0.name) && $0.action == .validate
        }
        let rest = document.without(Set(keys.map(\.key)))
        let mapped = try draft(of: rest)
        let assets = record.assets
        guard mapped.attachments.allSatisfy({ assets[$0.slot] != nil }) else { return nil }
        let fields = mapped.fields(
            recordName: base.name, path: trees.remote[base.name]?.path ?? base.path, assets: assets,
            renewing: RecordHints.renewedTag(of: record.fields))
        return (rest.bytes, RecordChanges.diff(from: record.fields, to: fields))
    }
}

extension BaseEntry {
    /// A version as it was when both sides agreed: the file is gone, and this is all that is known of it.
    fileprivate func version(of file: FileIdentity, hash: ContentHash) -> LocalVersion {
        LocalVersion(
            stamp: FileStamp(
                device: file.device, inode: file.inode, size: 0, modified: modified, changed: modified,
                mode: executable ? 0o700 : 0o600, born: file.born), hash: hash)
    }
}
