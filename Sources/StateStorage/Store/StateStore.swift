import DatabaseReading
public import FolderSettings
import GRDB
import StateDatabase
import Synchronization
import SystemPackage

/// The three trees of a folder and what is known of its zone, in one SQLite file.
///
/// Every method is one transaction from one true state to the next, and writes nothing where nothing changed. Calls
/// block for the disk: make them from an executor of your own, not from the shared threads. One process writes (see
/// `FolderLock`); others may read at the same time.
///
/// **What survives a loss of power.** The file is in WAL mode, so what survives is always a prefix of the transactions,
/// in their order: rows never without the token that came with them, nor a token without its rows. A transaction that
/// only repeats what can be looked at again (fetched pages, scans, problems) may be in the lost part, and costs work.
/// A transaction that remembers an act or a person's word (outcomes, facts, approvals, conflicts) is on the disk,
/// with all before it, when the call returns.
public final class StateStore: Sendable {
    /// Whether a transaction is on the disk when it returns, or only before every later one.
    enum Durability {
        case ordered, durable
    }

    static let cacheKilobytes = 8192

    let queue: DatabaseQueue
    /// Whether the file may be opened once more: not where it is only looked at.
    private let isOpenedForWriting: Bool
    let path: FilePath
    /// `nil` where it is in memory, or is only looked at.
    let files: StateFiles?
    private let medium: (any StateMedium)?
    /// Of the last transaction that wrote.
    private let durability = Mutex<Durability?>(nil)

    /// Opens the database of a folder for the one process that holds the `FolderLock`, and for `init`; makes it where it is
    /// missing, and migrates it.
    /// - Throws: `StateError` with the code `newerSchema`, `corrupt`, `permissionDenied` or `io`. Nothing was changed then.
    public init(of directory: StateDirectory) throws(StateError) {
        path = directory.database
        medium = nil
        isOpenedForWriting = true
        let files = StateFiles(path)
        self.files = files
        try Self.makeFile(of: directory)
        var configuration = Configuration()
        configuration.label = "state"
        configuration.busyMode = .timeout(10)
        do {
            queue = try DatabaseQueue(path: path.string, configuration: configuration)
            try Self.checkSchema(of: queue, at: path)
            try queue.writeWithoutTransaction { db in
                // The first sync of a large tree would spend most of its time on page spills and checkpoints with
                // SQLite's own numbers: 8 MB of cache, and a log of up to 32 MB before it is folded in. Once it is, it
                // need not be.
                try db.execute(
                    sql: """
                        PRAGMA journal_mode = WAL;
                        PRAGMA cache_size = -\(Self.cacheKilobytes);
                        PRAGMA wal_autocheckpoint = 8192;
                        PRAGMA journal_size_limit = \(Self.restingLogBytes)
                        """)
            }
            try Schema.migrator.migrate(queue)
            try Self.giveBackRoom(of: queue)
            queue.writeWithoutTransaction(files.begin)
        } catch {
            throw Self.stateError(error, at: path)
        }
    }

