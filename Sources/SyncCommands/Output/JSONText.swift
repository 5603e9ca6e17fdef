import FoundationEssentials

/// JSON as commands print it: keys in order, slashes as they are.
enum JSONText {
    /// Over several lines, for one result.
    static func pretty(_ value: some Encodable) throws -> String {
        try text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// On one line, for one of many.
    static func line(_ value: some Encodable) throws -> String {
        try text(value, [.sortedKeys, .withoutEscapingSlashes])
    }

    /// Reads what another command printed.
    static func value<Value: Decodable>(_ type: Value.Type, in text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    private static func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
