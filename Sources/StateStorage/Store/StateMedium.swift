import GRDB
import GRDBSQLite

/// Where a simulated device keeps its state: it decides which transactions a crash leaves.
///
/// What a loss of power may leave is what ``StateStore`` promises: every transaction up to one, and no fewer than up to the
/// last durable one.
package protocol StateMedium: Sendable {
    /// The database as the device finds it at its start; `nil` for a new one.
    var image: [UInt8]? { get }
    /// Called at the end of a transaction that wrote something; what it throws undoes the transaction.
    func willCommit() throws
    /// Called after a transaction that wrote something.
    /// - Parameter image: Makes the database's bytes as they are now.
    func didCommit(isDurable: Bool, image: () -> [UInt8])
}

extension Database {
    /// The whole database, as a file would hold it.
    var image: [UInt8] {
        var size: Int64 = 0
        guard let bytes = sqlite3_serialize(sqliteConnection, "main", &size, 0) else { return [] }
        defer { sqlite3_free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    /// Replaces the database, which nothing was read from yet.
    func load(_ image: [UInt8]) throws {
        let count = Int64(image.count)
        let bytes = sqlite3_malloc64(UInt64(count))!.assumingMemoryBound(to: UInt8.self)
        bytes.update(from: image, count: image.count)
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        let code = sqlite3_deserialize(sqliteConnection, "main", bytes, count, count, flags)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
