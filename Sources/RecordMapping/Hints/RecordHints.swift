public import CloudKitWire
import LosslessJSON
import SyncModel

/// What a structured file says and its record's own fields cannot.
///
/// Hints travel in the record's reserved STRING field `zonefolder`, which is absent where there is nothing to say.
/// Its text is one JSON object; every key but `version` may be missing, and unknown keys are ignored:
///
/// | Key | Value | Meaning |
/// |---|---|---|
/// | `version` | 1 | Hints of a higher version are treated as absent. |
/// | `path` | text | The file's path (`PathAttribute`), where the record's name does not spell it. |
/// | `keys` | object: field → key | The file's key, where that is no legal field name (`FieldNaming`). |
/// | `own` | list of fields | The STRING holds a JSON object or array as text; it stands in the file as it is. |
/// | `texts` | object: field → text | The value's JSON text in the file, where it is not the plain one. |
/// | `ids` | object: field → list of texts | Of a text that names references or assets: what it stood for. |
/// | `ascii` | list of fields | The string is written with `\uxxxx`, in lower case, for all that is not ASCII. |
/// | `order` | list of fields | The plain rendering, but with its members in this order. |
/// | `layout` | list of texts | The skeleton: text, field, text, field, …, text. See `FileLayout`. |
/// | `renewed` | text | The change tag of the version in whose place another file was put last, equal to its own or not. |
/// | `renewedAssets` | object: field, or `field.index` in a list → text | `renewed` for an asset's file, as long as it is this. |
/// | `hashes` | object: `fileChecksum` → 64 hexadecimal digits | The SHA-256 of an asset's bytes, by its author. |
///
/// Other clients know nothing of hints and change fields beside them, so each applies only as long as it fits:
/// - `keys`: if the field's name is the one derived from the key.
/// - `own`: if the STRING is one JSON object or array, without white space around it.
/// - `texts`: if the text, read by the type of the field's present value, gives exactly that value. With `ids`: if
///   the ids of the present value are these. A reference's id is `ACTION|zone name|record name`, with the zone's
///   name left empty for the record's own zone; an asset's is its `fileChecksum`. Where an asset is another one, the
///   text still says where it lies: with its author's bytes, or else in their place. For a field that is absent:
///   if the text is `null`, an empty list, or an empty text (by itself, or as `{"$asset": ""}`) that an asset field's
///   file has for no asset at all: no field need hold these; then the file has it and the record has not.
///   A text `true` or `false` stands for both: it is `true` where the present value is 1, `false` where it is 0.
/// - `hashes`: for the asset of this `fileChecksum`. Of one that another client put in its place they say nothing.
/// - `order`, `layout`: members without a field are left out, fields without a member are appended, sorted by
///   their keys' bytes. A `layout` that is no skeleton of a JSON object, or whose keys are not its fields', is
///   treated as absent.
///
/// The plain text of a value is in `ValueText`. The plain rendering is the object with its members sorted by
/// their keys' bytes, two spaces for each level, `"key": value`, a line for each member, LF at the end.
public struct RecordHints: Hashable, Sendable {
    /// The reserved field.
    public static let fieldName = "zonefolder"

    var path: String?
    var keys: [String: String] = [:]
    var ownTexts: Set<String> = []
    var texts: [String: [UInt8]] = [:]
    var ids: [String: [String]] = [:]
    var ascii: Set<String> = []
    var order: [String]?
    var layout: FileLayout?
    var renewed: String?
    var renewedAssets: [String: String] = [:]
    var hashes: [String: ContentHash] = [:]

    init() {}

