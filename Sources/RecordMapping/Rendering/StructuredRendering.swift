public import CloudKitWire
import LosslessJSON
import RecordPaths
public import SyncModel

/// Writes a record as its structured file.
public struct StructuredRendering: Sendable {
    /// The file's bytes and the files that it names.
    public struct Output: Hashable, Sendable {
        /// The whole file.
        public var bytes: [UInt8]
        /// Every one with its path.
        public var assets: [AttachedAsset]
    }

    let recordType: String
    let fields: [String: Field]
    let file: FolderPath
    let context: MappingContext

    /// A record's fields, to be written at a path.
    public init(recordType: String, fields: [String: Field], file: FolderPath, context: MappingContext) {
        self.recordType = recordType
        self.fields = fields
        self.file = file
        self.context = context
    }

    /// Whether a file can show a value; what it cannot show is never sent back and never removed.
    public static func isShown(_ value: FieldValue) -> Bool {
        FieldType(of: value) != nil
    }

    /// The record's assets, sorted by field and index, with the paths that its author gave them.
    ///
    /// An asset without one gets its path from `AssetNaming` once its first bytes are here; hand that path to
    /// ``output(current:assetPaths:)``.
    public var assets: [AttachedAsset] {
        let composer = FileComposer(context: context, file: file)
        let hints = RecordHints(of: fields) ?? RecordHints()
        var found: [AttachedAsset] = []
        for (field, content) in fields.sorted(by: { $0.key < $1.key }) {
            guard let value = content.value, !value.assets.isEmpty else { continue }
            let paths = composer.hintedPaths(of: value, field: field, hints: hints)
            let isList = FieldType(of: value) == .assetList
            for (index, asset) in value.assets.enumerated() {
                let slot = AssetSlot(field: field, index: isList ? index : nil)
                found.append(AttachedAsset(slot: slot, asset: asset, path: paths[index]))
            }
        }
        return found
    }

    /// The file.
    ///
    /// With hints it is what the author wrote, with what other clients changed set into it. Without hints, and with
    /// a readable current file, only the values that differ from that change. Else it is the plain rendering.
    /// - Parameters:
    ///   - current: The file's bytes as they are, if there is one.
    ///   - assetPaths: Where assets belong that have no path by their author, or that must lie elsewhere.
    public func output(current: [UInt8]? = nil, assetPaths: [AssetSlot: FolderPath] = [:]) -> Output {
        let assets = assets.map { asset in
            var placed = asset
            placed.path =
                assetPaths[asset.slot] ?? asset.path
                ?? AssetNaming.path(beside: file, field: asset.slot.field, index: asset.slot.index, firstBytes: [])
            return placed
        }
        var composer = FileComposer(context: context, file: file)
        for asset in assets { composer.assetPaths[asset.slot] = asset.path }
        let hints =
            RecordHints(of: fields) ?? current.flatMap { adopted(from: $0, composer: composer) } ?? RecordHints()
        return Output(bytes: composer.bytes(fields: fields, hints: hints), assets: assets)
    }

    /// The current file's own manner, as if it were hints: its keys, texts, order and layout.
    private func adopted(from current: [UInt8], composer: FileComposer) -> RecordHints? {
        guard let document = try? JSONDocument(parsing: current), document.root.kind == .object else { return nil }
        var hints = RecordHints()
        var order: [String] = []
        for member in document.root.members {
            let field = FieldNaming.fieldName(of: member.key)
            if field != member.key { hints.keys[field] = member.key }
            // An empty text is a field's value, and goes with it, but where it stands for a file that is not named.
            let isKept =
                member.value.string?.isEmpty != true || fields[field]?.value != nil
                || context.schema.field(field, of: recordType)?.type == .asset
            if isKept { hints.texts[field] = Array(member.value.text) }
            if member.value.kind == .object || member.value.kind == .array { hints.ownTexts.insert(field) }
            order.append(field)
        }
        guard Set(order).count == order.count else { return nil }
        // A file in the plain layout, or in its own order of it, keeps to that with new members as well.
        for candidate in [nil, order] {
            hints.order = candidate
            if Self.plain(document, isSorted: candidate == nil) == current { return hints }
        }
        hints.order = nil
        hints.layout = FileLayout(of: document, fields: order)
        return hints
    }

    private static func plain(_ document: JSONDocument, isSorted: Bool) -> [UInt8] {
        var members = document.root.members.map { (field: "", key: $0.key, text: Array($0.value.text)) }
        if isSorted { members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
        return FileComposer.plain(members)
    }
}
