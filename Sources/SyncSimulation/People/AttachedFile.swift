import LosslessJSON
import SyncModel

/// The file that a JSON file of these worlds attaches: one at most, in one field.
enum AttachedFile {
    static let field = "pic"

    /// The field's value for a file, as an author writes it.
    static func value(_ path: FolderPath, from file: FolderPath) -> String {
        let from = file.names.dropLast()
        let shared = zip(from, path.names.dropLast()).prefix { $0.elementsEqual($1) }.count
        let up = Array(repeating: "..", count: from.count - shared)
        let down = path.names.dropFirst(shared).map { String(decoding: $0, as: UTF8.self) }
        return "{\"$asset\": \"\((up + down).joined(separator: "/"))\"}"
    }

    /// The file that a JSON file names; `nil` where it names none.
    static func path(in bytes: [UInt8], at file: FolderPath) -> FolderPath? {
        guard file.isJSON, let document = try? JSONDocument(parsing: bytes), document.root.kind == .object,
            let value = document.root.members.first(where: { $0.key == field })?.value,
            // Plain where the field's type is known to whoever wrote the file.
            let text = value.string ?? value.members.first(where: { $0.key == "$asset" })?.value.string
        else { return nil }
        var names = file.names.dropLast().map { String(decoding: $0, as: UTF8.self) }
        for name in text.split(separator: "/" as Character) {
            if name == ".." { _ = names.popLast() } else { names.append(String(name)) }
        }
        return FolderPath(names.joined(separator: "/"))
    }
}

extension FolderPath {
    var isJSON: Bool { bytes.suffix(5).elementsEqual(".json".utf8) }
}
