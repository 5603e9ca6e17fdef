package import LosslessJSON

/// The forms by which a file introduces a type that JSON cannot show: an object with one of the keys
/// `$date`, `$bytes`, `$ref` (beside it perhaps `action`), `$location`, `$asset`, and no other.
package struct ExplicitForm {
    let type: FieldType
    let content: JSONNode
    /// Of a reference: the text beside `action`.
    package let action: JSONNode?

    package init?(_ node: JSONNode) {
        guard node.kind == .object, (1...2).contains(node.count) else { return nil }
        var found: (FieldType, JSONNode)?
        var action: JSONNode?
        for member in node.members {
            if let type = Self.types.first(where: { member.hasKey($0.key) })?.type {
                guard found == nil else { return nil }
                found = (type, member.value)
            } else if member.hasKey("action") {
                action = member.value
            } else {
                return nil
            }
        }
        guard let found, action == nil || found.0 == .reference else { return nil }
        (type, content) = found
        self.action = action
    }

    private static let types: [(key: String, type: FieldType)] = [
        ("$date", .timestamp), ("$bytes", .bytes), ("$ref", .reference), ("$location", .location), ("$asset", .asset),
    ]
}
