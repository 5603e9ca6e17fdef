import Foundation
import GRDB
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("A check of a database that is damaged, or that this program cannot read")
struct DamagedDataCheckTests {
    /// A server's data with many records, which nobody has open.
    private func data(in place: FilePath) throws -> BackupWorld {
        let world = try BackupWorld(in: place)
        for number in 0..<200 { try world.save("record \(number)", Array("\(number)".utf8)) }
        try world.store.close()
        return world
    }

    private func database(of world: BackupWorld) throws -> FileHandle {
        try FileHandle(forUpdating: URL(fileURLWithPath: DataDirectory.database(in: world.data)))
    }

    private func change(_ data: FilePath, _ sql: String) throws {
        try FileManager.default.createDirectory(atPath: data.string, withIntermediateDirectories: true)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: DataDirectory.database(in: data), configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    private func refusal(_ data: FilePath, _ words: String, _ location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: ServerError.self, sourceLocation: location) { try WebServicesServer.check(data) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")", sourceLocation: location)
    }

    @Test("Pages that the disk lost are found")
    func pages() async throws {
        try await withTemporaryDirectory { place in
            let world = try data(in: place)
            let file = try database(of: world)
            let size = try file.seekToEnd()
            for page in stride(from: size / 2, to: size - 4096, by: 4096) {
                try file.seek(toOffset: page - page % 4096)
                try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
            }
            try file.close()
            let before = try trace(world.data)
            let report = try WebServicesServer.check(world.data)
            #expect(!report.isWhole && !report.damage.isEmpty && report.damage.count <= CheckReport.damageLimit)
            #expect(report.lost.isEmpty)
            #expect(try trace(world.data) == before)
        }
    }

    @Test(
        "A database without its end, and one without its beginning, are damage and not an error",
        arguments: [false, true])
    func torn(isBeginning: Bool) async throws {
        try await withTemporaryDirectory { place in
            let world = try data(in: place)
            let file = try database(of: world)
            if isBeginning {
                try file.write(contentsOf: Data(repeating: 0x5A, count: 8192))
            } else {
                try file.truncate(atOffset: file.seekToEnd() / 2)
            }
            try file.close()
            let report = try WebServicesServer.check(world.data)
            #expect(!report.isWhole && report.damage.count == 1 && !report.isComplete && report.records == nil)
            #expect(report.assets == 200 && report.untoldAssets == 200 && report.lost.isEmpty)
        }
    }

