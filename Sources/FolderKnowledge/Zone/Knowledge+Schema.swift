package import CloudKitWire
package import RecordMapping
import StateRows

/// What is learnt of the fields of the zone's record types.
extension Knowledge {
    /// Takes in the field types of records as the zone has them, durably where any was new.
    /// - Throws: `StateError`.
    package func learn(from records: [Record]) throws {
        var learnt = schema
        var types: Set<String> = []
        for record in records where learnt.learn(from: record) {
            if let type = record.recordType { types.insert(type) }
        }
        guard !types.isEmpty else { return }
        try take(learnt, of: types)
    }

    /// Takes in the type of one field, as a refusal of the server names it; `false` where that is known already.
    package func learn(_ field: ZoneSchema.FieldSchema, named name: String, of type: String) throws -> Bool {
        var learnt = schema
        guard learnt.learn(field, named: name, of: type) else { return false }
        try take(learnt, of: [type])
        return true
    }

    private func take(_ learnt: ZoneSchema, of types: Set<String>) throws {
        let stored = learnt.encoded()
        try updateFacts { facts in
            facts.schema = stored
            facts.learntTypes = types.union(facts.learntTypes).sorted()
        }
        schema = learnt
    }

    /// Notes whether a record type has the reserved field.
    package func setHintsField(_ available: Bool, of type: String) { schema.setHintsField(available, of: type) }

    /// Forgets which types lack the reserved field: a schema may have been given it meanwhile.
    package func expectHintsFields() { schema.expectHintsFields() }
}

extension ZoneSchema {
    /// The schema as stored; `nil` where the bytes are none of ours, which costs learning it again.
    package init?(stored bytes: [UInt8]) {
        guard let schema = try? ZoneSchema(decoding: bytes) else { return nil }
        self = schema
    }
}
