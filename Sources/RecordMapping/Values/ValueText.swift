import CloudKitWire
import LosslessJSON
import RecordPaths
import SyncModel

/// The plain text of a field's value at the top level of a structured file.
///
/// Lists and locations take a line for each element, two spaces for each level, as ``JSONPretty`` does.
struct ValueText {
    let context: MappingContext
    /// The texts that name the value's assets, in order.
    var assetTexts: [String] = []

    /// The text, or `nil` for a value that a file cannot show.
    func text(_ value: FieldValue) -> [UInt8]? {
        if let elements = value.elements {
            if elements.isEmpty { return Array("[]".utf8) }
            var lines: [[UInt8]] = []
            for (index, element) in elements.enumerated() {
                guard let text = scalar(element, index: index, level: 2) else { return nil }
                lines.append(text)
            }
            return Self.block(lines, open: "[", close: "]", level: 1)
        }
        return scalar(value, index: 0, level: 1)
    }

    private func scalar(_ value: FieldValue, index: Int, level: Int) -> [UInt8]? {
        switch value {
        case .string(let text): JSONSpelling.string(text)
        case .int64(let number): JSONSpelling.int64(number)
        case .double(let number): number.isFinite ? JSONSpelling.double(number) : nil
        case .timestamp(let time):
            TimestampText.text(time).map(JSONSpelling.string)
                ?? Self.block([Self.member("$date", JSONSpelling.int64(time))], open: "{", close: "}", level: level)
        case .bytes(let bytes): JSONSpelling.string(Base64Text.text(bytes))
        case .location(let location):
            Self.block(
                LocationText.members(location).map { Self.member($0.key, $0.text) }, open: "{", close: "}", level: level
            )
        case .reference(let reference): self.reference(reference, level: level)
        case .asset: index < assetTexts.count ? JSONSpelling.string(assetTexts[index]) : nil
        default: nil
        }
    }

    /// The target's path where it has one and nothing else is to be said, else the explicit form.
    private func reference(_ reference: Reference, level: Int) -> [UInt8] {
        let isHere = reference.zoneID == nil || context.isOwnZone(reference.zoneID)
        let path = isHere ? context.path(RecordName(reference.recordName)) : nil
        let text = path.map { JSONSpelling.string(PathAttribute.text(of: $0)) }
        if let text, reference.action == .none { return text }
        var members = [[UInt8]]()
        if let text {
            members.append(Self.member("$ref", text))
        } else {
            var target = [Self.member("recordName", JSONSpelling.string(reference.recordName))]
            if !isHere, let zone = reference.zoneID {
                target.append(Self.member("zoneName", JSONSpelling.string(zone.zoneName)))
                if let owner = zone.ownerRecordName {
                    target.append(Self.member("ownerRecordName", JSONSpelling.string(owner)))
                }
            }
            members.append(Self.member("$ref", Self.block(target, open: "{", close: "}", level: level + 1)))
        }
        if reference.action != .none {
            members.append(Self.member("action", JSONSpelling.string(reference.action.rawValue)))
        }
        return Self.block(members, open: "{", close: "}", level: level)
    }

    private static func member(_ key: String, _ text: [UInt8]) -> [UInt8] {
        JSONSpelling.string(key) + Array(": ".utf8) + text
    }

    private static func block(_ lines: [[UInt8]], open: String, close: String, level: Int) -> [UInt8] {
        let indent = [UInt8](repeating: UInt8(ascii: " "), count: 2 * (level + 1))
        var text = Array((open + "\n").utf8)
        for (index, line) in lines.enumerated() {
            if index > 0 { text += Array(",\n".utf8) }
            text += indent + line
        }
        return text + [UInt8(ascii: "\n")] + indent.dropLast(2) + Array(close.utf8)
    }
}
