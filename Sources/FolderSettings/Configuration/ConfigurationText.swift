/// The text of `config.toml`, changed one setting at a time: comments, order and spacing stay as they are.
///
/// It reads what people write: `key = value` below a `[table]`, the value on one line or a list over several. What it does
/// not see through, such as a table within a line, it leaves alone; whoever changes a text reads the outcome again.
struct ConfigurationText {
    /// Without their ends; a carriage return stays at the end of its line.
    private var lines: [String]

    init(_ text: String) {
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    var text: String { lines.joined(separator: "\n") }

    /// Gives a setting a value: in its line where it has one, in place of the example that is commented out, or below the
    /// others of its table.
    /// - Parameter value: As TOML spells it.
    mutating func set(_ key: [String], to value: String) {
        let found = statements()
        if let statement = found.first(where: { $0.key == key }) {
            let line = lines[statement.lines.lowerBound]
            let start = line.utf8.index(after: line.utf8.firstIndex(of: UInt8(ascii: "="))!)
            let last = statement.lines.upperBound - 1
            let rest = last == statement.lines.lowerBound ? String(line[start...]) : lines[last]
            lines.replaceSubrange(statement.lines, with: ["\(line[..<start]) \(value)\(Self.tail(of: rest))"])
            return
        }
        let table = Array(key.dropLast())
        let assignment = "\(Self.spelt(key.last!)) = \(value)"
        if let example = example(of: key.last!, in: table) {
            lines[example] = assignment + (lines[example].utf8.last == UInt8(ascii: "\r") ? "\r" : "")
        } else if let last = found.last(where: { $0.key.dropLast() == table[...] }) {
            lines.insert(assignment, at: last.lines.upperBound)
        } else if let header = headers().first(where: { $0.table == table }) {
            lines.insert(assignment, at: header.line + 1)
        } else if table.isEmpty {
            lines.insert(assignment, at: 0)
        } else {
            while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
            lines += ["", "[\(table.map(Self.spelt).joined(separator: "."))]", assignment, ""]
        }
    }

    /// Comments a setting out, so that it can be taken in again; nothing where it has no line.
    mutating func comment(_ key: [String]) {
        guard let statement = statements().first(where: { $0.key == key }) else { return }
        for line in statement.lines { lines[line] = "# " + lines[line] }
    }

    // MARK: Reading

    private struct Statement {
        /// With the names of its table.
        var key: [String]
        var lines: Range<Int>
    }

    private func statements() -> [Statement] {
        var statements: [Statement] = []
        var table: [String] = []
        var number = 0
        while number < lines.count {
            let start = number
            number += 1
            if let header = Self.header(lines[start]) {
                table = header
            } else if let (name, value) = Self.assignment(lines[start]) {
                var depth = Self.scan(value).depth
                while depth > 0, number < lines.count {
                    depth += Self.scan(lines[number][...]).depth
                    number += 1
                }
                statements.append(Statement(key: table + name, lines: start..<number))
            }
        }
        return statements
    }

    private func headers() -> [(table: [String], line: Int)] {
        lines.indices.compactMap { line in Self.header(lines[line]).map { ($0, line) } }
    }

    /// The line `# key = …` of a table.
    private func example(of name: String, in table: [String]) -> Int? {
        var current: [String] = []
        for (number, line) in lines.enumerated() {
            if let header = Self.header(line) {
                current = header
            } else if current == table, let rest = Self.uncommented(line), Self.assignment(String(rest))?.name == [name]
            {
                return number
            }
        }
        return nil
    }

    private static func uncommented(_ line: String) -> Substring? {
        let line = line.drop(while: \.isWhitespace)
        return line.first == "#" ? line.dropFirst() : nil
    }

    private static func header(_ line: String) -> [String]? {
        let line = line.drop(while: \.isWhitespace)
        guard line.first == "[", line.dropFirst().first != "[", let end = line.firstIndex(of: "]") else { return nil }
        return names(line[line.index(after: line.startIndex)..<end])
    }

    private static func assignment(_ line: String) -> (name: [String], value: Substring)? {
        guard line.first(where: { !$0.isWhitespace }) != "#", let equals = line.firstIndex(of: "=") else { return nil }
        return names(line[..<equals]).map { ($0, line[line.index(after: equals)...]) }
    }

    /// The names of a key, such as `records.file_type`; `nil` for what is none.
    private static func names(_ key: Substring) -> [String]? {
        let names = key.split(separator: ".", omittingEmptySubsequences: false).map { part -> String in
            var name = part.drop(while: \.isWhitespace)
            while name.last?.isWhitespace == true { name.removeLast() }
            let isQuoted = name.count > 1 && name.first == "\"" && name.last == "\""
            return String(isQuoted ? name.dropFirst().dropLast() : name)
        }
        return names.contains { $0.isEmpty || $0.contains("\"") || $0.contains("#") } ? nil : names
    }

    /// A name as TOML has it in a key.
    private static func spelt(_ name: String) -> String {
        let isBare = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
            default: false
            }
        }
        return isBare && !name.isEmpty ? name : FolderConfiguration.quoted(name)
    }

    /// The comment behind a value, with the space before it.
    private static func tail(of rest: String) -> String {
        let end = scan(rest[...]).end
        return String(rest[end...])
    }

    /// How many brackets of a piece of a value are open at its end, and where its comment, or the space at its end, begins.
    private static func scan(_ piece: Substring) -> (depth: Int, end: Substring.Index) {
        var depth = 0
        var quote: UInt8?
        var isEscaped = false
        var end = piece.startIndex
        let bytes = piece.utf8
        for index in bytes.indices {
            let byte = bytes[index]
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\"), open == UInt8(ascii: "\"") {
                    isEscaped = true
                } else if byte == open {
                    quote = nil
                }
            } else {
                switch byte {
                case UInt8(ascii: "#"): return (depth, end)
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
                default: break
                }
            }
            if quote != nil || ![0x20, 0x09, 0x0D].contains(byte) { end = bytes.index(after: index) }
        }
        return (depth, end)
    }
}
