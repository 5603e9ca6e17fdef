/// What may become of the schemas of a container's two environments (protocol §8.1, §8.3).
extension Schema {
    /// The schema that development has after this one was imported: this one, with the type of the users.
    /// - Throws: ``SchemaError`` `invalid` where it is not sound, `refused` where production already has what this one
    ///   lacks or declares otherwise, or where a field would change its type.
    public func imported(over development: Schema, production: Schema) throws(SchemaError) -> Schema {
        try check()
        let result = keepingUsers(of: development)
        let objections = production.objections(to: result) + development.retypings(in: result, deployed: production)
        guard objections.isEmpty else { throw SchemaError(.refused, objections.map { SchemaProblem($0) }) }
        return result
    }

    /// The schema with the type `Users` of the other one where it has none: that type is there whatever a file says.
    public func keepingUsers(of other: Schema) -> Schema {
        guard self[RecordType.users.name] == nil, let users = other[RecordType.users.name] else { return self }
        return Schema(roles: roles, recordTypes: recordTypes + [users])
    }

    /// The schema that production has after this one, development's, was promoted: all that it had, and with it what
    /// is here; indexes and grants become those of here.
    /// - Parameter leavingOut: Names of fields that production is not to get.
    /// - Throws: ``SchemaError`` `refused` where production has a field with another type.
    public func promoted(over production: Schema, leavingOut: Set<String> = []) throws(SchemaError) -> Schema {
        var result = production
        for role in roles where !result.roles.contains(role) { result.roles.append(role) }
        var objections: [String] = []
        for type in recordTypes {
            let index = result.recordTypes.firstIndex { $0.name == type.name }
            let deployed = index.map { result.recordTypes[$0] }
            let gained = type.fields.filter { !leavingOut.contains($0.name) }
            for field in gained {
                if let other = deployed?[field.name], !other.type.may(become: field.type) {
                    objections.append(Self.sentence(field.name, type.name, other.type, field.type))
                }
            }
            let kept = deployed?.fields.filter { field in
                // A system field that development does not name has lost its index there.
                !field.isSystem && !gained.contains { $0.name == field.name }
            }
            let merged = RecordType(type.name, fields: gained + (kept ?? []), grants: type.grants)
            if let index { result.recordTypes[index] = merged } else { result.recordTypes.append(merged) }
        }
        guard objections.isEmpty else { throw SchemaError(.refused, objections.map { SchemaProblem($0) }) }
        return result
    }

    /// Why a schema of development must not be the other, as this one is deployed.
    private func objections(to other: Schema) -> [String] {
        var objections: [String] = []
        for type in recordTypes {
            guard let successor = other[type.name] else {
                objections.append(
                    "The record type \(type.name) is in production and cannot be removed; the file lacks it.")
                continue
            }
            for field in type.fields where !field.isSystem {
                guard let declared = successor[field.name] else {
                    objections.append(
                        "The field \(field.name) of \(type.name) is in production and cannot be removed; the file lacks "
                            + "it. It is \(field.type).")
                    continue
                }
                if !field.type.may(become: declared.type) {
                    objections.append(Self.sentence(field.name, type.name, field.type, declared.type))
                }
            }
        }
        return objections
    }

    /// The fields whose types would change, without those that are deployed.
    private func retypings(in other: Schema, deployed: Schema) -> [String] {
        changes(to: other).compactMap { change in
            guard case .retypeField(let field, let type, let old, let new) = change, !old.may(become: new),
                deployed[type]?[field] == nil
            else { return nil }
            return "The field \(field) of \(type) is \(old) and cannot become \(new): a field's type never changes. "
                + "Import a schema without the field first, then one with its new type."
        }
    }

    private static func sentence(
        _ field: String, _ recordType: String, _ old: FieldType, _ new: FieldType
    ) -> String {
        "The field \(field) of \(recordType) is \(old) in production and cannot become \(new); take another name."
    }
}
