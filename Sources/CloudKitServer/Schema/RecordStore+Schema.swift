import GRDB

extension RecordStore {
    /// Deploys a container's schema from development to production, as the console does (S1.21).
    ///
    /// Production gains record types and fields and never loses any: what was deployed before stays. A running server
    /// sees it at once, whichever process did it.
    /// - Parameter leavingOut: Names of fields that production is not to have.
    /// - Returns: How many fields production gained.
    @discardableResult
    public func promoteSchema(of container: String, leavingOut: Set<String> = []) throws -> Int {
        try writer.write { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT record_type, field, type FROM schema_fields
                    WHERE container = ? AND environment = 'development'
                    """,
                arguments: [container])
            let statement = try db.makeStatement(
                sql: "INSERT OR IGNORE INTO schema_fields VALUES (?, 'production', ?, ?, ?)")
            var gained = 0
            for row in rows where !leavingOut.contains(row[1]) {
                try statement.execute(arguments: [container, row[0] as String, row[1] as String, row[2] as String])
                gained += (row[1] as String).isEmpty ? 0 : db.changesCount
            }
            return gained
        }
    }
}
