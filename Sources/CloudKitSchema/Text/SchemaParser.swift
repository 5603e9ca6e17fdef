/// Reads the tokens of a schema file by the grammar of protocol §8.1, without looking back.
struct SchemaParser {
    private(set) var positions: [SchemaPlace: SchemaPosition] = [:]
    private let tokens: [SchemaToken]
    private var at = 0

    /// - Parameter tokens: The last one is the text's end.
    init(tokens: [SchemaToken]) {
        self.tokens = tokens
    }

    mutating func schema() throws(SchemaError) -> Schema {
        var schema = Schema()
        guard accept("DEFINE") else { throw unexpected("a schema begins with DEFINE SCHEMA") }
        guard accept("SCHEMA") else { throw unexpected("SCHEMA is expected after DEFINE") }
        while current.kind != .end {
            if accept("CREATE") {
                guard accept("ROLE") else { throw unexpected("ROLE is expected after CREATE") }
                positions[.role(schema.roles.count)] = current.position
                schema.roles.append(try name("a role's name"))
                try expect(";", "after a role")
            } else if accept("RECORD") {
                guard accept("TYPE") else { throw unexpected("TYPE is expected after RECORD") }
                schema.recordTypes.append(try recordType(schema.recordTypes.count))
                try expect(";", "after a record type")
            } else {
                throw unexpected("CREATE ROLE or RECORD TYPE is expected")
            }
        }
        return schema
    }

    private mutating func recordType(_ index: Int) throws(SchemaError) -> Schema.RecordType {
        positions[.recordType(index)] = current.position
        var type = Schema.RecordType(try name("a record type's name"), grants: [])
        try expect("(", "after a record type's name")
        if accept(mark: ")") { return type }
        repeat {
            let start = current
            if accept("GRANT") {
                positions[.grant(type.grants.count, of: index)] = start.position
                type.grants.append(try grant())
            } else if current.kind == .mark || current.kind == .end {
                throw unexpected("a field or a GRANT is expected")
            } else {
                positions[.field(type.fields.count, of: index)] = start.position
                type.fields.append(try field())
            }
        } while accept(mark: ",")
        guard accept(mark: ")") else { throw unexpected("',' or ')' is expected after a field or a grant") }
        return type
    }

    private mutating func field() throws(SchemaError) -> Schema.Field {
        let name = try name("a field's name")
        let type: Schema.FieldType
        if accept("LIST") {
            try expect("<", "after LIST")
            type = try scalar(isList: true)
            try expect(">", "after the type of a list's elements")
        } else {
            type = try scalar(isList: false)
        }
        var indexes: Schema.Indexes = []
        while let index = acceptIndex() { indexes.formUnion(index) }
        return Schema.Field(name, type, indexes)
    }

    private mutating func acceptIndex() -> Schema.Indexes? {
        for (index, keyword) in Schema.Indexes.keywords where accept(keyword) { return index }
        return nil
    }

    private mutating func scalar(isList: Bool) throws(SchemaError) -> Schema.FieldType {
        let isEncrypted = accept("ENCRYPTED")
        if !isEncrypted, accept("NUMBER") {
            return Schema.FieldType(try preference(), isList: isList)
        }
        let simple = Schema.Element.allCases.filter { !$0.text.contains(" ") && $0 != .number }
        let possible = isEncrypted ? simple.filter(\.canBeEncrypted) : simple
        for element in possible where accept(element.text) {
            return Schema.FieldType(element, isList: isList, isEncrypted: isEncrypted)
        }
        if isEncrypted {
            throw unexpected("ENCRYPTED is followed by one of \(possible.map(\.text).joined(separator: ", "))")
        }
        throw unexpected("a field's type is expected, such as STRING or LIST<INT64>")
    }

    private mutating func preference() throws(SchemaError) -> Schema.Element {
        guard accept("PREFERRED") else { return .number }
        guard accept("AS") else { throw unexpected("AS is expected after PREFERRED") }
        if accept("INT64") { return .numberPreferringInt64 }
        if accept("DOUBLE") { return .numberPreferringDouble }
        throw unexpected("a NUMBER is PREFERRED AS INT64 or DOUBLE")
    }

    private mutating func grant() throws(SchemaError) -> Schema.Grant {
        var permissions: [Schema.Permission] = []
        repeat {
            guard let permission = Schema.Permission.allCases.first(where: { accept($0.rawValue) }) else {
                throw unexpected(
                    "READ, CREATE or WRITE is expected after GRANT; a field named grant is put into quotes")
            }
            permissions.append(permission)
        } while accept(mark: ",")
        guard accept("TO") else { throw unexpected("',' or TO is expected after a permission") }
        return Schema.Grant(permissions, to: try name("a role's name"))
    }

    // MARK: - Tokens

    private var current: SchemaToken { tokens[at] }

    private mutating func name(_ what: String) throws(SchemaError) -> String {
        switch current.kind {
        case .quoted: break
        case .word where SchemaName.isReserved(current.text):
            throw unexpected("\(what) is expected; the reserved word is one only in quotes, \"\(current.text)\"")
        case .word where SchemaName.isPlain(current.text): break
        case .word:
            throw unexpected("\(what) is expected; one that does not begin with a letter is put into quotes")
        case .mark, .end: throw unexpected("\(what) is expected")
        }
        defer { at += 1 }
        return current.text
    }

    private mutating func accept(_ keyword: String) -> Bool {
        guard current.kind == .word, current.text.utf8.count == keyword.utf8.count,
            current.text.uppercased() == keyword
        else { return false }
        at += 1
        return true
    }

    private mutating func accept(mark: String) -> Bool {
        guard current.kind == .mark, current.text == mark else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ mark: String, _ place: String) throws(SchemaError) {
        guard accept(mark: mark) else { throw unexpected("'\(mark)' is expected \(place)") }
    }

    /// A sentence of what is expected, and what was found.
    private func unexpected(_ expectation: String) -> SchemaError {
        let capital = expectation.prefix(1).uppercased() + expectation.dropFirst()
        return SchemaError(
            .syntax, [SchemaProblem("\(capital); found was \(current.spoken).", at: current.position)])
    }
}
