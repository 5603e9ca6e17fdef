import LosslessJSON
import RecordMapping

/// One text for each JSON value, whatever its spelling and layout: what a merge compares.
///
/// Members are sorted by their keys' bytes, strings spelled plainly, numbers brought to digits and a power of ten.
/// An integer literal and one with a fraction stay two values, as they are two types to CloudKit.
enum CanonicalJSON {
    static func bytes(_ node: JSONNode) -> [UInt8] {
        var bytes: [UInt8] = []
        append(node, to: &bytes)
        return bytes
    }

    private static func append(_ node: JSONNode, to bytes: inout [UInt8]) {
        switch node.kind {
        case .object:
            let members = node.members.map { (key: JSONSpelling.string($0.key), value: $0.value) }
            bytes.append(UInt8(ascii: "{"))
            for member in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                bytes += member.key
                append(member.value, to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        case .array:
            bytes.append(UInt8(ascii: "["))
            for element in node.elements {
                append(element, to: &bytes)
                bytes.append(UInt8(ascii: ","))
            }
            bytes.append(UInt8(ascii: "]"))
        case .string: bytes += JSONSpelling.string(node.string ?? "")
        case .number:
            if node.int64 != nil {
                bytes += node.text
            } else if let number = NumberText.normal(node.text) {
                bytes += Array((number.isNegative ? "-" : "+").utf8) + number.digits
                bytes += Array("e\(number.exponent)".utf8)
            }
        case .bool, .null: bytes += node.text
        }
    }
}