    /// Overwrites the first page of a table.
    private func damage(_ table: String, of world: BackupWorld) throws {
        let page = try DataDirectory.read(world.data) { queue in
            try queue.read { db in
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
            }
        }
        let file = try database(of: world)
        try file.seek(toOffset: UInt64(try #require(page) - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
        try file.close()
    }

    @Test(
        "Where SQLite's check ends at a page, what the rest of the database tells is told, and all assets are read",
        arguments: ["databases", "gaps", "users"])
    func brokenOff(table: String) async throws {
        try await withTemporaryDirectory { place in
            let world = try data(in: place)
            try FileManager.default.removeItem(atPath: world.file(of: Array("7".utf8)).string)
            try damage(table, of: world)
            let before = try trace(world.data)
            let report = try WebServicesServer.check(world.data)
            #expect(report.damage.first?.contains("age ") ?? false, "\(report.damage)")
            #expect(report.records == 200 && report.assets == 200 && report.isComplete && report.untoldFolders == 0)
            #expect(report.lost.map(\.reason) == [.absent])
            #expect(try trace(world.data) == before)
        }
    }

    @Test("Records that cannot be counted keep no asset from being read")
    func uncounted() async throws {
        try await withTemporaryDirectory { place in
            let world = try data(in: place)
            try damage("zones", of: world)
            let report = try WebServicesServer.check(world.data)
            #expect(!report.isWhole && report.records == nil && report.assets == 200 && report.isComplete)
        }
    }

    @Test("Where nothing tells which assets are named, those that are there are held against their names")
    func untold() async throws {
        try await withTemporaryDirectory { place in
            let world = try data(in: place)
            let (gone, changed) = (world.file(of: Array("7".utf8)), world.file(of: Array("8".utf8)))
            try FileManager.default.removeItem(atPath: gone.string)
            try Data([1]).write(to: URL(fileURLWithPath: changed.string))
            try damage("asset_uses", of: world)
            try damage("asset_uses_by_asset", of: world)
            let report = try WebServicesServer.check(world.data)
            // Of a directory without assets nothing damaged is asked.
            #expect(!report.isWhole && !report.isComplete && report.untoldFolders > 100)
            #expect(report.assets == 199 && report.untoldAssets == 199 && report.unnamedAssets == 0)
            #expect(report.lost.map(\.reason) == [.damaged] && report.lost[0].record.isEmpty)
            let name = try #require(changed.lastComponent?.string)
            #expect(report.lost[0].file == "assets/\(name.prefix(2))/\(name)")
        }
    }

    @Test("A row that an index does not have is found, and so is one whose other row is missing")
    func rows() async throws {
        try await withTemporaryDirectory { place in
            let world = try data(in: place)
            try change(world.data, "DELETE FROM assets WHERE size = 1")
            let missing = try WebServicesServer.check(world.data)
            #expect(missing.damage == ["rows of 'asset_uses' whose row of 'assets' is missing: 10"])
            #expect(missing.isComplete && missing.assets == 190 && missing.unnamedAssets == 10)
            try change(
                world.data,
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(sql, '(zone_id, change)', '(zone_id, size_bytes)')
                WHERE name = 'records_by_change'
                """)
            let unindexed = try WebServicesServer.check(world.data)
            #expect(unindexed.damage.count == CheckReport.damageLimit)
            #expect(unindexed.damage.contains { $0.contains("records_by_change") }, "\(unindexed.damage)")
        }
    }

    @Test("What is in the log of a server that was killed is read, and the log stays")
    func killed() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            let copy = world.data.removingLastComponent().appending("copy")
            try FileManager.default.copyItem(atPath: world.data.string, toPath: copy.string)
            let log = DataDirectory.database(in: copy) + "-wal"
            #expect(try readFile(FilePath(log)).count > 0)
            let before = try trace(copy)
            let report = try WebServicesServer.check(copy)
            #expect(report.isWhole && report.records == 1 && report.assets == 1)
            #expect(try trace(copy) == before)
        }
    }

    @Test("A directory that takes no writing is read")
    func readOnly() async throws {
        try await withTemporaryDirectory { place in
            let world = try data(in: place)
            let manager = FileManager.default
            func setWritable(_ isWritable: Bool) throws {
                for name in [""] + (try manager.subpathsOfDirectory(atPath: world.data.string)) {
                    let path = world.data.string + "/" + name
                    var isDirectory: ObjCBool = false
                    _ = manager.fileExists(atPath: path, isDirectory: &isDirectory)
                    let permissions = (isDirectory.boolValue ? 0o500 : 0o400) | (isWritable ? 0o200 : 0)
                    try manager.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
                }
            }
            try setWritable(false)
            defer { try? setWritable(true) }
            let before = try trace(world.data)
            #expect(try WebServicesServer.check(world.data).isWhole)
            #expect(try trace(world.data) == before)
        }
    }

    @Test("Data of an earlier version is read as it is, and is of that version afterwards")
    func older() async throws {
        try await withTemporaryDirectory { data in
            let first = try await makeEarlierData(in: data)
            let report = try WebServicesServer.check(data)
            #expect(report.isWhole && report.records == 0)
            let applied = try DataDirectory.read(data) { try $0.read(Migrations.migrator.appliedIdentifiers) }
            #expect(applied == [first])
        }
    }

    @Test("Where there is no data, or that of a later version or of another program, that is said, and nothing is made")
    func refusals() async throws {
        try await withTemporaryDirectory { place in
            let (nothing, empty, file) = (place.appending("nothing"), place.appending("empty"), place.appending("file"))
            let (newer, foreign) = (place.appending("newer"), place.appending("foreign"))
            try DataDirectory.make(empty)
            try Data([7]).write(to: URL(fileURLWithPath: file.string))
            for none in [nothing, empty, file] { refusal(none, "\(none) holds no server's data") }
            #expect(try !isThere(nothing) && FileManager.default.contentsOfDirectory(atPath: empty.string).isEmpty)
            _ = try WebServicesServer.addUser(
                name: "ada", container: TestServer.container, environment: "development", in: newer)
            try change(newer, "INSERT INTO grdb_migrations VALUES ('99: later')")
            refusal(newer, "A later version of this program wrote the data in \(newer)")
            try change(foreign, "CREATE TABLE users (name TEXT)")
            refusal(foreign, "is the database of another program")
            try change(empty, "VACUUM")
            refusal(empty, "\(empty) holds no server's data")
        }
    }
}
