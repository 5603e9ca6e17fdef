import CloudKitWire
import Crypto
import FolderKnowledge
import LocalFolder
import Logging
import LosslessJSON
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// Turning planned actions into record operations: reads the files, maps them, and leaves out what did not change.
extension FolderSession {
    /// What each action has to send. The file is read here, so what goes out is what was planned with or nothing.
    func prepare(_ actions: [Action], in order: SendOrder) throws -> [Preparation] {
        let context = knowledge.mappingContext(names: order.names)
        return try actions.map { action in
            do {
                return try prepare(action, in: order, context: context)
            } catch let problem as HeldBack {
                return .held(problem.problem)
            } catch let error as FolderError {
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
        guard let entry = knowledge.trees.local[action.path], let version = action.local,
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
        let configuration = environment.configuration
        let version = sent.version
        guard version.stamp.size <= configuration.assetLimit else {
            throw HeldBack(.tooLarge(action.path, size: version.stamp.size, limit: configuration.assetLimit))
        }
        let name = action.record ?? names.name(of: action.path, in: knowledge.trees)
        let claim = claimedPath(action, name: name)
        let file = FileRecord(
            path: claim, content: nil, size: version.stamp.size, sha256: version.hash,
            modified: version.stamp.modified / 1_000_000, isExecutable: version.stamp.executable)
        let draft = AgreedDraft(
            recordType: configuration.fileRecordType, path: action.path, version: version,
            assets: [
                AgreedDraft.Asset(
                    slot: AssetSlot(field: ContentSource.fileField), path: action.path, version: version)
            ], document: nil)
        var fields = file.fields
        var sendsContent = true
        if let remote {
            sendsContent = knowledge.trees.base[name].map { $0.hash != version.hash } ?? true
            if case .updateRecord(content: false, _) = action.kind { fields = fields.filter { $0.key == "path" } }
            if !sendsContent { fields["modified"] = nil }
            // What another client claims may be no path that a folder can have; it stays as long as nobody moves the file.
            let attribute = FileRecord(fields: remote.fields).path
            if knowledge.paths.path(ofFile: name, attribute: attribute) == claim { fields["path"] = nil }
            fields = RecordChanges.diff(from: remote.fields, to: fields, isRemovable: { _, _ in false })
            if !sendsContent, let base = knowledge.trees.base[name], base.isRenewed {
                // Its time says to the others that it was put anew: it has to be another one. The same one makes an update of
                // what would be none, and says nothing beside other fields.
                let known = FileRecord(fields: remote.fields).modified
                var time = version.stamp.modified / 1_000_000
                if base.standing == .renewed, known == time { time += 1 }
                if fields.isEmpty || known != time { fields["modified"] = Field(.timestamp(time)) }
            }
            if fields.isEmpty, !sendsContent { return .agreed(name, draft) }
        }
        let slot = AssetSlot(field: ContentSource.fileField)
        let need = AssetNeed(
            slot: slot, path: action.path, version: version, source: knowledge.trees.source(of: version.hash),
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

    // MARK: Structured records

    private func prepareStructured(
        _ action: Action, recordType: String, version: LocalVersion, remote: Record?, in order: SendOrder,
        context: MappingContext
    ) throws -> Preparation {
        let contents = try reader.read(action.path)
        var version = version
        if restless.neverRests(action.path, now: now) {
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
        let name = action.record ?? order.names.name(of: action.path, in: knowledge.trees)
        let claim = claimedPath(action, name: name)
        let losses = mapped.losses(recordName: name, path: claim)
        guard losses.isEmpty else {
            throw HeldBack(.lossy(action.path, losses, recordType: recordType, environment.configuration))
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
                knowledge.trees.local[attachment.path].map {
                    AgreedDraft.Asset(
                        slot: attachment.slot, path: attachment.path,
                        version: copies[attachment.path] ?? LocalVersion(stamp: $0.stamp, hash: $0.hash))
                }
            }, document: document.bytes)
        let known = remote?.fields
        let tag = action.changeTag
        let base = knowledge.trees.base[name]
        // Who has an older version does not know it yet: what was said once goes on to be said.
        let renewed = base?.standing == .renewed ? tag : RecordHints.renewedTag(of: known ?? [:])
        let renewedAssets = renewedSlots(of: mapped, base: base).reduce(into: [:]) { $0[$1] = tag }
        draft.renewals = renewedAssets
        draft.isAmended = !defaults.isEmpty
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
                    draft: draft, replaced: replacedRecord(by: action), mayCarryHints: mayCarryHints))
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
                draft: draft, replaced: replacedRecord(by: action), mayCarryHints: mayCarryHints))
    }

