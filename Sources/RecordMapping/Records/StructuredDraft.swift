public import CloudKitWire
public import LosslessJSON
import RecordPaths
public import SyncModel

/// What a structured file says, ready to become a record's fields once its assets are known.
///
/// Two steps, because an asset has an identity only when it is uploaded: read the file, upload (or recognise) its
/// ``attachments``, then ask for ``fields(recordName:path:assets:renewing:renewingAssets:hashes:)``.
public struct StructuredDraft: Sendable {
    /// What is lost on other devices where the record type lacks the reserved field for hints.
    public enum Loss: Hashable, Sendable {
        /// The file's path: the record will lie where its name says.
        case path
        /// A key that is no field name: it becomes one.
        case key(String)
        /// A value of this key that CloudKit has no type for, or digits beyond what its type keeps.
        case value(key: String)
    }

    struct Member {
        let key: String
        let field: String
        let text: [UInt8]
        let read: ReadValue
        let isEncrypted: Bool
    }

    /// The first folder of its path.
    public let recordType: String
    /// The files that it names, in the order of the text.
    public let attachments: [Attachment]
    let document: JSONDocument
    let file: FolderPath
    let context: MappingContext
    let members: [Member]
    let remote: [String: Field]

    /// Reads a structured file.
    /// - Parameters:
    ///   - file: Where it lies; assets are named relative to it.
    ///   - remote: The record's fields as last fetched, if there are any: a reference whose text still stands keeps
    ///     its target even where that has moved, and a field that is encrypted stays so.
    /// - Throws: ``MappingProblem`` where the file cannot be a version of the record.
    public init(
        document: JSONDocument, recordType: String, file: FolderPath, remote: [String: Field] = [:],
        context: MappingContext
    ) throws(MappingProblem) {
        let reader = ValueReader(context: context, file: file)
        let hints = RecordHints(of: remote)
        var members: [Member] = []
        var attachments: [Attachment] = []
        var owners: [String: String] = [:]
        for member in document.root.members {
            let key = member.key
            let field = FieldNaming.fieldName(of: key)
            if let other = owners.updateValue(key, forKey: field) {
                throw .sharedField(key, field, with: other)
            }
            let text = Array(member.value.text)
            let current = remote[field]?.value
            if case .unknown(let type, _)? = current { throw .foreignType(key, type) }
            let known = context.schema.field(field, of: recordType)
            let read: ReadValue
            if let current, let ids = hints?.ids[field], hints?.texts[field] == text, current.assets.isEmpty,
                ids == ValueIdentity.ids(current, context: context)
            {
                // What refers to a record that is gone means the one that is at its path by now, where there is one.
                read =
                    context.knowsTargets(of: current)
                    ? .value(current)
                    : (try? reader.read(
                        member.value, key: key, expected: FieldType(of: current), current: current)) ?? .value(current)
            } else if current == nil, known == nil, hints?.texts[field] == text, FileComposer.isNothing(text) {
                // An empty text for a file that is not named, where no asset was ever seen in the field.
                read = .nothing
            } else {
                read = try reader.read(
                    member.value, key: key, expected: current.flatMap(FieldType.init(of:)) ?? known?.type,
                    current: current)
            }
            if case .files(let paths, let isList) = read {
                for (index, path) in paths.enumerated() {
                    attachments.append(
                        Attachment(slot: AssetSlot(field: field, index: isList ? index : nil), path: path))
                }
            }
            members.append(
                Member(
                    key: key, field: field, text: text, read: read,
                    isEncrypted: remote[field]?.isEncrypted ?? known?.isEncrypted ?? false))
        }
        self.recordType = recordType
        self.attachments = attachments
        self.document = document
        self.file = file
        self.context = context
        self.members = members
        self.remote = remote
    }

