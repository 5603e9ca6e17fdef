import LosslessJSON
import WireCoding

/// Refuses names with a NUL, which no name of the protocol has (§6).
///
/// SQLite is given a text's bytes up to its first NUL: the zone `Z\0x` would be the zone `Z`, also where it is deleted.
enum RequestNames {
    /// The keys of what the store finds something by: a text, or a list of them. A field's value may hold any character.
    private static let keys: Set<String> = [
        "additionalFields", "clientId", "desiredKeys", "desiredRecordTypes", "emailAddress", "fieldName",
        "ownerRecordName", "recordName", "recordType", "rootRecordDesiredKeys", "rootRecordName", "subscriptionID",
        "subscriptionId", "systemFieldName", "userRecordName", "zoneName",
    ]

    /// Looks through the body of a request. What is no JSON is left to whoever reads the message.
    static func check(_ body: [UInt8]) throws(WireError) {
        guard mayHoldNUL(body), let document = try? JSONDocument(parsing: body) else { return }
        try check(document.root)
    }

    private static func check(_ node: JSONNode) throws(WireError) {
        for element in node.elements { try check(element) }
        for member in node.members {
            let key = member.key
            // The names of fields are keys.
            guard !isCut(key) else { throw WireError("the name of a field or another key holds a NUL character") }
            if keys.contains(key), holdsCut(member.value) { throw WireError("'\(key)' holds a NUL character") }
            try check(member.value)
        }
    }

    private static func holdsCut(_ node: JSONNode) -> Bool {
        if let text = node.string { return isCut(text) }
        return node.elements.contains { element in element.string.map { isCut($0) } ?? false }
    }

    private static func isCut(_ text: String) -> Bool { text.utf8.contains(0) }

    /// JSON has a NUL only as this escape.
    private static func mayHoldNUL(_ body: [UInt8]) -> Bool {
        let escape = #"\u0000"#.utf8
        var rest = body[...]
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            rest = rest[backslash...]
            if rest.starts(with: escape) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
