/// Reads the tokens of a schema file by the grammar of protocol §8.1.
struct SchemaFileParser {
    private let tokens: [SchemaToken]
    private var at = 0

    init(tokens: [SchemaToken]) {
        self.tokens = tokens
    }

    mutating func schema() throws(SchemaFile.Failure) -> ZoneSchema {
        var schema = ZoneSchema()
        try expect("DEFINE")
        try expect("SCHEMA")
        while at < tokens.count {
            if accept("CREATE") {
                try expect("ROLE")
                _ = try name()
            } else {
                try expect("RECORD")
                try expect("TYPE")
                let type = try name()
                guard schema.types[type] == nil else { throw failure("the record type \(type) is there twice") }
                schema.types[type] = try recordType()
            }
            try expect(";")
        }
        return schema
    }

    private mutating func recordType() throws(SchemaFile.Failure) -> ZoneSchema.TypeSchema {
        var type = ZoneSchema.TypeSchema(hasHintsField: false)
        try expect("(")
        if accept(")") { return type }
        repeat {
            if accept("GRANT") {
                while !["TO"].contains(current?.text) {
                    guard current != nil else { throw failure("a grant without TO") }
                    at += 1
                }
                at += 1
                _ = try name()
                continue
            }
            let name = try name()
            let field = try field()
            while accept("QUERYABLE") || accept("SORTABLE") || accept("SEARCHABLE") {}
            if name == RecordHints.fieldName {
                type.hasHintsField = field?.type == .string
            } else if !name.hasPrefix("_") {
                type.fields[name] = field
            }
        } while accept(",")
        try expect(")")
        return type
    }

    private mutating func field() throws(SchemaFile.Failure) -> ZoneSchema.FieldSchema? {
        guard accept("LIST") else { return try scalar() }
        try expect("<")
        let element = try scalar()
        try expect(">")
        guard let element, let list = element.type.list else { return nil }
        return ZoneSchema.FieldSchema(list, isEncrypted: element.isEncrypted)
    }

    private mutating func scalar() throws(SchemaFile.Failure) -> ZoneSchema.FieldSchema? {
        let isEncrypted = accept("ENCRYPTED")
        guard let word = current, !word.isQuoted else { throw failure("a field without a type") }
        at += 1
        if word.text == "NUMBER" {
            guard accept("PREFERRED") else { return nil }
            try expect("AS")
            return try scalar()
        }
        guard let type = word.text == "ASSET" ? .asset : FieldType(rawValue: word.text), type.element == nil else {
            throw SchemaFile.Failure("\(word.text) is no type of a field", line: word.line)
        }
        return ZoneSchema.FieldSchema(type, isEncrypted: isEncrypted)
    }

    private var current: SchemaToken? { at < tokens.count ? tokens[at] : nil }

    private mutating func accept(_ word: String) -> Bool {
        guard let current, !current.isQuoted, current.text == word else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ word: String) throws(SchemaFile.Failure) {
        guard accept(word) else {
            throw failure("\(word) is expected" + (current.map { ", not \($0.text)" } ?? ", but the text ends"))
        }
    }

    private mutating func name() throws(SchemaFile.Failure) -> String {
        guard let current, current.isQuoted || SchemaName.isLegal(current.text) else {
            throw failure("a name is expected")
        }
        at += 1
        return current.text
    }

    private func failure(_ reason: String) -> SchemaFile.Failure {
        SchemaFile.Failure(reason, line: current?.line ?? tokens.last?.line ?? 1)
    }
}
