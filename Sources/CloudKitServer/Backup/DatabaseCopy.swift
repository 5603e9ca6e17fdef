import GRDB
import Glibc
import SystemPackage

/// A server's database as it was at one moment, in a file of its own.
///
/// It is made by SQLite's online backup in a single step, which is one reading transaction: a server that writes meanwhile
/// is not kept waiting, and does not show. In several steps each commit of another process would begin it anew, without end
/// on a busy server. VACUUM INTO would see one moment, too, but takes longer, while the server's log cannot be emptied, and
/// may give rows other numbers, by which participants of a share are in order.
struct DatabaseCopy {
    let file: FilePath
    /// Without those that are deleted.
    let records: Int
    let assets: [NamedAsset]
    /// Of the file.
    let bytes: Int64

    /// Copies the database of a data directory.
    /// - Throws: ``ServerError`` where it is damaged: a copy of that is no backup, and must not take the place of one.
    init(of data: FilePath, at file: FilePath) throws {
        self.file = file
        try Self.explaining(file, data) {
            try DataDirectory.read(data) { queue in
                // The body may run again.
                try Self.makeFile(file)
                let copy = try DatabaseQueue(path: file.string)
                try queue.backup(to: copy)
                try copy.close()
            }
        }
        (records, assets) = try Self.explaining(file, data) {
            let copy = try DatabaseQueue(path: file.string)
            let facts = try copy.writeWithoutTransaction { db in
                // One file, without a log of its own beside it. A server that opens it makes one again.
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
                try Self.check(db, data)
                try ServerMark.setBackedUp(db)
                return (try Self.recordCount(db), try NamedAsset.all(in: db))
            }
            try copy.close()
            return facts
        }
        let descriptor = try FileDescriptor.open(file, .readOnly, options: .closeOnExec)
        defer { try? descriptor.close() }
        guard fsync(descriptor.rawValue) == 0 else { throw ServerError.file("fsync", file, Errno(rawValue: errno)) }
        bytes = try descriptor.seek(offset: 0, from: .end)
    }

    /// Who names assets that could not be copied: of each one record.
    func lost(_ reasons: [[UInt8]: LostAsset.Reason]) throws -> [LostAsset] {
        guard !reasons.isEmpty else { return [] }
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: file.string, configuration: configuration)
        return try queue.read { db in
            try LostAsset.find(reasons, in: db).sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value)
        }
    }

    /// An empty file for this account alone, whose permissions SQLite gives to those that it makes beside it.
    private static func makeFile(_ file: FilePath) throws {
        do {
            for ending in ["", "-wal", "-shm", "-journal"] { unlink(file.string + ending) }
            try FileDescriptor.open(
                file, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite
            ).close()
        } catch let error as Errno {
            throw ServerError.file("make", file, error)
        }
    }

    /// The server may have been brought up to date since it was looked at, and a disk may have damaged what it reads rarely.
    private static func check(_ db: Database, _ data: FilePath) throws {
        let source = DataDirectory.database(in: data)
        try Migrations.check(db, at: FilePath(source))
        let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)")
        guard finding == "ok" else { throw ServerError.damagedData(source, finding ?? "it could not be checked") }
    }

    /// Those that are not deleted.
    static func recordCount(_ db: Database) throws -> Int {
        let sql = """
            SELECT count(*) FROM records r JOIN zones z ON z.id = r.zone_id WHERE z.deleted = 0 AND r.fields IS NOT NULL
            """
        return try Int.fetchOne(db, sql: sql) ?? 0
    }

    /// What the copy is found to be, its original is. Only the copy is written, and can fill a disk.
    private static func explaining<Answer>(
        _ file: FilePath, _ data: FilePath, _ body: () throws -> Answer
    ) throws -> Answer {
        do {
            return try DataDirectory.explaining(data, body)
        } catch let error as DatabaseError where error.isOfWriting {
            // Of a quota SQLite does not say that it is used up.
            let cause = error.isOfFullDisk ? .noSpace : DiskProbe.error(writingTo: file.removingLastComponent())
            throw ServerError.file("write", file, cause ?? .ioError)
        }
    }
}
