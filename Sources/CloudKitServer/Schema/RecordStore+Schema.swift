import CloudKitQueries
public import CloudKitSchema
import CloudKitWire
import GRDB

/// Schemas of a container's environments. Changes show to a running server's clients at once, whichever process makes
/// them.
extension RecordStore {
    /// The schema in `development` or `production`, in the order of names; every container has the type `Users`.
    public func schema(of container: String, in environment: String) throws -> Schema {
        try read { db in try SchemaTables(of: container, in: environment, db).schema() }
    }

    /// Makes a schema development's: what it omits is deleted there (protocol §8.1).
    ///
    /// No record is ever changed by it. A type that has records and a field that has values therefore stay until
    /// somebody deletes these.
    /// - Parameter isTrial: Whether only to tell what would become different.
    /// - Returns: What became different.
    /// - Throws: `SchemaError` `invalid`, or `refused` with a sentence for each thing that cannot be: production has it, a
    ///   type would change, or records use it. Then nothing was changed.
    @discardableResult
    public func importSchema(
        _ schema: Schema, into container: String, isTrial: Bool = false
    ) throws -> [SchemaChange] {
        let body = { (db: Database) throws -> [SchemaChange] in
            let tables = SchemaTables(of: container, in: "development", db)
            let old = try tables.schema()
            let production = try SchemaTables(of: container, in: "production", db).schema()
            let new = try schema.imported(over: old, production: production)
            let changes = old.changes(to: new)
            let uses = try SchemaUses(container: container, db: db).objections(to: changes)
            guard uses.isEmpty else { throw SchemaError(.refused, uses) }
            if !changes.isEmpty, !isTrial { try tables.replace(with: new) }
            return changes
        }
        return try isTrial ? read(body) : change(body)
    }

    /// Deploys a container's schema from development to production, as the console does (S1.21).
    ///
    /// Production gains record types, fields and roles and never loses any: what was deployed before stays. Indexes and
    /// grants become those of development.
    /// - Parameters:
    ///   - leavingOut: Names of fields that production is not to get.
    ///   - isTrial: Whether only to tell what would become different.
    /// - Returns: What became different.
    /// - Throws: `SchemaError` `refused` where production has a field with another type; then nothing was changed.
    @discardableResult
    public func promoteSchema(
        of container: String, leavingOut: Set<String> = [], isTrial: Bool = false
    ) throws -> [SchemaChange] {
        let body = { (db: Database) throws -> [SchemaChange] in
            let tables = SchemaTables(of: container, in: "production", db)
            let old = try tables.schema()
            let new = try SchemaTables(of: container, in: "development", db).schema()
                .promoted(over: old, leavingOut: leavingOut)
            let changes = old.changes(to: new)
            if !changes.isEmpty, !isTrial { try tables.replace(with: new) }
            return changes
        }
        return try isTrial ? read(body) : change(body)
    }

    /// Adds one index to a field in development.
    /// - Parameters:
    ///   - field: A field of the type; a system field by its `___` name, or by the one that queries use.
    /// - Returns: What became different: nothing where the index was there.
    /// - Throws: `SchemaError` `refused` where there is no such type or field, or the index makes no sense for it.
    @discardableResult
    public func addIndex(
        _ index: Schema.Indexes, to field: String, of recordType: String, in container: String
    ) throws -> [SchemaChange] {
        try change { db in
            let tables = SchemaTables(of: container, in: "development", db)
            let old = try tables.schema()
            let own = old[recordType]?[field]
            let system = SystemField(rawValue: field)?.schemaName
            // Of a type's field that is called like a system field, and has the index, the other one is meant.
            let name = own.map { $0.indexes.isSuperset(of: index) } ?? true ? system ?? field : field
            let changes = old.changes(to: try old.adding(index, to: name, of: recordType))
            if !changes.isEmpty { try tables.insert(index, of: name, in: recordType) }
            return changes
        }
    }

    /// The indexes of a record type's fields, system fields by their `___` names; what has none is not there.
    func indexes(
        ofType recordType: String, in container: String, environment: String, _ db: Database
    ) throws -> [String: Schema.Indexes] {
        try SchemaTables(of: container, in: environment, db).indexes(of: recordType)
    }

    /// What each role may do with a record type's records in the public database; a role that may nothing is not there.
    func grants(
        ofType recordType: String, in container: String, environment: String, _ db: Database
    ) throws -> [String: Set<Schema.Permission>] {
        try SchemaTables(of: container, in: environment, db).grants(of: recordType)
    }
}
