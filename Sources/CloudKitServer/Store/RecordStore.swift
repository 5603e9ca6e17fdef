import CloudKitWire
public import GRDB
import Synchronization
import SystemPackage

/// A CloudKit container's databases, without any transport: users, zones, records, subscriptions, on SQLite.
///
/// Every call is synchronous and safe from any thread. What a call answers is durable, provided that the writer is: hand in
/// a `DatabasePool` made by ``openPool(at:)``, or an in-memory `DatabaseQueue` where nothing needs to last.
///
/// - Throws: `ErrorDictionary` for a request that is refused as a whole; GRDB's errors where the database fails.
public final class RecordStore: Sendable {
    let writer: any DatabaseWriter
    let surroundings: StoreSurroundings
    let settings: Settings
    let key: ServerKey
    let rotations = Mutex(RotationTable())
    let sessionSaves = Mutex(SessionSaves())
    /// The containers, by environment, whose public database is known to exist.
    let publicDatabases = Mutex<Set<String>>([])
    /// How often the store was opened; the upper half of every new web auth token's number.
    let starts: Int64
    /// What is still to be written down of this start.
    let missedStart: Mutex<MissedStart>
    let holdsAsset: @Sendable (_ sha256: [UInt8], _ size: Int64) -> Bool
    private let pushes: @Sendable ([Push]) -> Void

    /// What can be chosen about a store's behaviour where the real service leaves it open.
    public struct Settings: Sendable {
        /// What makes a web auth token void (protocol §10.1).
        public var webAuthTokenRule = WebAuthTokenRule.untilSuccessorIsUsed
        /// How long a web auth token that is void by the rule stays good all the same; zero: not at all.
        public var webAuthTokenGrace: Duration = .seconds(60)
        /// What a guess of a password costs.
        var passwordCost = PasswordHash.Cost.standard
        /// Whether saving makes record types and fields, in development (protocol §8.3).
        public var learnsSchema = true

        /// The defaults.
        public init() {}
    }

    /// Opens the store and brings its schema up to date; the data of a later version is refused. On a full disk it can be read
    /// all the same, where there is nothing to be brought up to date.
    /// - Parameters:
    ///   - holdsAsset: Whether an asset's bytes are stored, as many as it has; a record may only name one whose are. They must
    ///     then stay for as long as a receipt is good, named or not.
    ///   - pushes: Is given, after each commit, the notifications that it causes.
    public init(
        writer: any DatabaseWriter, surroundings: StoreSurroundings = .system, settings: Settings = Settings(),
        holdsAsset: @escaping @Sendable (_ sha256: [UInt8], _ size: Int64) -> Bool = { _, _ in true },
        pushes: @escaping @Sendable ([Push]) -> Void = { _ in }
    ) throws {
        try Migrations.migrate(writer)
        self.writer = writer
        self.surroundings = surroundings
        self.settings = settings
        self.holdsAsset = holdsAsset
        self.pushes = pushes
        let start = try Self.start(on: writer, surroundings, newKey: hex(surroundings.randomBytes(32)))
        key = ServerKey(Array(start.key.utf8))
        missedStart = Mutex(start.missed)
        starts = start.number
    }

    /// Opens a store to look at: nothing is brought up to date, counted or saved.
    /// - Throws: ``ServerError`` `older` or `newer` for the data of another version.
    init(looking queue: DatabaseQueue, at path: FilePath) throws {
        try queue.read { try Migrations.check($0, at: path.appending("server.sqlite")) }
        guard try queue.read({ try Migrations.migrator.hasCompletedMigrations($0) }) else {
            throw ServerError.olderData(path)
        }
        writer = queue
        surroundings = .system
        settings = Settings()
        holdsAsset = { _, _ in true }
        pushes = { _ in }
        key = ServerKey(
            Array(try queue.read { try String.fetchOne($0, sql: "SELECT value FROM server WHERE name = 'key'")! }.utf8))
        starts = 0
        missedStart = Mutex(MissedStart())
    }

    /// Opens a store that lasts as long as it is used.
    package convenience init(
        inMemoryWith surroundings: StoreSurroundings, settings: Settings = Settings(),
        holdsAsset: @escaping @Sendable (_ sha256: [UInt8], _ size: Int64) -> Bool,
        pushes: @escaping @Sendable ([Push]) -> Void
    ) throws {
        let writer = try DatabaseQueue()
        try Self.newDatabase.get().backup(to: writer)
        try self.init(
            writer: writer, surroundings: surroundings, settings: settings, holdsAsset: holdsAsset, pushes: pushes)
    }

    /// What every store in memory begins with: made once, for a simulated world opens several.
    private static let newDatabase = Result {
        let queue = try DatabaseQueue()
        try Migrations.migrator.migrate(queue)
        return queue
    }

    /// Opens a database file so that a commit is durable when it returns and other processes may read and write it.
    public static func openPool(at path: String) throws -> DatabasePool {
        var configuration = GRDB.Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(10)
        configuration.maximumReaderCount = 4
        // SQLite gives its other files the permissions of this one: nobody else may read the server's key.
        try FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .closeOnExec], permissions: [.ownerReadWrite]
        )
        .close()
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { db in
            // Without FULL, a power cut could take back the newest commits, although clients were told of them. It must be
            // said here: opening a pool sets NORMAL after `prepareDatabase` has run.
            try db.execute(sql: "PRAGMA synchronous = FULL")
        }
        return pool
    }

    /// Saves what is only kept in memory, and brings all that is in the log into the database file. Nothing that clients
    /// rely on is lost without it, as on a disk that is full or takes no writing.
    public func close() throws {
        let saved = Result {
            do {
                try saveRotations()
                try emptyLog()
            } catch let error as DatabaseError where error.isOfWriting {}
        }
        try writer.close()
        try saved.get()
    }

    /// SQLite does it when the last connection is closed. GRDB closes a pool's writer first, and then the readers, which may
    /// not.
    private func emptyLog() throws {
        guard let pool = writer as? DatabasePool else { return }
        do {
            try pool.barrierWriteWithoutTransaction { db in
                // Another process may have it open, and keeps writers waiting no longer than this.
                try db.execute(sql: "PRAGMA busy_timeout = 1000")
                try db.checkpoint(.truncate)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // Whoever reads it there reads the log, too.
        }
    }

    /// One transaction that sees one moment; what it is given must not write.
    func read<Answer>(_ body: (Database) throws -> Answer) throws -> Answer {
        // In memory nobody else writes meanwhile. A queue's own `read` forbids writes by a pragma, and with it every
        // prepared statement is prepared anew.
        guard let queue = writer as? DatabaseQueue else { return try writer.read(body) }
        return try queue.unsafeRead(body)
    }

    /// One transaction, and after it the notifications that it caused.
    func write<Answer>(_ body: (Database, inout [Push]) throws -> Answer) throws -> Answer {
        var caused: [Push] = []
        let answer = try change { db in try body(db, &caused) }
        if !caused.isEmpty { pushes(caused) }
        return answer
    }
}
