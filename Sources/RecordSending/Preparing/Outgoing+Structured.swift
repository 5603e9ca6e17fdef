import CloudKitWire
import Crypto
import FolderKnowledge
import LocalFolder
import Logging
import LosslessJSON
import ProblemSentences
import RecordMapping
import RecordTrees
import StateStorage
import SyncModel

/// Structured files: what their text makes of a record, and which of it the zone lacks.
extension Outgoing {
    func prepareStructured(
        _ action: Action, recordType: String, version: LocalVersion, remote: Record?, in order: SendOrder,
        context: MappingContext
    ) throws -> Preparation {
        let contents = try reader.read(action.path)
        var version = version
        if neverRests(action.path) {
            version = LocalVersion(stamp: contents.stamp, hash: contents.hash)
        }
        guard contents.stamp == version.stamp else { return .superseded }
        guard
            case .structured(_, var document) = StructuredFile.classify(
                contents.bytes, at: action.path, paths: knowledge.paths)
        else { return .superseded }
        if let keys = order.leftOut[action.path] {
            // Both sides agree on just that then, and the file counts as edited until the rest is there as well.
            document = document.without(keys)
            let hash = ContentHash(bytes: SHA256.hash(data: document.bytes))!
            version = LocalVersion(stamp: version.stamp, hash: hash)
        }
        let mapped: StructuredDraft
        do {
            mapped = try StructuredDraft(
                document: document, recordType: recordType, file: action.path, remote: remote?.fields ?? [:],
                context: context)
        } catch {
            // More is known of the zone than when the file was looked at.
            return .misfit(Problem(error, in: action.path, line: document.line(of: error.key)))
        }
        let name = action.record ?? order.names.name(of: action.path, in: trees)
        let claim = claimedPath(action, name: name)
        let losses = mapped.losses(recordName: name, path: claim)
        guard losses.isEmpty else {
            throw HeldBack(.lossy(action.path, losses, recordType: recordType, knowledge.configuration))
        }
        let mayCarryHints = knowledge.schema.hasHintsField(recordType)
        guard let (kept, own) = try assets(of: mapped, in: action.path, name: name, remote: remote) else {
            return .superseded
        }
        let defaults = try defaultAssets(of: mapped, sentBy: action)
        let needs = own + defaults
        // As far as copies are sent, they are what both sides will have agreed on.
        let copies = Dictionary(needs.filter { $0.snapshot != nil }.map { ($0.path, $0.version) }) { first, _ in first }
        var draft = AgreedDraft(
            recordType: recordType, path: action.path, version: version,
            assets: mapped.attachments.compactMap { attachment in
                trees.local[attachment.path].map {
                    AgreedDraft.Asset(
                        slot: attachment.slot, path: attachment.path,
                        version: copies[attachment.path] ?? LocalVersion(stamp: $0.stamp, hash: $0.hash))
                }
            }, document: document.bytes)
        let known = remote?.fields
        let tag = action.changeTag
        let base = trees.base[name]
        // Who has an older version does not know it yet: what was said once goes on to be said.
        let renewed = base?.standing == .renewed ? tag : RecordHints.renewedTag(of: known ?? [:])
        let renewedAssets = renewedSlots(of: mapped, base: base).reduce(into: [:]) { $0[$1] = tag }
        draft.renewals = renewedAssets
        draft.isAmended = !defaults.isEmpty
        let givingWay = recordsGivingWay(to: draft)
        let hashes = needs.reduce(into: [:]) { $0[$1.slot] = $1.version.hash }
        let operation: @Sendable ([AssetSlot: Asset]) -> RecordOperation = { sent in
            let assets = kept.merging(sent.mapValues(\.forWriting)) { _, new in new }
            var fields = mapped.fields(
                recordName: name, path: claim, assets: assets, renewing: renewed,
                renewingAssets: renewedAssets, hashes: hashes)
            for slot in defaults.map(\.slot) { fields[slot.field] = assets[slot].map { Field(.asset($0)) } }
            guard let known else {
                return RecordOperation(
                    .create, Record(recordName: name.rawValue, recordType: recordType, fields: fields))
            }
            let changes = RecordChanges.diff(from: known, to: fields)
            return RecordOperation(
                .update,
                Record(recordName: name.rawValue, recordType: recordType, recordChangeTag: tag, fields: changes))
        }
        guard needs.isEmpty else {
            return .send(
                Sending(
                    action: action, name: name, recordType: recordType, needs: needs, operation: operation,
                    draft: draft, replaced: replacedRecord(by: action), givingWay: givingWay,
                    mayCarryHints: mayCarryHints))
        }
        // Mapped at once: the mapping must not outlive this call, or the trees that it looks into would be copied.
        var ready = operation([:])
        if known != nil, ready.record.fields.isEmpty {
            guard base?.isRenewed ?? false else { return .agreed(name, draft) }
            // An asset cannot be sent as it is: the service wants a receipt for it.
            let assetFields = Set(mapped.attachments.map(\.slot.field))
            let fields = mapped.fields(
                recordName: name, path: claim, assets: kept, renewing: renewed, renewingAssets: renewedAssets)
            ready.record.fields = [:]
            if let field = fields.keys.filter({ !assetFields.contains($0) }).min() {
                ready.record.fields[field] = fields[field]
            }
        }
        let bytes = RecordSize.bytes(of: ready.record.fields)
        guard bytes <= RecordSize.limit else {
            throw HeldBack(.recordTooLarge(action.path, size: bytes, limit: RecordSize.limit))
        }
        return .send(
            Sending(
                action: action, name: name, recordType: recordType, needs: [], operation: { [ready] _ in ready },
                draft: draft, replaced: replacedRecord(by: action), givingWay: givingWay, mayCarryHints: mayCarryHints))
    }
}

extension JSONDocument {
    /// The same object without some of its keys; every byte around them stays.
    func without(_ keys: Set<String>) -> JSONDocument {
        do {
            return try JSONDocument(parsing: applying(keys.sorted().map { .remove([.key($0)]) }))
        } catch {
            preconditionFailure("Keys that were read can be taken out: \(error)")
        }
    }
}
