import LosslessJSON
import SyncEngine
import SystemPackage

/// A conflict with both versions of every field that differs; its JSON form is `conflicts --json`.
struct ConflictComparison: Encodable {
    /// One field, each version as it is written in its file; `nil` where the file lacks the field.
    struct Field: Encodable, Hashable {
        var name: String
        var zone: String?
        var yours: String?
    }

    var path: String
    /// The file with the version that lost.
    var copy: String
    /// Whose that one is: `yours` or `zone`.
    var copyHolds: String
    var atMilliseconds: Int64
    /// Empty for what is no JSON object, or no longer there.
    var fields: [Field]

    private let whose: String

    private enum CodingKeys: CodingKey {
        case path, copy, copyHolds, atMilliseconds, fields
    }

    init(_ conflict: StatusReport.Conflict, in folder: FilePath) {
        path = conflict.path
        copy = conflict.copy
        copyHolds = conflict.holdsZoneVersion ? "zone" : "yours"
        whose = ConflictText.whose(conflict)
        atMilliseconds = conflict.atMilliseconds
        let versions = [conflict.path, conflict.copy].map { try? PlainFiles.read(folder.pushing(FilePath($0))) }
        let (file, copy) = (versions[0] ?? [], versions[1] ?? [])
        fields =
            conflict.holdsZoneVersion
            ? Self.differences(zone: copy, yours: file) : Self.differences(zone: file, yours: copy)
    }

    /// The fields in which two JSON objects differ, in the order of the first, then of the second.
    static func differences(zone: [UInt8], yours: [UInt8]) -> [Field] {
        guard let zone = try? JSONDocument(parsing: zone).root, let yours = try? JSONDocument(parsing: yours).root,
            zone.kind == .object, yours.kind == .object
        else { return [] }
        var fields: [Field] = []
        for member in zone.members {
            let other = yours[member.key]
            if let other, other.text.elementsEqual(member.value.text) { continue }
            fields.append(Field(name: member.key, zone: text(member.value), yours: other.map(text)))
        }
        for member in yours.members where zone[member.key] == nil {
            fields.append(Field(name: member.key, zone: nil, yours: text(member.value)))
        }
        return fields
    }

    /// Lines for people.
    var lines: [String] {
        var lines = ["\(WallClock.text(atMilliseconds))  \(path)"]
        for field in fields {
            lines.append("  \(field.name)")
            lines.append("    zone:  \(field.zone.map(Self.shortened) ?? "(not there)")")
            lines.append("    yours: \(field.yours.map(Self.shortened) ?? "(not there)")")
        }
        lines.append("  \(whose): \(copy)")
        lines.append("  → take what you need from it, then delete it")
        return lines
    }

    private static func text(_ node: JSONNode) -> String {
        String(decoding: node.text, as: UTF8.self)
    }

    private static func shortened(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.count <= 100 ? line : line.prefix(99) + "…"
    }
}
