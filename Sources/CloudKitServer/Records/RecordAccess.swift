import CloudKitSchema
import CloudKitWire
import GRDB

/// What a caller may do with records. Grants count in the public database only: everything else is its owner's.
///
/// They count for the three roles of every container, and for those of the schema's own that the caller was given
/// (``RecordStore/setRole(_:isGiven:toUser:container:environment:)``).
struct RecordAccess {
    let caller: Caller
    let db: Database

    /// - Parameter creator: Of the record; `nil` for one that is to be made.
    /// - Throws: `ACCESS_DENIED`.
    func require(_ permission: Schema.Permission, of type: String, createdBy creator: String? = nil) throws {
        guard try allows(permission, of: type, createdBy: creator) else { throw Self.denied(permission) }
    }

    static func denied(_ permission: Schema.Permission) -> ErrorDictionary {
        ErrorDictionary(.accessDenied, reason: "\(permission.rawValue) operation not permitted")
    }

    /// Whether a record is there for the caller. One that may neither be read nor written is not: whoever asks for it is
    /// told what is told of a record that does not exist.
    func sees(_ record: StoredRecord) throws -> Bool {
        let mayRead = try allows(.read, record)
        return try mayRead || allows(.write, record)
    }

    /// What may be done with a record that exists; nothing with a tombstone.
    func allows(_ permission: Schema.Permission, _ record: StoredRecord) throws -> Bool {
        guard let type = record.type else { return false }
        return try allows(permission, of: type, createdBy: record.created.userRecordName)
    }

    func allows(_ permission: Schema.Permission, of type: String, createdBy creator: String?) throws -> Bool {
        // The users' own records are in the public database; there are none of their type elsewhere.
        guard caller.scope == .public else { return permission != .create || type != Schema.RecordType.users.name }
        let grants = try grants(of: type)
        let granted = Set(grants.filter { $0.value.contains(permission) }.keys)
        guard granted.isDisjoint(with: roles(for: creator)) else { return true }
        return try hasOne(of: granted.subtracting(Schema.Role.system))
    }

    /// Whether some records of the type may be read, and whether only the caller's own.
    /// - Throws: `ACCESS_DENIED` where none may.
    func readsOnlyOwn(_ type: String) throws -> Bool {
        if try allows(.read, of: type, createdBy: nil) { return false }
        try require(.read, of: type, createdBy: caller.userRecordName)
        return true
    }

    private func roles(for creator: String?) -> [String] {
        guard caller.userID != nil else { return [Schema.Role.world] }
        let isOwn = creator == caller.userRecordName
        return [Schema.Role.world, Schema.Role.icloud] + (isOwn ? [Schema.Role.creator] : [])
    }

    private func hasOne(of roles: Set<String>) throws -> Bool {
        guard let user = caller.userID, !roles.isEmpty else { return false }
        let statement = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM user_roles WHERE user_id = ? AND environment = ? AND role = ?)")
        return try roles.contains { role in
            try Bool.fetchOne(statement, arguments: [user, caller.environment, role])!
        }
    }

    /// A type that is only about to be learned has the grants that it will get.
    private func grants(of type: String) throws -> [String: Set<Schema.Permission>] {
        let tables = SchemaTables(of: caller.container, in: caller.environment, db)
        guard try tables.fieldTypes(of: type) != nil else {
            return Schema.RecordType(type, fields: [], grants: Schema.Grant.usual).permissions
        }
        return try tables.grants(of: type)
    }
}
