import LosslessJSON
import SyncModel

/// What people write: each save words of its own.
enum Contents {
    private static let fields = ["title", "body", "note"]

    /// The file's next content: of a JSON file one field is another, of any other file everything.
    static func next(at path: FolderPath, after old: [UInt8]?, by number: Int) -> [UInt8] {
        let word = "w\(number)"
        guard path.bytes.suffix(5).elementsEqual(Array(".json".utf8)) else {
            return Array("\(word)a\n\(word)b\n".utf8)
        }
        var values: [String: String] = [:]
        if let old, let document = try? JSONDocument(parsing: old), document.root.kind == .object {
            for member in document.root.members { values[member.key] = member.value.string }
        }
        if values.isEmpty {
            values = ["title": word + "t", "body": word + "b"]
        } else {
            values[fields[number % fields.count]] = word
        }
        let members = values.sorted { $0.key < $1.key }.map { "  \"\($0.key)\": \"\($0.value)\"" }
        return Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
    }
}
