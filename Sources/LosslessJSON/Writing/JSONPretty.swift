/// The plain rendering: the layout of a file that nobody has laid out.
///
/// Two spaces for each level, every member and element on a line of its own, `"key": value`, `{}` and `[]` for
/// what is empty, and one LF at the end. Keys, strings and numbers keep their spelling, members their order.
public enum JSONPretty {
    /// Renders a whole document, with its final newline.
    public static func document(_ document: JSONDocument) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(document.bytes.count + document.bytes.count / 4)
        append(document.root, level: 0, to: &result)
        result.append(UInt8(ascii: "\n"))
        return result
    }

    /// Renders an object of members whose values are there already, with its final newline.
    public static func document(members: some Collection<(key: String, value: JSONNode)>) -> [UInt8] {
        var result: [UInt8] = []
        if members.isEmpty {
            result.append(contentsOf: "{}".utf8)
        } else {
            var opening = UInt8(ascii: "{")
            for (key, value) in members {
                result.append(opening)
                newline(level: 1, to: &result)
                JSONSpelling.append(key, to: &result)
                result.append(contentsOf: ": ".utf8)
                append(value, level: 1, to: &result)
                opening = UInt8(ascii: ",")
            }
            newline(level: 0, to: &result)
            result.append(UInt8(ascii: "}"))
        }
        result.append(UInt8(ascii: "\n"))
        return result
    }

    /// Renders one value, without a newline at its end.
    /// - Parameter level: How many objects and arrays of the rendering are around it.
    public static func value(_ node: JSONNode, level: Int = 0) -> [UInt8] {
        var result: [UInt8] = []
        append(node, level: level, to: &result)
        return result
    }

    /// Whether the document's bytes are its plain rendering.
    public static func isPlain(_ document: JSONDocument) -> Bool {
        self.document(document) == document.bytes
    }

    private static func append(_ node: JSONNode, level: Int, to result: inout [UInt8]) {
        switch node.kind {
        case .object where node.count > 0:
            var opening = UInt8(ascii: "{")
            for member in node.members {
                result.append(opening)
                newline(level: level + 1, to: &result)
                result.append(contentsOf: member.keyText)
                result.append(contentsOf: ": ".utf8)
                append(member.value, level: level + 1, to: &result)
                opening = UInt8(ascii: ",")
            }
            newline(level: level, to: &result)
            result.append(UInt8(ascii: "}"))
        case .array where node.count > 0:
            var opening = UInt8(ascii: "[")
            for element in node.elements {
                result.append(opening)
                newline(level: level + 1, to: &result)
                append(element, level: level + 1, to: &result)
                opening = UInt8(ascii: ",")
            }
            newline(level: level, to: &result)
            result.append(UInt8(ascii: "]"))
        case .object: result.append(contentsOf: "{}".utf8)
        case .array: result.append(contentsOf: "[]".utf8)
        default: result.append(contentsOf: node.text)
        }
    }

    private static func newline(level: Int, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "\n"))
        for _ in 0..<2 * level { result.append(UInt8(ascii: " ")) }
    }
}
