import CloudKitSchema
import GRDB

/// The roles that a container's schema makes (`CREATE ROLE`) and grants permissions to, and who has them.
///
/// Whoever runs the server gives them. The field `roles` of a `Users` record gives none: it holds numbers, which name no
/// role, and a person may write the record himself (protocol §8.1).
extension RecordStore {
    /// Gives a role to a user, or takes it away; again is harmless. It counts from the next request on.
    ///
    /// - Parameter name: A person's, or of the user as whom a server-to-server key writes.
    /// - Returns: `false` where the container has no such user.
    /// - Throws: ``ServerError`` `name` where a role is given that the environment's schema does not have.
    public func setRole(
        _ role: String, isGiven: Bool, toUser name: String, container: String, environment: String
    ) throws -> Bool {
        try change { db in
            guard let user = try Self.user(name, container, db) else { return false }
            guard isGiven else {
                try db.execute(
                    sql: "DELETE FROM user_roles WHERE user_id = ? AND environment = ? AND role = ?",
                    arguments: [user, environment, role])
                return true
            }
            let exists = try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM schema_roles WHERE container = ? AND environment = ? AND name = ?)",
                arguments: [container, environment, role])!
            guard exists else { throw ServerError.noRole(role, container: container, environment: environment) }
            try db.execute(
                sql: "INSERT OR IGNORE INTO user_roles VALUES (?, ?, ?)", arguments: [user, environment, role])
            return true
        }
    }

    /// The roles of a user, by name; `nil` where the container has no such user.
    public func roles(ofUser name: String, container: String, environment: String) throws -> [String]? {
        try read { db in
            try Self.user(name, container, db).map { user in
                try String.fetchAll(
                    db, sql: "SELECT role FROM user_roles WHERE user_id = ? AND environment = ? ORDER BY role",
                    arguments: [user, environment])
            }
        }
    }

    private static func user(_ name: String, _ container: String, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT id FROM users WHERE container = ? AND name = ?", arguments: [container, name])
    }
}
