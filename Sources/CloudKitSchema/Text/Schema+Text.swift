extension Schema {
    /// The schema as a `.ckdb` file, with keywords in capitals and columns in line.
    ///
    /// Reading it gives this schema again, provided that it is sound: a name with a quote in it cannot be written.
    public var text: String {
        let parts = roles.map { "    CREATE ROLE \(SchemaName.written($0));\n" } + recordTypes.map(\.text)
        return (["DEFINE SCHEMA\n"] + parts).joined(separator: "\n")
    }
}

extension Schema.RecordType {
    fileprivate var text: String {
        let width = fields.map { SchemaName.written($0.name).utf8.count }.max() ?? 0
        let items = fields.map { $0.text(width: width) } + grants.map(\.text)
        let name = SchemaName.written(name)
        guard !items.isEmpty else { return "    RECORD TYPE \(name) ();\n" }
        return "    RECORD TYPE \(name) (\n" + items.map { "        \($0)" }.joined(separator: ",\n") + "\n    );\n"
    }
}

extension Schema.Field {
    fileprivate func text(width: Int) -> String {
        let name = SchemaName.written(name)
        let gap = String(repeating: " ", count: width - name.utf8.count + 1)
        return name + gap + ([type.description] + indexes.texts).joined(separator: " ")
    }
}

extension Schema.Grant {
    fileprivate var text: String {
        "GRANT \(permissions.map(\.rawValue).joined(separator: ", ")) TO \(SchemaName.written(role))"
    }
}
