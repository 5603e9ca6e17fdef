import LosslessJSON

extension DocumentMerge {
    /// Whether a text has all values that another one has, each under the same keys; it may have more of them, and in another
    /// order. A list is one value.
    public static func holds(_ text: [UInt8], allOf other: [UInt8]) -> Bool {
        guard let text = try? JSONDocument(parsing: text), let other = try? JSONDocument(parsing: other) else {
            return text == other
        }
        return holds(text.root, allOf: other.root)
    }

    private static func holds(_ node: JSONNode, allOf other: JSONNode) -> Bool {
        guard node.kind == .object, other.kind == .object else {
            return CanonicalJSON.bytes(node) == CanonicalJSON.bytes(other)
        }
        let members = members(of: node)
        return other.members.allSatisfy { member in
            members[Array(member.key.utf8)].map { holds($0, allOf: member.value) } ?? false
        }
    }
}
