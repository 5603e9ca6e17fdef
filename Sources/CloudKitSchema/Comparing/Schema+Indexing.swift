extension Schema {
    /// The schema with one index more, or the same where it is there.
    /// - Parameters:
    ///   - index: One index.
    ///   - field: A field of the type, system fields by their `___` names.
    /// - Throws: ``SchemaError`` `refused` where there is no such type or field, or the index makes no sense for it.
    public func adding(
        _ index: Indexes, to field: String, of recordType: String
    ) throws(SchemaError) -> Schema {
        guard let place = recordTypes.firstIndex(where: { $0.name == recordType }) else {
            throw Self.refusal(
                "There is no record type \(recordType). There are: \(Self.list(recordTypes.map(\.name))).")
        }
        var type = recordTypes[place]
        let known = type.fields.firstIndex { $0.name == field }
        guard
            let declared = known.map({ type.fields[$0] }) ?? SystemField(rawValue: field).map({ Field(field, $0.type) })
        else {
            throw Self.refusal(
                "\(recordType) has no field \(field). It has: \(Self.list(type.fields.filter { !$0.isSystem }.map(\.name)))."
            )
        }
        guard declared.possibleIndexes.isSuperset(of: index) else {
            let possible = declared.possibleIndexes.texts.map { $0.lowercased() }
            throw Self.refusal(
                "\(field) of \(recordType) is \(declared.type) and cannot be \(index.texts.joined().lowercased()). "
                    + (possible.isEmpty ? "Nothing can be asked of it." : "It can be: \(Self.list(possible))."))
        }
        let indexed = Field(field, declared.type, declared.indexes.union(index))
        if let known { type.fields[known] = indexed } else { type.fields.append(indexed) }
        var result = self
        result.recordTypes[place] = type
        return result
    }

    private static func refusal(_ sentence: String) -> SchemaError { SchemaError(.refused, [SchemaProblem(sentence)]) }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