    /// Writes a file anew of which more than half is free, as after an update that stores the same in less, or in a folder that
    /// became small.
    private static func giveBackRoom(of queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            let free = try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0
            guard free > smallestSurplus, 2 * free > pages else { return }
            do {
                // What is written anew is another database to a log (StateFiles), and this one has the number of both.
                let number = Int32.random(in: 1 ... .max)
                try db.execute(sql: "VACUUM; PRAGMA user_version = \(number); PRAGMA wal_checkpoint(TRUNCATE)")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                // It takes room first. The file is as it was, and there is another opening.
            }
        }
    }

    /// The log's file is cut to this length where it begins anew.
    static let restingLogBytes = 4 << 20

    /// In pages, 1 MB: less is not worth the work.
    private static let smallestSurplus = 256

    /// Looks at the database of a folder, whose daemon may be running or not; leaves no trace of that.
    /// - Parameter body: May be run several times, until nobody opened or changed the database meanwhile.
    /// - Throws: `StateError` with the code `missing`, `newerSchema`, `corrupt`, `permissionDenied` or `io`, and what the
    ///   body throws.
    public static func look<Value>(at directory: StateDirectory, _ body: (StateStore) throws -> Value) throws -> Value {
        let path = directory.database
        do {
            return try TracelessReader.read(path) { try body(StateStore(looking: $0, at: path)) }
        } catch Errno.noSuchFileOrDirectory {
            throw directory.withoutDatabase()
        } catch let error as Errno {
            throw StateError.system(error, "open", path)
        } catch let error as DatabaseError {
            throw StateError.database(error, at: path)
        }
    }

    private init(looking queue: DatabaseQueue, at path: FilePath) throws {
        self.path = path
        self.queue = queue
        medium = nil
        files = nil
        isOpenedForWriting = false
        try Self.checkSchema(of: queue, at: path)
        guard try queue.read({ try Schema.migrator.hasCompletedMigrations($0) }) else {
            throw StateError.olderSchema(path)
        }
    }

    private static func checkSchema(of queue: DatabaseQueue, at path: FilePath) throws {
        let migrator = Schema.migrator
        let unknown = try queue.read { db in try migrator.appliedIdentifiers(db).subtracting(migrator.migrations) }
        guard unknown.isEmpty else { throw StateError.newerSchema(unknown.sorted(), at: path) }
    }

    /// Opens the state of a simulated device, in memory.
    package init(on medium: any StateMedium) throws(StateError) {
        path = ":memory:"
        self.medium = medium
        files = nil
        isOpenedForWriting = true
        do {
            queue = try DatabaseQueue()
            let image = try medium.image ?? Self.newImage.get()
            try queue.writeWithoutTransaction { try $0.load(image) }
            queue.writeWithoutTransaction { db in medium.didCommit(isDurable: true) { db.image } }
        } catch {
            throw Self.stateError(error, at: path)
        }
    }

    /// The state of a new simulated device: made once, for it takes longer than much of what a device does.
    private static let newImage = Result {
        let queue = try DatabaseQueue()
        // Small pages, small images: most tables of a simulated device have few rows.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 1024") }
        try Schema.migrator.migrate(queue)
        return queue.writeWithoutTransaction(\.image)
    }

    /// Closes the file. Without it, or after a crash, the next opening finds the same state. Where another state is in its place
    /// by now, the next opening finds that one, and nothing of this.
    public func close() throws(StateError) {
        do {
            if let files { try files.close(queue) } else { try queue.close() }
        } catch {
            throw Self.stateError(error, at: path)
        }
    }

    // MARK: Transactions

    /// One transaction that sees one moment; what it is given must not write.
    func read<Value>(_ body: (Database) throws -> Value) throws(StateError) -> Value {
        do {
            // The queue's own `read` forbids writes by a pragma, and with it every prepared statement is prepared anew.
            return try queue.unsafeRead { db in
                // In memory there is no other process that could write meanwhile.
                guard medium == nil else { return try body(db) }
                return try db.transaction("BEGIN DEFERRED TRANSACTION") { try body(db) }
            }
        } catch {
            throw Self.stateError(error, at: path)
        }
    }

    /// One that reads much, by a connection of its own where there may be one: two threads can do so at the same time, and the
    /// pages that it keeps go with it.
    func readAside<Value>(_ body: (Database) throws -> Value) throws(StateError) -> Value {
        // By its name it would find the other one.
        guard isOpenedForWriting, medium == nil, !isReplaced else { return try read(body) }
        do {
            var configuration = Configuration()
            configuration.label = "state, aside"
            configuration.readonly = true
            configuration.busyMode = .timeout(10)
            // Where no more files may be open, there is one already.
            guard let aside = try? DatabaseQueue(path: path.string, configuration: configuration) else {
                return try read(body)
            }
            let value = try aside.read { db in
                // Each page is read once.
                try db.execute(sql: "PRAGMA cache_size = -512")
                return try body(db)
            }
            try aside.close()
            return value
        } catch {
            throw Self.stateError(error, at: path)
        }
    }

    func write<Value>(_ durability: Durability, _ body: (Database) throws -> Value) throws(StateError) -> Value {
        do {
            return try queue.writeWithoutTransaction { db in
                if let files, files.isReplaced(db) { throw StateError.replaced(path) }
                try self.durability.withLock { current in
                    guard current != durability, medium == nil else { return }
                    try db.execute(sql: "PRAGMA synchronous = \(durability == .durable ? "FULL" : "NORMAL")")
                    current = durability
                }
                let changes = db.totalChangesCount
                let result = try db.transaction("BEGIN IMMEDIATE TRANSACTION") {
                    let result = try body(db)
                    if db.totalChangesCount > changes {
                        try files?.willCommit(db)
                        try medium?.willCommit()
                    }
                    return result
                }
                if db.totalChangesCount > changes {
                    medium?.didCommit(isDurable: durability == .durable) { db.image }
                    files?.didCommit(db)
                }
                return result
            }
        } catch {
            throw Self.stateError(error, at: path)
        }
    }

    private static func stateError(_ error: any Error, at path: FilePath) -> StateError {
        switch error {
        case let error as StateError: error
        case let error as DatabaseError: .database(error, at: path)
        default: StateError(.io, "Could not use \(path): \(error).")
        }
    }
}
