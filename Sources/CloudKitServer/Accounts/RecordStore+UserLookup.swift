public import CloudKitWire
import GRDB

/// Finding the container's other users (protocol §3.9). A name that is an e-mail address is one; phone numbers are not kept.
extension RecordStore {
    /// Those of the users looked for who exist (`users/discover`).
    public func discover(_ request: UsersDiscoverRequest, as caller: Caller) throws -> UsersDiscoverResponse {
        guard request.lookupInfos.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("lookupInfos", request.lookupInfos.count)
        }
        return UsersDiscoverResponse(
            users: try read { db in
                try request.lookupInfos.compactMap { info in
                    guard let user = try find(info, caller, db) else { return nil }
                    var identity = UserIdentity(
                        userRecordName: user.userRecordName, givenName: user.firstName, familyName: user.lastName)
                    identity.lookupInfo = info
                    return identity
                }
            })
    }

    /// Those of the users looked for who exist (`users/lookup/email`, `users/lookup/id`).
    public func users(_ request: UsersLookupRequest, as caller: Caller) throws -> UsersLookupResponse {
        guard request.users.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("users", request.users.count)
        }
        return UsersLookupResponse(
            users: try read { db in try request.users.compactMap { try find($0, caller, db) } })
    }

    /// Who calls (`users/current`).
    public func user(of caller: Caller) throws -> User {
        let identity = try identity(of: caller)
        return User(
            userRecordName: identity.userRecordName, firstName: identity.givenName, lastName: identity.familyName)
    }

    /// Whoever knows a person's address finds them, as in the service. A record name alone finds only oneself: it stands in
    /// every record of the public database.
    private func find(_ info: UserLookupInfo, _ caller: Caller, _ db: Database) throws -> User? {
        let row: Row?
        if let name = info.userRecordName {
            guard name == caller.userRecordName else { return nil }
            row = try Row.fetchOne(
                db, sql: "SELECT record_name, name FROM users WHERE id = ?", arguments: [caller.userID])
        } else if let address = info.emailAddress, address.contains("@") {
            row = try Row.fetchOne(
                db, sql: "SELECT record_name, name FROM users WHERE container = ? AND name = ? AND is_key = 0",
                arguments: [caller.container, address])
        } else {
            row = nil
        }
        return row.map { User(userRecordName: $0[0], firstName: $0[1], emailAddress: info.emailAddress) }
    }
}
