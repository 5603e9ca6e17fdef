import LosslessJSON
import SyncModel

/// The file that a JSON file of these worlds refers to: one at most, in one field, and its record has to be in the zone.
enum ReferredFile {
    static let field = "ref"

    /// The field's value for a file, as an author writes it.
    static func value(_ path: FolderPath) -> String {
        "{\"$ref\": \"\(path)\", \"action\": \"VALIDATE\"}"
    }

    /// Whether a JSON file refers to another one.
    static func isNamed(in bytes: [UInt8]) -> Bool {
        guard let document = try? JSONDocument(parsing: bytes), document.root.kind == .object else { return false }
        return document.root.members.contains { $0.key == field }
    }
}
