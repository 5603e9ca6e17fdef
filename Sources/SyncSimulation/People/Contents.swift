import LosslessJSON
import SyncModel

/// What people write: each save words of its own.
enum Contents {
    private static let fields = ["title", "body", "note"]

    /// The file's next content: of a JSON file one field is another, of any other file everything.
    static func next(at path: FolderPath, after old: [UInt8]?, by number: Int) -> [UInt8] {
        let word = "w\(number)"
        guard path.isJSON else { return Array("\(word)a\n\(word)b\n".utf8) }
        guard var values = members(of: old) else { return object(new(by: number)) }
        values[fields[number % fields.count]] = "\"\(word)\""
        return object(values)
    }

    /// The content of a file that is made to be attached.
    static func attachment(by number: Int) -> [UInt8] {
        Array("w\(number)p\nw\(number)q\n".utf8)
    }

    /// A JSON file's content with another attached file, or with none.
    /// - Parameter path: `nil` for none.
    static func attaching(
        _ path: FolderPath?, to file: FolderPath, after old: [UInt8]?, by number: Int
    ) -> [UInt8] {
        var values = members(of: old) ?? new(by: number)
        values[AttachedFile.field] = path.map { AttachedFile.value($0, from: file) }
        return object(values)
    }

    /// A JSON file's content with another file that it refers to, or with none.
    /// - Parameter target: `nil` for none.
    static func referring(to target: FolderPath?, after old: [UInt8]?, by number: Int) -> [UInt8] {
        var values = members(of: old) ?? new(by: number)
        values[ReferredFile.field] = target.map(ReferredFile.value)
        return object(values)
    }

    private static func new(by number: Int) -> [String: String] {
        ["title": "\"w\(number)t\"", "body": "\"w\(number)b\""]
    }

    static func isObject(_ bytes: [UInt8]) -> Bool {
        (try? JSONDocument(parsing: bytes))?.root.kind == .object
    }

    /// The members of a JSON file, as their texts; `nil` where it has none.
    private static func members(of old: [UInt8]?) -> [String: String]? {
        guard let old, let document = try? JSONDocument(parsing: old), document.root.kind == .object else { return nil }
        var values: [String: String] = [:]
        for member in document.root.members { values[member.key] = String(decoding: member.value.text, as: UTF8.self) }
        return values.isEmpty ? nil : values
    }

    private static func object(_ values: [String: String]) -> [UInt8] {
        let members = values.sorted { $0.key < $1.key }.map { "  \"\($0.key)\": \($0.value)" }
        return Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
    }
}