    /// The record of another kind that the file was of, where the zone has it as both sides agreed on it: it goes in the
    /// request that brings the new one.
    func replacedRecord(by action: Action) -> Record? {
        guard action.kind == .createRecord, action.record == nil,
            let name = knowledge.trees.outgrownRecord(at: action.path),
            let remote = knowledge.trees.remote[name], remote.changeTag == knowledge.trees.base[name]?.changeTag
        else { return nil }
        return Record(recordName: name.rawValue, recordChangeTag: remote.changeTag)
    }

    /// The assets that are as both sides agreed on them, but for that a person put other records' files in their places, or
    /// put them where an equal file of its own or of another record is: nothing else shows that there were two.
    private func renewedSlots(of draft: StructuredDraft, base: BaseEntry?) -> [AssetSlot] {
        guard let base else { return [] }
        return draft.attachments.filter { attachment in
            let path = attachment.path
            guard let known = base.asset(in: attachment.slot), known.hash == knowledge.trees.local[path]?.hash else {
                return false
            }
            if path != known.path {
                let replaced = knowledge.trees.baseRecord(at: path)
                if let replaced, replaced.recordType == knowledge.paths.fileType, replaced.hash == known.hash {
                    return true
                }
                // Where it is another file, the text came to name the other record's, and they share it from now on.
                let isMoved = known.file != nil && known.file == knowledge.trees.local[path]?.stamp.file
                if isMoved, knowledge.trees.isCurrent(known.hash, at: path, besides: base.name) { return true }
            }
            return base.isRenewed && knowledge.trees.isFromElsewhere(path)
        }.map(\.slot)
    }

    /// The assets that the record keeps, and those whose bytes are to be sent; `nil` where one of these cannot be had now. A
    /// list is sent whole or not at all.
    private func assets(
        of draft: StructuredDraft, in file: FolderPath, name: RecordName, remote: Record?
    ) throws -> (kept: [AssetSlot: Asset], needs: [AssetNeed])? {
        var kept: [AssetSlot: Asset] = [:]
        var needs: [AssetNeed] = []
        let agreed = knowledge.trees.base[name]
        let stored = remote?.assets ?? [:]
        let counts = Dictionary(grouping: draft.attachments, by: \.slot.field).mapValues(\.count)
        var changedFields: Set<String> = []
        for attachment in draft.attachments {
            let slot = attachment.slot
            let local = knowledge.trees.local[attachment.path]
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
            guard let local = knowledge.trees.local[attachment.path] else {
                throw HeldBack(Problem.missingAsset(field: attachment.slot.field, path: attachment.path, of: file))
            }
            let limit = environment.configuration.assetLimit
            guard local.stamp.size <= limit else {
                throw HeldBack(.tooLarge(attachment.path, size: local.stamp.size, limit: limit))
            }
            let version = LocalVersion(stamp: local.stamp, hash: local.hash)
            guard let sent = try fileToSend(attachment.path, version) else { return nil }
            needs.append(
                AssetNeed(
                    slot: attachment.slot, path: attachment.path, version: sent.version,
                    source: knowledge.trees.source(of: sent.version.hash), snapshot: sent.snapshot))
        }
        return (kept, needs)
    }

    /// The path that the record is to claim: its file's, where that is new or was moved here; else what it claims now.
    private func claimedPath(_ action: Action, name: RecordName) -> FolderPath {
        if case .updateRecord(_, path: false) = action.kind, let claimed = knowledge.trees.remote[name]?.path {
            return claimed
        }
        return action.path
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

/// A problem on its way out of the mapping.
struct HeldBack: Error {
    let problem: Problem

    init(_ problem: Problem) {
        self.problem = problem
    }
}
