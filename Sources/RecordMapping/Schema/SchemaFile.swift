/// A CloudKit schema file (`.ckdb`), as `cktool` and the console export and import it (protocol §8.1).
///
/// Read are record types and their fields; roles, grants, indexes and system fields mean nothing to the mapping.
public enum SchemaFile {
    /// Why a text is no schema.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// For a person, with the line.
        public var message: String
        /// Counted from 1.
        public var line: Int

        /// The message.
        public var description: String { message }
    }

    /// The schema that a file declares.
    ///
    /// A type that does not declare the reserved field ``RecordHints/fieldName`` cannot carry hints. A `NUMBER`
    /// without a preference may still become either type and is left to be learned.
    public static func schema(_ text: String) throws(Failure) -> ZoneSchema {
        var parser = SchemaFileParser(tokens: try SchemaToken.tokens(of: text))
        return try parser.schema()
    }
}

/// A word, a quoted name or a mark of a schema file.
struct SchemaToken: Hashable {
    var text: String
    var isQuoted: Bool
    var line: Int

    static func tokens(of text: String) throws(SchemaFile.Failure) -> [SchemaToken] {
        let bytes = Array(text.utf8)
        var tokens: [SchemaToken] = []
        var at = 0
        var line = 1
        func starts(_ mark: String) -> Bool { bytes[at...].starts(with: mark.utf8) }
        while at < bytes.count {
            let start = at
            switch bytes[at] {
            case 0x0A:
                line += 1
                at += 1
            case 0x20, 0x09, 0x0D: at += 1
            case _ where starts("//") || starts("--"):
                while at < bytes.count, bytes[at] != 0x0A { at += 1 }
            case _ where starts("/*"):
                let opened = line
                at += 2
                while at < bytes.count, !starts("*/") {
                    if bytes[at] == 0x0A { line += 1 }
                    at += 1
                }
                guard at < bytes.count else { throw .init("this comment does not end", line: opened) }
                at += 2
            case UInt8(ascii: "\""):
                at += 1
                while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != 0x0A { at += 1 }
                guard at < bytes.count, bytes[at] != 0x0A else {
                    throw .init("this name lacks its closing quote", line: line)
                }
                tokens.append(.init(bytes[(start + 1)..<at], isQuoted: true, line: line))
                at += 1
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "<"),
                UInt8(ascii: ">"):
                at += 1
                tokens.append(.init(bytes[start..<at], isQuoted: false, line: line))
            default:
                while at < bytes.count, SchemaName.isLegal(bytes[at]) { at += 1 }
                guard at > start else { throw .init("a character that has no meaning here", line: line) }
                tokens.append(.init(bytes[start..<at], isQuoted: false, line: line))
            }
        }
        return tokens
    }

    init(_ bytes: ArraySlice<UInt8>, isQuoted: Bool, line: Int) {
        text = String(decoding: bytes, as: UTF8.self)
        self.isQuoted = isQuoted
        self.line = line
    }
}

extension SchemaFile.Failure {
    init(_ reason: String, line: Int) {
        self.init(message: "The schema cannot be read at line \(line): \(reason).", line: line)
    }
}
