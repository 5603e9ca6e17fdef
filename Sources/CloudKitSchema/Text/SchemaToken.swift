/// A word, a name in quotes or a mark of a schema file.
struct SchemaToken: Hashable {
    enum Kind: Hashable {
        case word, quoted, mark, end
    }

    var kind: Kind
    /// Without the quotes.
    var text: String
    var position: SchemaPosition

    /// What to call it in an error.
    var spoken: String {
        switch kind {
        case .word, .mark: "'\(text)'"
        case .quoted: "\"\(text)\""
        case .end: "the end of the text"
        }
    }

    /// The tokens of a text, without white space and comments; the last one is its end.
    static func tokens(of text: String) throws(SchemaError) -> [SchemaToken] {
        var reader = Reader(bytes: Array(text.utf8))
        var tokens: [SchemaToken] = []
        while let token = try reader.next() { tokens.append(token) }
        tokens.append(SchemaToken(kind: .end, text: "", position: reader.position))
        return tokens
    }

    private struct Reader {
        let bytes: [UInt8]
        var at = 0
        var position = SchemaPosition(line: 1, column: 1)

        init(bytes: [UInt8]) {
            self.bytes = bytes
            // Editors elsewhere put a byte order mark there.
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        }

        mutating func next() throws(SchemaError) -> SchemaToken? {
            try skipSpace()
            guard at < bytes.count else { return nil }
            let start = (at, position)
            switch bytes[at] {
            case UInt8(ascii: "\""): return try quoted(from: start.1)
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "<"),
                UInt8(ascii: ">"):
                advance()
                return token(.mark, from: start)
            case let byte where SchemaName.isPart(byte):
                while at < bytes.count, SchemaName.isPart(bytes[at]) { advance() }
                return token(.word, from: start)
            default:
                advance()
                while at < bytes.count, bytes[at] & 0xC0 == 0x80 { advance() }
                throw SchemaError(
                    .syntax,
                    [
                        SchemaProblem(
                            "'\(token(.mark, from: start).text)' means nothing here; a name with other characters than "
                                + "letters, digits and '_' is put into quotes.", at: start.1)
                    ])
            }
        }

        private func token(_ kind: Kind, from start: (at: Int, position: SchemaPosition)) -> SchemaToken {
            SchemaToken(
                kind: kind, text: String(decoding: bytes[start.at..<at], as: UTF8.self), position: start.position)
        }

        private mutating func quoted(from start: SchemaPosition) throws(SchemaError) -> SchemaToken {
            advance()
            let first = at
            while at < bytes.count, bytes[at] != UInt8(ascii: "\""), bytes[at] != 0x0A { advance() }
            let text = String(decoding: bytes[first..<at], as: UTF8.self)
            guard at < bytes.count, bytes[at] != 0x0A else {
                throw SchemaError(.syntax, [SchemaProblem("The name \"\(text) lacks its closing quote.", at: start)])
            }
            advance()
            return SchemaToken(kind: .quoted, text: text, position: start)
        }

        private mutating func skipSpace() throws(SchemaError) {
            while at < bytes.count {
                switch bytes[at] {
                case 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D: advance()
                case _ where starts("//") || starts("--"):
                    while at < bytes.count, bytes[at] != 0x0A { advance() }
                case _ where starts("/*"):
                    let start = position
                    advance(2)
                    while at < bytes.count, !starts("*/") { advance() }
                    guard at < bytes.count else {
                        throw SchemaError(.syntax, [SchemaProblem("This comment lacks its closing '*/'.", at: start)])
                    }
                    advance(2)
                default: return
                }
            }
        }

        private func starts(_ mark: String) -> Bool { bytes[at...].starts(with: mark.utf8) }

        private mutating func advance(_ count: Int = 1) {
            for _ in 0..<count {
                if bytes[at] == 0x0A {
                    position = SchemaPosition(line: position.line + 1, column: 1)
                } else if bytes[at] & 0xC0 != 0x80 {
                    position.column += 1
                }
                at += 1
            }
        }
    }
}