    /// The hints of a record, or `nil` where it has none that can be read.
    public init?(of fields: [String: Field]) {
        guard case .string(let text)? = fields[Self.fieldName]?.value,
            let root = (try? JSONDocument(parsing: Array(text.utf8)))?.root, root.kind == .object,
            root["version"]?.int64 == 1
        else { return nil }
        path = root["path"]?.string
        for member in root["keys"].map({ Array($0.members) }) ?? [] { keys[member.key] = member.value.string }
        for member in root["texts"].map({ Array($0.members) }) ?? [] {
            texts[member.key] = member.value.string.map { Array($0.utf8) }
        }
        for member in root["ids"].map({ Array($0.members) }) ?? [] { ids[member.key] = Self.strings(member.value) }
        ownTexts = Set(Self.strings(root["own"]) ?? [])
        ascii = Set(Self.strings(root["ascii"]) ?? [])
        order = Self.strings(root["order"])
        if let pieces = Self.strings(root["layout"]), pieces.count % 2 == 1 {
            let slots = stride(from: 0, to: pieces.count - 1, by: 2).map {
                FileLayout.Slot(before: Array(pieces[$0].utf8), field: pieces[$0 + 1])
            }
            let layout = FileLayout(slots: slots, tail: Array(pieces[pieces.count - 1].utf8))
            self.layout = layout.isSound ? layout : nil
        }
        renewed = root["renewed"]?.string
        for member in root["renewedAssets"].map({ Array($0.members) }) ?? [] {
            // Change tags are short; what is not is none.
            if let tag = member.value.string, tag.utf8.count <= 100 { renewedAssets[member.key] = tag }
        }
        for member in root["hashes"].map({ Array($0.members) }) ?? [] {
            hashes[member.key] = member.value.string.flatMap { ContentHash(hex: $0) }
        }
    }

    /// The path hint of a record, as `PathMapping/path(ofStructured:type:hint:)` takes it.
    public static func path(of fields: [String: Field]) -> String? {
        RecordHints(of: fields)?.path
    }

    /// The change tag of the version in whose place somebody put another file, equal or not: whoever edits that version knows
    /// nothing of it.
    public static func renewedTag(of fields: [String: Field]) -> String? {
        RecordHints(of: fields)?.renewed
    }

    /// The assets whose files somebody put over equal ones, each with the change tag of the version that had the one before:
    /// to who knows the asset with another tag, or none, it is another file.
    public static func renewedAssets(of fields: [String: Field]) -> [AssetSlot: String] {
        let tags = (RecordHints(of: fields)?.renewedAssets ?? [:]).compactMap { text, tag in
            AssetSlot(text).map { ($0, tag) }
        }
        return Dictionary(tags) { first, _ in first }
    }

    /// The reserved field's text, or `nil` where there is nothing to say.
    var text: String? {
        guard self != RecordHints() else { return nil }
        var json = JSONWriter()
        json.beginObject()
        json.key("version")
        json.int64(1)
        if let path {
            json.key("path")
            json.string(path)
        }
        Self.write(keys, as: "keys", to: &json)
        Self.write(ownTexts.sorted(), as: "own", to: &json)
        Self.write(texts.mapValues { String(decoding: $0, as: UTF8.self) }, as: "texts", to: &json)
        if !ids.isEmpty {
            json.key("ids")
            json.beginObject()
            for (field, list) in ids.sorted(by: { $0.key < $1.key }) {
                Self.write(list, as: field, to: &json, even: true)
            }
            json.endObject()
        }
        Self.write(ascii.sorted(), as: "ascii", to: &json)
        if let order { Self.write(order, as: "order", to: &json, even: true) }
        if let layout {
            let pieces = layout.slots.flatMap { [String(decoding: $0.before, as: UTF8.self), $0.field] }
            Self.write(pieces + [String(decoding: layout.tail, as: UTF8.self)], as: "layout", to: &json)
        }
        if let renewed {
            json.key("renewed")
            json.string(renewed)
        }
        Self.write(renewedAssets, as: "renewedAssets", to: &json)
        Self.write(hashes.mapValues(\.hex), as: "hashes", to: &json)
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The key of a field in the file; a `keys` hint counts only where it fits.
    func key(of field: String) -> String {
        guard let key = keys[field], !FieldNaming.isFieldName(key), FieldNaming.fieldName(of: key) == field else {
            return field
        }
        return key
    }

    private static func strings(_ node: JSONNode?) -> [String]? {
        guard let node, node.kind == .array else { return nil }
        var strings: [String] = []
        for element in node.elements {
            guard let string = element.string else { return nil }
            strings.append(string)
        }
        return strings
    }

    private static func write(_ texts: [String: String], as key: String, to json: inout JSONWriter) {
        guard !texts.isEmpty else { return }
        json.key(key)
        json.beginObject()
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            json.key(name)
            json.string(text)
        }
        json.endObject()
    }

    private static func write(_ list: [String], as key: String, to json: inout JSONWriter, even empty: Bool = false) {
        guard empty || !list.isEmpty else { return }
        json.key(key)
        json.beginArray()
        for text in list { json.string(text) }
        json.endArray()
    }
}
