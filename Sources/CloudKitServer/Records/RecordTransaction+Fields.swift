import CloudKitSchema
import CloudKitWire

extension RecordTransaction {
    /// The fields of a record after a save, with its assets taken in; what of them the schema has yet to learn; and the
    /// contents of those assets that are new.
    mutating func resolved(
        _ given: [String: Field], of type: String, record: String, isNamed: Bool, over kept: [String: Field]
    ) throws -> (fields: [String: Field], learned: [String: String], newAssets: [AssetTicket.Content]) {
        let known = try schema.fields(of: type)
        let mayLearn = store.settings.learnsSchema && caller.environment == "development"
        if known == nil {
            try Names.check(recordType: type)
            guard mayLearn else { throw ErrorDictionary.badRequest("Cannot create new type \(type) in this schema") }
        }
        let types = FieldTypes(recordType: type, known: known, mayLearn: mayLearn)
        var fields = kept
        var newAssets: [AssetTicket.Content] = []
        // Where the type is new, it is learned even if the record has no field.
        var learned: [String: String] = known == nil ? ["": ""] : [:]
        for (name, field) in given {
            guard field.value != nil else {
                fields[name] = nil
                continue
            }
            if known?[name] == nil { try Names.check(field: name) }
            guard !field.isEncrypted || caller.scope != .public else {
                throw ErrorDictionary.badRequest("encrypted fields are not supported in the public database")
            }
            let (value, newType) = try types.resolve(field, named: name)
            if let newType { learned[name] = newType }
            let accepted = try value.mapAssets { asset in
                let (stored, content) = try store.accept(
                    asset, record: isNamed ? record : nil, field: name, zone: zone.id, now: now)
                newAssets.append(content)
                return stored
            }
            fields[name] = Field(accepted, isEncrypted: field.isEncrypted)
        }
        return (fields, learned, newAssets)
    }
}
