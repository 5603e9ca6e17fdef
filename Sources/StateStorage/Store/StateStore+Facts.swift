public import FolderSettings
import GRDB
public import StateRows

extension StateStore {
    /// What is known of the folder, its account and its database.
    public func facts() throws(StateError) -> FolderFacts {
        try read { db in try FolderTable.facts(db) }
    }

    /// Changes what is known; writes nothing where it stays the same, and is durable when it returns.
    /// - Returns: The facts as they are now.
    @discardableResult
    public func updateFacts(_ change: (inout FolderFacts) -> Void) throws(StateError) -> FolderFacts {
        try write(.durable) { db in try FolderTable.update(db, change) }
    }
}

extension StateStore {
    /// Says where the state is kept from now on. What was made for another place is forgotten: a state that was copied with its
    /// folder still works for the folder that it was copied from, and two who read one courier take each other's pushes away.
    /// - Parameter home: From `StateDirectory.home()`.
    /// - Returns: Whether a courier was forgotten.
    @discardableResult
    public func setHome(_ home: String) throws(StateError) -> Bool {
        try write(.durable) { db in
            let known = try FolderTable.facts(db)
            guard known.home != home else { return false }
            try FolderTable.update(db) { facts in
                facts.home = home
                (facts.courierURL, facts.courierExpiresMilliseconds, facts.pushToken) = (nil, nil, nil)
            }
            return known.courierURL != nil
        }
    }
}

/// The one row of `folder`.
enum FolderTable {
    static func facts(_ db: Database) throws -> FolderFacts {
        var row = try SQLStatement(
            db,
            """
            SELECT marker, device, server, container, environment, database, zone, owner, file_type, account, subscription,
                database_token, courier_url, courier_expires, push_token, fetched, pushed, paused, schema, learnt_types,
                ignore_rules, form_rules, looked, home, paused_since, paused_until, account_name, is_copy,
                has_unseen_deletions
            FROM folder
            """)
        defer { row.rewind() }
        guard try row.step() else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the row of 'folder' is gone")
        }
        var facts = FolderFacts()
        facts.marker = row.textOrNil(0)
        facts.device = row.textOrNil(1)
        facts.origin = origin(row)
        facts.account = row.textOrNil(9)
        facts.subscription = row.textOrNil(10)
        facts.databaseToken = row.textOrNil(11)
        facts.courierURL = row.textOrNil(12)
        facts.courierExpiresMilliseconds = row.int64OrNil(13)
        facts.pushToken = row.textOrNil(14)
        facts.fetchedMilliseconds = row.int64OrNil(15)
        facts.pushedMilliseconds = row.int64OrNil(16)
        if row.bool(17) {
            facts.pause = FolderPause(sinceMilliseconds: row.int64(24), untilMilliseconds: row.int64OrNil(25))
        }
        facts.schema = row.bytesOrNil(18)
        guard let types = LineList.names(row.bytes(19)) else { throw row.damaged(19, "list of record types") }
        facts.learntTypes = types
        facts.ignoreRules = row.textOrNil(20)
        facts.formRules = row.textOrNil(21)
        facts.lookedMilliseconds = row.int64OrNil(22)
        facts.home = row.textOrNil(23)
        facts.accountName = row.textOrNil(26)
        facts.isCopy = row.bool(27)
        facts.hasUnseenDeletions = row.bool(28)
        return facts
    }

    private static func origin(_ row: SQLStatement) -> FolderOrigin? {
        guard let server = row.textOrNil(2), let container = row.textOrNil(3), let environment = row.textOrNil(4),
            let database = row.textOrNil(5), let zone = row.textOrNil(6), let fileRecordType = row.textOrNil(8)
        else { return nil }
        return FolderOrigin(
            server: server, container: container, environment: environment, database: database, zone: zone,
            owner: row.textOrNil(7), fileRecordType: fileRecordType)
    }

    @discardableResult
    static func update(_ db: Database, _ change: (inout FolderFacts) -> Void) throws -> FolderFacts {
        let known = try facts(db)
        var facts = known
        change(&facts)
        guard facts != known else { return facts }
        var update = try SQLStatement(
            db,
            """
            UPDATE folder SET marker = ?, device = ?, server = ?, container = ?, environment = ?, database = ?, zone = ?,
                owner = ?, file_type = ?, account = ?, subscription = ?, database_token = ?, courier_url = ?,
                courier_expires = ?, push_token = ?, fetched = ?, pushed = ?, paused = ?, schema = ?, learnt_types = ?,
                ignore_rules = ?, form_rules = ?, looked = ?, home = ?, paused_since = ?,
                paused_until = ?, account_name = ?, is_copy = ?, has_unseen_deletions = ?
            """)
        update.bind(facts.marker)
        update.bind(facts.device)
        update.bind(facts.origin?.server)
        update.bind(facts.origin?.container)
        update.bind(facts.origin?.environment)
        update.bind(facts.origin?.database)
        update.bind(facts.origin?.zone)
        update.bind(facts.origin?.owner)
        update.bind(facts.origin?.fileRecordType)
        update.bind(facts.account)
        update.bind(facts.subscription)
        update.bind(facts.databaseToken)
        update.bind(facts.courierURL)
        update.bind(facts.courierExpiresMilliseconds)
        update.bind(facts.pushToken)
        update.bind(facts.fetchedMilliseconds)
        update.bind(facts.pushedMilliseconds)
        update.bind(facts.pause != nil)
        update.bind(facts.schema)
        update.bind(LineList.text(facts.learntTypes))
        update.bind(facts.ignoreRules)
        update.bind(facts.formRules)
        update.bind(facts.lookedMilliseconds)
        update.bind(facts.home)
        update.bind(facts.pause?.sinceMilliseconds)
        update.bind(facts.pause?.untilMilliseconds)
        update.bind(facts.accountName)
        update.bind(facts.isCopy)
        update.bind(facts.hasUnseenDeletions)
        try update.run()
        return facts
    }
}
