import RecordPaths

/// Why a file cannot become a structured record as it is.
public struct MappingProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case brokenJSON, duplicateKey, wrongType, numberOutOfRange, illegalValue, missingTarget, illegalAssetPath
        case foreignType
    }

    /// What kind of problem it is.
    public var code: Code
    /// For a person: names the key, what is wrong with it and the way out.
    public var message: String
    /// The key at the top level that it is about.
    public var key: String?
    /// Counted from 1, where the problem has a place in the text.
    public var line: Int?
    /// Counted from 1, in characters.
    public var column: Int?

    /// The message.
    public var description: String { message }

    static func brokenJSON(_ reason: String, line: Int, column: Int) -> Self {
        Self(
            code: .brokenJSON,
            message: "The JSON is broken at line \(line), column \(column): \(reason)",
            line: line, column: column)
    }

    static func duplicateKey(_ reason: String, line: Int, column: Int) -> Self {
        Self(
            code: .duplicateKey,
            message: "A key stands twice in one object, at line \(line), column \(column): \(reason)",
            line: line, column: column)
    }

    /// - Parameter expected: The field's type; that of the list for a value in one.
    static func wrongType(_ place: ValuePlace, found: String, expected: FieldType) -> Self {
        Self(
            code: .wrongType,
            message: "\(place.subject) is \(found), but this field holds \(expected.spoken) in the zone, "
                + "and the type of a field cannot change. Write such a value, or choose another key.",
            key: place.key)
    }

    static func numberOutOfRange(_ place: ValuePlace) -> Self {
        Self(
            code: .numberOutOfRange,
            message: "The number in \(place.object) is too large for any number type of CloudKit. "
                + "Write it as text, in quotes.",
            key: place.key)
    }

    static func illegalValue(_ place: ValuePlace, _ reason: String) -> Self {
        Self(code: .illegalValue, message: "\(place.subject) \(reason).", key: place.key)
    }

    static func sharedField(_ key: String, _ field: String, with other: String) -> Self {
        Self(
            code: .illegalValue,
            message: "\"\(key)\" would share the field \(field) with \"\(other)\". Choose another key.", key: key)
    }

    static func missingTarget(_ place: ValuePlace, _ path: String) -> Self {
        Self(
            code: .missingTarget,
            message: "\(place.subject) refers to \(path), and there is no such record in this folder. "
                + "Write the path of a record's file from the folder's root, or create the file.",
            key: place.key)
    }

    /// What a reference means can be no file of any folder.
    static func illegalTarget(_ place: ValuePlace, _ text: String) -> Self {
        Self(
            code: .illegalValue,
            message: "\(place.subject) refers to \"\(text)\", which no file of a folder can be. "
                + "Write the path of a record's file from the folder's root.",
            key: place.key)
    }

    static func illegalAssetPath(_ place: ValuePlace, _ path: String, _ refusal: AssetPath.Refusal) -> Self {
        Self(
            code: .illegalAssetPath,
            message: "\(place.subject) names \"\(path)\", \(refusal.words), so it cannot be attached. "
                + "Write the path of another file in this folder, relative to this one.",
            key: place.key)
    }

    static func emptyAssetPath(_ place: ValuePlace) -> Self {
        Self(
            code: .illegalAssetPath,
            message: "\(place.subject) is an empty text, which names no file. "
                + "Take it out, or write the path of a file in this folder, relative to this one.",
            key: place.key)
    }

    static func foreignType(_ key: String, _ type: String) -> Self {
        Self(
            code: .foreignType,
            message: "\"\(key)\" holds a \(type) in the zone, a type that a file cannot write. Choose another key.",
            key: key)
    }
}
