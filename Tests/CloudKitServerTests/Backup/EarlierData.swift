import GRDB
import SystemPackage

@testable import CloudKitServer

/// Makes the data of the first version of a server, which was started twice.
/// - Returns: The one step by which its database was made.
func makeEarlierData(in directory: FilePath) async throws -> String {
    try DataDirectory.make(directory)
    let queue = try DatabaseQueue(path: DataDirectory.database(in: directory))
    let first = "1: accounts, records, subscriptions"
    try Migrations.migrator.migrate(queue, upTo: first)
    try await queue.write { db in
        try db.execute(sql: "INSERT INTO server VALUES ('key', 'secret'), ('starts', 2)")
    }
    try queue.close()
    return first
}
