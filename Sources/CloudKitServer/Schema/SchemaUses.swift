import CloudKitSchema
import GRDB

/// Which parts of development's schema records stand on.
struct SchemaUses {
    let container: String
    let db: Database

    /// Why changes cannot be: records would be left without their type or field.
    func objections(to changes: [SchemaChange]) throws -> [SchemaProblem] {
        let removed = Set(
            changes.compactMap { change -> String? in
                if case .removeRecordType(let type) = change { type } else { nil }
            })
        return try changes.compactMap { change in
            switch change {
            case .removeRecordType(let type):
                let count = try records(of: type)
                return count == 0
                    ? nil : Self.problem("The record type \(type)", "\(Self.spoken(count)) of it", "records")
            case .removeField(let field, let type, _) where !removed.contains(type):
                let count = try records(of: type, with: field)
                return count == 0
                    ? nil : Self.problem("The field \(field) of \(type)", "\(Self.spoken(count)) with it", "values")
            default: return nil
            }
        }
    }

    private static func problem(_ thing: String, _ records: String, _ what: String) -> SchemaProblem {
        SchemaProblem(
            "\(thing) cannot be deleted: development has \(records). Delete the \(what) first, or keep it in the file.")
    }

    private static func spoken(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

    private func records(of type: String, with field: String? = nil) throws -> Int {
        // Names are legal here, so no quote can end the path.
        let condition = field.map { "AND json_type(records.fields, '$.\"\($0)\"') IS NOT NULL" } ?? ""
        return try Int.fetchOne(
            db,
            sql: """
                SELECT count(*) FROM databases JOIN zones ON zones.database_id = databases.id
                    JOIN records ON records.zone_id = zones.id
                WHERE databases.container = ? AND databases.environment = 'development' AND records.type = ? \(condition)
                """,
            arguments: [container, type]) ?? 0
    }
}
