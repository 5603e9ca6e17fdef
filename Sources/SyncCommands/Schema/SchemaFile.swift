import CloudKitSchema
import FolderControl
import SyncService
import SystemPackage

/// A schema in a file, or on standard input for `-`.
struct SchemaFile {
    /// What to call it.
    let name: String
    private let text: String

    init(_ place: String) throws {
        let isInput = place == "-"
        name = isInput ? "standard input" : place
        let path = FilePath(isInput ? "/dev/stdin" : place)
        do {
            guard let text = String(validating: try PlainFiles.read(path), as: UTF8.self) else {
                throw CommandFailure.noText(name)
            }
            self.text = text
        } catch let error as Errno {
            throw CommandFailure.system(error, "read", path)
        }
    }

    /// What is wrong with it; empty where it is a sound schema.
    var problems: [SchemaProblem] {
        do {
            return try SchemaSource(parsing: text).problems
        } catch {
            return error.problems
        }
    }

    var schema: Schema {
        get throws {
            do {
                return try SchemaSource.schema(text)
            } catch {
                throw CommandFailure.refused(error, name: name)
            }
        }
    }
}

extension SchemaProblem {
    /// As compilers print places, which editors can jump to.
    func line(in file: String) -> String {
        position.map { "\(file):\($0.line):\($0.column): \(message)" } ?? "\(file): \(message)"
    }
}

extension CommandFailure {
    static func noText(_ name: String) -> Self {
        Self(status: .error, message: "\(name) is no text in UTF-8, so it is no schema.")
    }

    /// What is wrong with a schema, or why it is not taken, a line each.
    static func refused(_ error: SchemaError, name: String) -> Self {
        let lines = error.problems.map { $0.line(in: name) }
        let sum =
            switch error.code {
            case .syntax, .invalid: "\(name) is no schema that can be used."
            case .refused: "Nothing was changed."
            }
        return Self(status: .error, message: (lines + [sum]).joined(separator: "\n"))
    }

    static func noServerData(_ directory: FilePath) -> Self {
        Self(
            status: .error,
            message: "\(directory) holds no server's data. See to the spelling, or make it: `zonefolder serve user add "
                + "NAME --data \(ShellWord.quoted(directory.string))`.")
    }
}
