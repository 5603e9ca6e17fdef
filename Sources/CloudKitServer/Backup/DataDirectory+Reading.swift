import DatabaseReading
import GRDB
import SystemPackage

extension DataDirectory {
    /// Reads a server's database, whether a server runs on it or not, and leaves no trace of that; also one that a server has
    /// not yet brought up to date, which ``look(at:_:)`` refuses.
    /// - Parameter body: May be run again.
    static func read<Answer>(_ path: FilePath, _ body: (DatabaseQueue) throws -> Answer) throws -> Answer {
        try explaining(path) { try readUnexplained(path, body) }
    }

    /// The same, where damage is to be told apart from all that keeps a database from being read.
    /// - Throws: ``DatabaseDamage``, and ``ServerError`` where there is no data, or none that this program can read.
    static func readDamaged<Answer>(_ path: FilePath, _ body: (Database) throws -> Answer) throws -> Answer {
        try explaining(path) {
            do {
                return try readUnexplained(path) { queue in
                    try queue.read { db in
                        // A later version may be served there by now.
                        try Migrations.check(db, at: FilePath(database(in: path)))
                        return try body(db)
                    }
                }
            } catch let error as DatabaseError {
                throw DatabaseDamage(error) ?? error
            }
        }
    }

    private static func readUnexplained<Answer>(
        _ path: FilePath, _ body: (DatabaseQueue) throws -> Answer
    ) throws -> Answer {
        let file = FilePath(database(in: path))
        do {
            return try TracelessReader.read(file, body)
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            throw ServerError.noData(path)
        } catch let error as Errno {
            throw ServerError.file("read", file, error)
        }
    }
}
