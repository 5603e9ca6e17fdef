import CloudKitSchema
import GRDB

/// The schema of a container in one environment, as the database has it.
///
/// Nothing is remembered from one transaction to the next: another process may import a schema meanwhile.
struct SchemaTables {
    let container: String
    let environment: String
    let db: Database

    init(of container: String, in environment: String, _ db: Database) {
        self.container = container
        self.environment = environment
        self.db = db
    }

    // MARK: - One record type

    /// The fields of a type with their types as the wire names them, and '' for the type itself; `nil` where there is no
    /// such type.
    func fieldTypes(of recordType: String) throws -> [String: String]? {
        let statement = try db.cachedStatement(
            sql: "SELECT field, type FROM schema_fields WHERE container = ? AND environment = ? AND record_type = ?")
        var known: [String: String] = [:]
        let rows = try Row.fetchCursor(statement, arguments: [container, environment, recordType])
        while let row = try rows.next() { known[row[0]] = row[1] }
        if recordType == Schema.RecordType.users.name {
            known[""] = ""
            for field in Schema.RecordType.users.fields where known[field.name] == nil {
                known[field.name] = field.type.wireName
            }
        }
        return known.isEmpty ? nil : known
    }

    /// The indexes of a type's fields, system fields by their `___` names; what has none is not there.
    func indexes(of recordType: String) throws -> [String: Schema.Indexes] {
        let statement = try db.cachedStatement(
            sql: "SELECT field, kind FROM schema_indexes WHERE container = ? AND environment = ? AND record_type = ?")
        var indexes: [String: Schema.Indexes] = [:]
        let rows = try Row.fetchCursor(statement, arguments: [container, environment, recordType])
        while let row = try rows.next() {
            if let index = Schema.Indexes(keyword: row[1]) { indexes[row[0], default: []].formUnion(index) }
        }
        return indexes
    }

    /// What each role may do with a type's records; a role that may nothing is not there.
    func grants(of recordType: String) throws -> [String: Set<Schema.Permission>] {
        let statement = try db.cachedStatement(
            sql:
                "SELECT role, permission FROM schema_grants WHERE container = ? AND environment = ? AND record_type = ?"
        )
        var grants: [String: Set<Schema.Permission>] = [:]
        let rows = try Row.fetchCursor(statement, arguments: [container, environment, recordType])
        while let row = try rows.next() {
            if let permission = Schema.Permission(rawValue: row[1]) { grants[row[0], default: []].insert(permission) }
        }
        if grants.isEmpty, recordType == Schema.RecordType.users.name { return Schema.RecordType.users.permissions }
        return grants
    }

    /// Adds what a save brought: fields with every index that makes sense, none on system fields; a new type, which is
    /// '' among the fields, with the usual grants.
    func learn(_ types: [String: String], of recordType: String) throws {
        for (field, type) in types {
            try insertField(field, type, of: recordType)
            if field.isEmpty {
                for grant in Schema.Grant.usual { try insert(grant, of: recordType) }
            } else if let known = Schema.FieldType(wireName: type) {
                try insert(known.possibleIndexes, of: field, in: recordType)
            }
        }
    }

    // MARK: - The whole schema

    func schema() throws -> Schema {
        var fields: [String: [Schema.Field]] = [:]
        for row in try rows("SELECT record_type, field, type FROM schema_fields") {
            let field: String = row[1]
            fields[row[0], default: []] += Schema.FieldType(wireName: row[2]).map { [Schema.Field(field, $0)] } ?? []
        }
        let users = Schema.RecordType.users
        for field in users.fields where fields[users.name]?.contains(where: { $0.name == field.name }) != true {
            fields[users.name, default: []].append(field)
        }
        var schema = Schema(roles: try rows("SELECT name FROM schema_roles").map { $0[0] })
        for (name, fields) in fields {
            let indexes = try indexes(of: name)
            let system = Schema.SystemField.allCases.map { Schema.Field($0.rawValue, $0.type) }
            let indexed = (system + fields).map { Schema.Field($0.name, $0.type, indexes[$0.name] ?? []) }
            let grants = try grants(of: name).map { Schema.Grant(Array($1), to: $0) }
            schema.recordTypes.append(Schema.RecordType(name, fields: indexed, grants: grants))
        }
        return schema.sorted()
    }

    /// Makes a schema the whole one.
    func replace(with schema: Schema) throws {
        for table in ["schema_fields", "schema_indexes", "schema_grants", "schema_roles"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE container = ? AND environment = ?",
                arguments: [container, environment])
        }
        for role in schema.roles {
            try db.execute(
                sql: "INSERT INTO schema_roles VALUES (?, ?, ?)", arguments: [container, environment, role])
        }
        for type in schema.recordTypes {
            try insertField("", "", of: type.name)
            for field in type.fields {
                if !field.isSystem { try insertField(field.name, field.type.wireName, of: type.name) }
                try insert(field.indexes, of: field.name, in: type.name)
            }
            for grant in type.grants { try insert(grant, of: type.name) }
        }
    }

    // MARK: - Rows

    private func rows(_ query: String) throws -> [Row] {
        try Row.fetchAll(
            db, sql: query + " WHERE container = ? AND environment = ?", arguments: [container, environment])
    }

    private func insertField(_ field: String, _ type: String, of recordType: String) throws {
        let statement = try db.cachedStatement(sql: "INSERT INTO schema_fields VALUES (?, ?, ?, ?, ?)")
        try statement.execute(arguments: [container, environment, recordType, field, type])
    }

    func insert(_ indexes: Schema.Indexes, of field: String, in recordType: String) throws {
        let statement = try db.cachedStatement(sql: "INSERT INTO schema_indexes VALUES (?, ?, ?, ?, ?)")
        for kind in indexes.texts {
            try statement.execute(arguments: [container, environment, recordType, field, kind])
        }
    }

    private func insert(_ grant: Schema.Grant, of recordType: String) throws {
        let statement = try db.cachedStatement(sql: "INSERT INTO schema_grants VALUES (?, ?, ?, ?, ?)")
        for permission in grant.permissions {
            try statement.execute(
                arguments: [container, environment, recordType, grant.role, permission.rawValue])
        }
    }
}
