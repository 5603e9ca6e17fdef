import GRDB

@testable import CloudKitServer

extension TestServer {
    /// Gives system fields of a type their indexes, which no save does.
    func allowQueries(of type: String, bySystemFields fields: [String]) throws {
        try inDatabase { db in
            for field in fields {
                for kind in ["QUERYABLE", "SORTABLE"] {
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO schema_indexes VALUES (?, 'development', ?, ?, ?)",
                        arguments: [Self.container, type, field, kind])
                }
            }
        }
    }

    /// Takes a field's indexes away.
    func forbidQueries(of type: String, by field: String) throws {
        try inDatabase { db in
            try db.execute(
                sql: "DELETE FROM schema_indexes WHERE container = ? AND record_type = ? AND field = ?",
                arguments: [Self.container, type, field])
        }
    }

    /// Says who may do what with a type's records in the public database; nobody else may anything.
    func grant(_ grants: [(role: String, permission: String)], of type: String) throws {
        try inDatabase { db in
            try db.execute(
                sql: "DELETE FROM schema_grants WHERE container = ? AND record_type = ?",
                arguments: [Self.container, type])
            for grant in grants {
                try db.execute(
                    sql: "INSERT INTO schema_grants VALUES (?, 'development', ?, ?, ?)",
                    arguments: [Self.container, type, grant.role, grant.permission])
            }
        }
    }

    private func inDatabase(_ body: (Database) throws -> Void) throws {
        try server.store.writer.write(body)
    }
}
