import CloudKitWire
import Crypto
import FileCustody
import FolderKnowledge
import FolderSettings
import LocalFolder
import Logging
import LosslessJSON
import ProblemSentences
import RecordMapping
import RecordTrees
import StateStorage
import SyncModel

/// Which assets of a structured file the zone lacks.
extension Outgoing {
    /// The assets that are as both sides agreed on them, but for that a person put other records' files in their places, or
    /// put them where an equal file of its own or of another record is: nothing else shows that there were two.
    func renewedSlots(of draft: StructuredDraft, base: BaseEntry?) -> [AssetSlot] {
        guard let base else { return [] }
        return draft.attachments.filter { attachment in
            guard let known = base.asset(in: attachment.slot) else { return false }
            return trees.custody(of: attachment.path).isToldAnew(known, of: base)
        }.map(\.slot)
    }

    /// The assets that the record keeps, and those whose bytes are to be sent; `nil` where one of these cannot be had now. A
    /// list is sent whole or not at all.
    func assets(
        of draft: StructuredDraft, in file: FolderPath, name: RecordName, remote: Record?
    ) throws -> (kept: [AssetSlot: Asset], needs: [AssetNeed])? {
        guard !draft.attachments.isEmpty else { return ([:], []) }
        var kept: [AssetSlot: Asset] = [:]
        var needs: [AssetNeed] = []
        let agreed = trees.base[name]
        let stored = remote?.assets ?? [:]
        let counts = Dictionary(grouping: draft.attachments, by: \.slot.field).mapValues(\.count)
        var changedFields: Set<String> = []
        for attachment in draft.attachments {
            let slot = attachment.slot
            let local = trees.local[attachment.path]
            let base = agreed?.asset(in: slot)
            let isSame = local?.hash == base?.hash && base != nil && stored[slot]?.fileChecksum == base?.checksum
            let isSameList = stored.keys.count { $0.field == slot.field } == counts[slot.field]
            if !isSame || !isSameList { changedFields.insert(slot.field) }
        }
        for attachment in draft.attachments {
            guard changedFields.contains(attachment.slot.field) else {
                kept[attachment.slot] = stored[attachment.slot]
                continue
            }
            guard let local = trees.local[attachment.path] else {
                throw HeldBack(Problem.missingAsset(field: attachment.slot.field, path: attachment.path, of: file))
            }
            let limit = knowledge.configuration.assetLimit
            guard local.stamp.size <= limit else {
                throw HeldBack(.tooLarge(attachment.path, size: local.stamp.size, limit: limit))
            }
            let version = LocalVersion(stamp: local.stamp, hash: local.hash)
            guard let sent = try fileToSend(attachment.path, version) else { return nil }
            needs.append(
                AssetNeed(
                    slot: attachment.slot, path: attachment.path, version: sent.version,
                    source: trees.source(of: sent.version.hash), snapshot: sent.snapshot))
        }
        return (kept, needs)
    }

    /// The records of files that become assets of what is sent, and go with it.
    func recordsGivingWay(to draft: AgreedDraft) -> [Record] {
        let records = draft.assets.compactMap { asset in
            trees.custody(of: asset.path).recordGivingWay(toAssetWith: asset.version.hash)
        }
        // A picture that is named twice has one record.
        return Dictionary(records.map { ($0.name, $0) }) { first, _ in first }.values.sorted { $0.name < $1.name }
            .prefix(Self.mostGivingWay).map { Record(recordName: $0.name.rawValue, recordChangeTag: $0.changeTag) }
    }

    /// What one request has room for, with the record itself; others go once that is in the zone.
    private static let mostGivingWay = 100
}
