import CloudKitWire
import LosslessJSON
import RecordPaths
import SyncModel

/// Composes a structured file's bytes from fields and hints; a pure function of the two.
struct FileComposer {
    let context: MappingContext
    let file: FolderPath
    /// Where assets belong, for those of which the caller knows.
    var assetPaths: [AssetSlot: FolderPath] = [:]

    /// The whole file.
    func bytes(fields: [String: Field], hints: RecordHints) -> [UInt8] {
        let members = members(fields: fields, hints: hints)
        let mark = hints.layout?.isMarked ?? false ? JSONDocument.byteOrderMark : []
        if let layout = hints.layout, layout.slots.isEmpty == members.isEmpty, fits(layout, hints) {
            return layout.bytes(texts: members)
        }
        var ordered = members
        if let order = hints.order {
            let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
            // Sorting is stable, so that what the order does not know stays sorted at the end.
            ordered.sort { places[$0.field] ?? .max < places[$1.field] ?? .max }
        }
        return mark + Self.plain(ordered)
    }

    /// The members that the file shows, sorted by the bytes of their keys.
    func members(fields: [String: Field], hints: RecordHints) -> [(field: String, key: String, text: [UInt8])] {
        var members: [(field: String, key: String, text: [UInt8])] = []
        for (field, content) in fields where field != RecordHints.fieldName {
            guard let value = content.value, let text = text(of: value, field: field, hints: hints) else { continue }
            members.append((field, hints.key(of: field), text))
        }
        for (field, text) in hints.texts where fields[field]?.value == nil {
            guard Self.isNothing(text) else { continue }
            members.append((field, hints.key(of: field), text))
        }
        members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return members
    }

    /// A value's text: the author's where it still fits, else the plain one.
    func text(of value: FieldValue, field: String, hints: RecordHints) -> [UInt8]? {
        if hints.ownTexts.contains(field), case .string(let text) = value, Self.isOwnText(text) {
            return Array(text.utf8)
        }
        if let text = hints.texts[field], means(text, value, field: field, ids: hints.ids[field]) { return text }
        if let bool = Self.bool(value, like: hints.texts[field]) { return bool }
        if hints.ascii.contains(field), case .string(let text) = value { return AsciiSpelling.text(text) }
        return plainText(of: value, field: field)
    }

    func plainText(of value: FieldValue, field: String) -> [UInt8]? {
        var writer = ValueText(context: context)
        let isList = value.elements != nil
        writer.assetTexts = value.assets.indices.map { index in
            let slot = AssetSlot(field: field, index: isList ? index : nil)
            let path =
                assetPaths[slot] ?? AssetNaming.path(beside: file, field: field, index: slot.index, firstBytes: [])
            return AssetPath.text(path, from: file)
        }
        return writer.text(value)
    }

    /// A truth value stays one when another client changes the number that it travels as.
    private static func bool(_ value: FieldValue, like text: [UInt8]?) -> [UInt8]? {
        let (yes, no) = (Array("true".utf8), Array("false".utf8))
        guard text == yes || text == no, case .int64(let number) = value, number == 0 || number == 1 else { return nil }
        return number == 1 ? yes : no
    }

    /// Whether a text from hints, or from the file as it is, still says what the field holds.
    private func means(_ text: [UInt8], _ value: FieldValue, field: String, ids: [String]?) -> Bool {
        guard let node = Self.node(text), let type = FieldType(of: value) else { return false }
        let isSame = ids.map { $0 == ValueIdentity.ids(value, context: context) }
        // Of assets it is said where they are, whatever they hold.
        if isSame == false, value.assets.isEmpty { return false }
        let reader = ValueReader(context: context, file: file)
        if ids != nil, type == .reference || type == .referenceList { return true }
        switch try? reader.read(node, key: field, expected: type, current: value) {
        case .value(let read): return read == value || ids == nil && sameTargets(read, value)
        case .files(let paths, let isList):
            guard paths.count == value.assets.count else { return false }
            return paths.enumerated().allSatisfy { index, path in
                let known = assetPaths[AssetSlot(field: field, index: isList ? index : nil)]
                return known == path || known == nil && isSame == true
            }
        case .ownText, .nothing, nil: return false
        }
    }

    /// Where a text from hints puts the assets of a value: each where its author had its bytes, or else what stood in its
    /// place, whose new version it is; `nil` for each of which that tells nothing.
    ///
    /// A function of the record alone, so that every device has the file at the same path, whatever it saw before.
    func hintedPaths(of value: FieldValue, field: String, hints: RecordHints) -> [FolderPath?] {
        let checksums = value.assets.map(\.fileChecksum)
        guard let ids = hints.ids[field], let node = hints.texts[field].flatMap(Self.node),
            let type = FieldType(of: value),
            case .files(let authored, _)? = try? ValueReader(context: context, file: file).read(
                node, key: field, expected: type),
            authored.count == ids.count
        else { return checksums.map { _ in nil } }
        var free = Set(authored.indices)
        var paths = [FolderPath?](repeating: nil, count: checksums.count)
        func place(_ choose: (Int) -> Int?) {
            for index in paths.indices where paths[index] == nil {
                guard let place = choose(index), free.remove(place) != nil else { continue }
                paths[index] = authored[place]
            }
        }
        place { index in index < ids.count && ids[index] == checksums[index] ? index : nil }
        place { index in authored.indices.first { free.contains($0) && ids[$0] == checksums[index] } }
        place { $0 }
        return paths
    }

    private func sameTargets(_ left: FieldValue, _ right: FieldValue) -> Bool {
        guard let ids = ValueIdentity.ids(left, context: context) else { return false }
        return ids == ValueIdentity.ids(right, context: context)
    }

    private func fits(_ layout: FileLayout, _ hints: RecordHints) -> Bool {
        guard let keys = layout.keys else { return false }
        return zip(layout.slots, keys).allSatisfy { $1.utf8.elementsEqual(hints.key(of: $0.field).utf8) }
    }

    /// The one value of a text without white space around it.
    private static func node(_ text: [UInt8]) -> JSONNode? {
        guard let root = (try? JSONDocument(parsing: text))?.root, root.range == 0..<text.count else { return nil }
        return root
    }

    /// Whether a text can be that of a field that holds nothing (``ReadValue/nothing``).
    static func isNothing(_ text: [UInt8]) -> Bool {
        guard let node = node(text) else { return false }
        if node.isNull || node.kind == .array && node.count == 0 { return true }
        guard let form = ExplicitForm(node) else { return node.string?.isEmpty ?? false }
        return form.type == .asset && form.content.string?.isEmpty ?? false
    }

    private static func isOwnText(_ text: String) -> Bool {
        guard let first = text.utf8.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let node = node(Array(text.utf8))
        else { return false }
        return ExplicitForm(node) == nil
    }

    static func plain(_ members: [(field: String, key: String, text: [UInt8])]) -> [UInt8] {
        guard !members.isEmpty else { return Array("{}\n".utf8) }
        var bytes = Array("{".utf8)
        for (index, member) in members.enumerated() {
            bytes += Array((index == 0 ? "\n  " : ",\n  ").utf8)
            bytes += JSONSpelling.string(member.key) + Array(": ".utf8) + member.text
        }
        return bytes + Array("\n}\n".utf8)
    }
}
