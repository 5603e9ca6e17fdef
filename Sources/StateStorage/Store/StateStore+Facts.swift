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
        guard let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM folder")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the row of 'folder' is gone")
        }
        var facts = FolderFacts()
        facts.marker = row["marker"]
        facts.device = row["device"]
        facts.origin = origin(row)
        facts.account = row["account"]
        facts.subscription = row["subscription"]
        facts.databaseToken = row["database_token"]
        facts.courierURL = row["courier_url"]
        facts.courierExpiresMilliseconds = row["courier_expires"]
        facts.pushToken = row["push_token"]
        facts.fetchedMilliseconds = row["fetched"]
        facts.pushedMilliseconds = row["pushed"]
        facts.lookedMilliseconds = row["looked"]
        if row["paused"] {
            facts.pause = FolderPause(
                sinceMilliseconds: row["paused_since"] ?? 0, untilMilliseconds: row["paused_until"])
        }
        facts.schema = try row.withUnsafeData(named: "schema") { data in data.map { Array($0) } }
        let learnt: String = row["learnt_types"]
        guard let types = Array(learnt.utf8).withUnsafeBytes({ LineList.names($0) }) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "'learnt_types' is damaged")
        }
        facts.learntTypes = types
        facts.ignoreRules = row["ignore_rules"]
        facts.formRules = row["form_rules"]
        facts.home = row["home"]
        facts.accountName = row["account_name"]
        facts.isCopy = row["is_copy"]
        facts.hasUnseenDeletions = row["has_unseen_deletions"]
        return facts
    }

    private static func origin(_ row: Row) -> FolderOrigin? {
        guard let server = row["server"] as String?, let container = row["container"] as String?,
            let environment = row["environment"] as String?, let database = row["database"] as String?,
            let zone = row["zone"] as String?, let fileRecordType = row["file_type"] as String?
        else { return nil }
        return FolderOrigin(
            server: server, container: container, environment: environment, database: database, zone: zone,
            owner: row["owner"], fileRecordType: fileRecordType)
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
