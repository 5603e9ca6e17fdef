import CloudKitSchema
import SeededRandomness

extension Schema {
    /// A sound schema.
    static func random(using random: inout SeededGenerator) -> Schema {
        var names = Names()
        var roles: [String] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) { roles.append(names.next(&random)) }
        let everybody = roles + Role.system.sorted()
        var types: [RecordType] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            var grants: [Grant] = []
            for role in everybody.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
                let count = Int.random(in: 1...3, using: &random)
                grants.append(Grant(Array(Permission.allCases.shuffled(using: &random).prefix(count)), to: role))
            }
            types.append(RecordType(names.next(&random), fields: fields(&random), grants: grants))
        }
        return Schema(roles: roles, recordTypes: types)
    }

    private static func fields(_ random: inout SeededGenerator) -> [Field] {
        var names = Names()
        var fields = SystemField.allCases.filter { _ in Bool.random(using: &random) }.map {
            Field($0.rawValue, $0.type)
        }
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let element = Element.allCases.randomElement(using: &random)!
            let type = FieldType(
                element, isList: Bool.random(using: &random),
                isEncrypted: element.canBeEncrypted && Bool.random(using: &random))
            fields.append(Field(names.next(&random), type))
        }
        return fields.shuffled(using: &random).map { field in
            Field(field.name, field.type, Indexes(rawValue: random.next8()).intersection(field.possibleIndexes))
        }
    }

    /// Names that differ, with every word of the grammar among them.
    private struct Names {
        private var used: Set<String> = []
        private static let words = [
            "grant", "GRANT", "Preferred", "queryable", "SORTABLE", "searchable", "list", "LIST", "STRING", "string",
            "encrypted", "NUMBER", "AS", "to", "TO", "role", "RECORD", "TYPE", "CREATE", "DEFINE", "SCHEMA", "READ",
        ]

        mutating func next(_ random: inout SeededGenerator) -> String {
            while true {
                let letters = Array("abcXYZ")
                var name = Self.words.randomElement(using: &random)!
                if Bool.random(using: &random) {
                    name = String(
                        (0...Int.random(in: 0...6, using: &random)).map { _ in letters.randomElement(using: &random)! })
                    if Bool.random(using: &random) { name += "_\(Int.random(in: 0...99, using: &random))" }
                }
                if used.insert(name).inserted { return name }
            }
        }
    }
}

extension SeededGenerator {
    mutating func next8() -> UInt8 { UInt8(truncatingIfNeeded: next()) & 7 }
}