    /// The record's fields, with the hints where they are needed and can be written.
    ///
    /// Fields of the remote record that no file can show are not among them and must not be removed: see
    /// ``RecordChanges``.
    /// - Parameters:
    ///   - path: The path that the record is to claim; not the file's own where that is a displaced one.
    ///   - assets: One for every attachment.
    ///   - renewed: The change tag of the version that is to be said anew, if it is that.
    ///   - renewedAssets: The same for assets alone.
    ///   - hashes: Of those assets whose bytes are sent with this. What the record says of the others is kept.
    public func fields(
        recordName: RecordName, path: FolderPath, assets: [AssetSlot: Asset] = [:], renewing renewed: String? = nil,
        renewingAssets renewedAssets: [AssetSlot: String] = [:], hashes: [AssetSlot: ContentHash] = [:]
    ) -> [String: Field] {
        var fields: [String: Field] = [:]
        for member in members {
            guard let value = value(of: member, assets: assets) else { continue }
            fields[member.field] = Field(value, isEncrypted: member.isEncrypted)
        }
        guard context.schema.hasHintsField(recordType) else { return fields }
        var hints = HintMaker(draft: self, fields: fields).hints
        if path != context.paths.defaultPath(of: recordName, type: recordType) {
            hints.path = PathAttribute.text(of: path)
        }
        hints.renewed = renewed
        for (slot, tag) in stillRenewed(assets).merging(renewedAssets, uniquingKeysWith: { _, new in new }) {
            hints.renewedAssets[slot.text] = tag
        }
        hints.hashes = self.hashes(of: assets, sent: hashes)
        // A record that loses its hints tells the other devices nothing, and their files keep the layout that they have:
        // where the file became plain, this has to be said.
        var said = RecordHints(of: remote) ?? RecordHints()
        said.renewed = nil
        said.renewedAssets = [:]
        said.hashes = [:]
        if hints == RecordHints(), said != hints { hints.order = members.map(\.field) }
        let room = RecordSize.limit - RecordSize.bytes(of: fields)
        if let text = hints.text(within: room) {
            fields[RecordHints.fieldName] = Field(
                .string(text), isEncrypted: remote[RecordHints.fieldName]?.isEncrypted ?? false)
        }
        return fields
    }

    /// Whether the values alone are more than a record can hold: then the file is a file record's (design.md §3).
    public var exceedsRecordLimit: Bool {
        var size = 0
        for member in members {
            size += member.field.utf8.count
            switch member.read {
            case .value(let value): size += RecordSize.bytes(of: value)
            case .ownText(let text): size += text.count
            case .files(let paths, _): size += 128 * paths.count
            case .nothing: break
            }
        }
        return size > RecordSize.limit
    }

    /// What other devices will not see as it is written here; empty where the record can carry hints.
    public func losses(recordName: RecordName, path: FolderPath) -> [Loss] {
        guard !context.schema.hasHintsField(recordType) else { return [] }
        var losses: [Loss] = path == context.paths.defaultPath(of: recordName, type: recordType) ? [] : [.path]
        for member in members {
            if !member.field.utf8.elementsEqual(member.key.utf8) { losses.append(.key(member.key)) }
            switch member.read {
            case .ownText, .nothing: losses.append(.value(key: member.key))
            case .value(let value) where NumberText.loses(member.text, as: value):
                losses.append(.value(key: member.key))
            case .value, .files: break
            }
        }
        return losses
    }

    /// What the record says of the assets that stay as they are: other devices may know only what came before.
    private func stillRenewed(_ assets: [AssetSlot: Asset]) -> [AssetSlot: String] {
        RecordHints.renewedAssets(of: remote).filter { slot, _ in
            let known = remote[slot.field]?.value?.assets ?? []
            guard let asset = assets[slot], known.indices.contains(slot.index ?? 0) else { return false }
            return RecordChanges.isSame(.asset(asset), .asset(known[slot.index ?? 0]))
        }
    }

    /// The hashes of assets by what the service calls them: of those that are sent, and those that are known already.
    private func hashes(of assets: [AssetSlot: Asset], sent: [AssetSlot: ContentHash]) -> [String: ContentHash] {
        let known = RecordHints(of: remote)?.hashes ?? [:]
        // What is encrypted in its field must not be told of beside it in the clear.
        let secret = Set(members.lazy.filter(\.isEncrypted).map(\.field))
        return assets.reduce(into: [:]) { hashes, item in
            guard let checksum = item.value.fileChecksum, !secret.contains(item.key.field) else { return }
            hashes[checksum] = sent[item.key] ?? hashes[checksum] ?? known[checksum]
        }
    }

    private func value(of member: Member, assets: [AssetSlot: Asset]) -> FieldValue? {
        switch member.read {
        case .value(let value): return value
        case .ownText(let text): return .string(String(decoding: text, as: UTF8.self))
        case .nothing: return nil
        case .files(let paths, let isList):
            let list = paths.indices.compactMap { assets[AssetSlot(field: member.field, index: isList ? $0 : nil)] }
            // A field that is missing would be removed from the record.
            precondition(list.count == paths.count, "every attachment has an asset when fields are asked for")
            return isList ? .assetList(list) : .asset(list[0])
        }
    }
}
