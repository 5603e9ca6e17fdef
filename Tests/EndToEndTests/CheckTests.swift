import Foundation
import GRDB
import Testing

@Suite("Checks of a server's data", .timeLimit(.minutes(30)))
struct CheckTests {
    /// What a check says with `--json`.
    private struct Report: Decodable {
        struct Lost: Decodable {
            var file: String
            var reason: String
            var record: String
        }

        var isWhole: Bool
        var isBackup: Bool
        var records: Int?
        var assets: Int
        var unnamedAssets: Int
        var databaseDamage: [String]
        var lost: [Lost]
    }

    /// A server with some records that have assets, and one upload that none names.
    private func world(records: Int) async throws -> RealWorld {
        let world = try await RealWorld()
        let client = try await WebClient(world)
        let zone = #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#
        _ = try await client.post("zones/modify", zone)
        for number in 0..<records { try await save(number, with: client) }
        _ = try await client.upload(Data("of no record".utf8), to: "content", of: "unsaved", "Picture")
        return world
    }

    private func save(_ number: Int, with client: WebClient) async throws {
        let bytes = Data("\(number) ".utf8) + Data(repeating: UInt8(number % 251), count: 5000)
        let asset = try await client.upload(bytes, to: "content", of: "r\(number)", "Picture")
        let result = try await client.create(
            "Picture", "r\(number)", fields: #"{"content":{"value":\#(asset),"type":"ASSETID"}}"#)
        #expect(result["serverErrorCode"] == .null, "\(result)")
    }

    private func data(of world: RealWorld) -> URL { world.place.appending(path: "server") }

    private func backUp(_ world: RealWorld) async throws -> URL {
        let target = world.place.appending(path: "backup")
        let outcome = try await RealProgram.run("serve", "backup", target.path, "--data", data(of: world).path)
        #expect(outcome.status == 0, "\(outcome)")
        return target
    }

    private func check(_ directory: URL) async throws -> RealProgram.Outcome {
        try await RealProgram.run("serve", "check", directory.path)
    }

    private func report(_ directory: URL, status: Int32) async throws -> Report {
        let outcome = try await RealProgram.run("serve", "check", "--data", directory.path, "--json")
        #expect(outcome.status == status && outcome.errors.isEmpty == (status == 0), "\(outcome)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    /// The files of the assets that records name, in the order of their names.
    private func assets(in directory: URL) throws -> [URL] {
        let place = directory.appending(path: "assets")
        return try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { $0.utf8.count > 60 }.sorted()
            .map { place.appending(path: $0) }
    }

    @Test("A server's data is whole while it saves, when it was stopped and when it was killed, and so is a backup")
    func whole() async throws {
        let world = try await world(records: 5)
        let client = try await WebClient(world)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                for _ in 0..<3 {
                    let report = try await report(data(of: world), status: 0)
                    #expect(report.isWhole && !report.isBackup && report.assets >= 5 && report.unnamedAssets >= 1)
                }
            }
            for number in 5..<40 { try await save(number, with: client) }
            try await tasks.waitForAll()
        }
        try await world.killServer()
        let killed = try await report(data(of: world), status: 0)
        #expect(killed.records == 40 && killed.assets == 40 && killed.unnamedAssets == 1)
        try await world.startServer()
        #expect(try await world.stopServer() == 0)
        let stopped = try await check(data(of: world))
        #expect(stopped.status == 0 && stopped.errors.isEmpty, "\(stopped)")
        #expect(stopped.output.contains("\(data(of: world).path) is whole: 40 records in"), "\(stopped)")
        #expect(stopped.output.contains(" No record names 1 further file."), "\(stopped)")
        let backup = try await backUp(world)
        let checked = try await check(backup)
        let words = "\(backup.path) is a whole backup: 40 records in"
        #expect(checked.status == 0 && checked.output.contains(words), "\(checked)")
    }

    @Test("What is changed, cut short and missing in a backup is named with its record, and the exit status is 4")
    func lost() async throws {
        let world = try await world(records: 6)
        let backup = try await backUp(world)
        let files = try assets(in: backup)
        #expect(files.count == 6)
        var bytes = try Data(contentsOf: files[0])
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: files[0])
        try bytes.prefix(1000).write(to: files[1])
        try FileManager.default.removeItem(at: files[2])
        try bytes.write(to: files[0].deletingLastPathComponent().appending(path: String(repeating: "ab", count: 32)))

        let outcome = try await check(backup)
        #expect(outcome.status == 4, "\(outcome)")
        #expect(outcome.output.hasPrefix("\(backup.path) is no whole backup: 6 records in"), "\(outcome)")
        #expect(outcome.errors.hasPrefix("3 assets are missing or damaged:\n"), "\(outcome)")
        for (file, words) in zip(files, ["is damaged", "is cut short", "is not there"]) {
            let line = "\(file.lastPathComponent) \(words): 'content' of the record 'r"
            #expect(outcome.errors.contains(line), "\(line): \(outcome)")
        }
        let report = try await report(backup, status: 4)
        #expect(report.lost.map(\.reason) == ["damaged", "cut-short", "absent"] && report.unnamedAssets == 1)
        #expect(report.lost.allSatisfy { $0.record.hasPrefix("r") } && report.databaseDamage.isEmpty)
        #expect(try await self.report(data(of: world), status: 0).isWhole)

        try FileManager.default.removeItem(at: files[0])
        _ = try await backUp(world)
        #expect(try await check(backup).status == 0)
    }

    @Test("A damaged database is told in SQLite's words, with 4; what is no data, or of a later version, is an error")
    func database() async throws {
        let world = try await world(records: 60)
        let backup = try await backUp(world)
        let database = backup.appending(path: "server.sqlite")
        let newer = world.place.appending(path: "newer")
        try FileManager.default.copyItem(at: backup, to: newer)
        let queue = try DatabaseQueue(path: newer.appending(path: "server.sqlite").path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99: later')") }
        try queue.close()
        let later = try await check(newer)
        #expect(later.status == 1, "\(later)")
        #expect(later.errors.contains("A later version of this program wrote the data"), "\(later)")

        for none in [world.place, world.place.appending(path: "nothing"), database] {
            let outcome = try await check(none)
            #expect(outcome.status == 1 && outcome.errors.contains("holds no server's data"), "\(outcome)")
        }

        var bytes = try Data(contentsOf: database)
        for page in stride(from: bytes.count / 8192 * 4096, to: bytes.count - 4096, by: 4096) {
            bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0x5A, count: 4096))
        }
        try bytes.write(to: database)
        let outcome = try await check(backup)
        #expect(outcome.status == 4 && outcome.errors.hasPrefix("The database is damaged:\n  "), "\(outcome)")
        #expect(try await !report(backup, status: 4).databaseDamage.isEmpty)
    }

    @Test(
        "A disk that takes no writing is read",
        .enabled("needs a namespace of its own to mount in") { await SmallDisk.isAvailable })
    func readOnly() async throws {
        let world = try await world(records: 3)
        let backup = try await backUp(world)
        // Also what a server that was killed left, with its log.
        try await world.killServer()
        for directory in [backup, data(of: world)] {
            let script = """
                mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && ! touch "$1/x" 2>/dev/null &&
                exec "$0" serve check "$1"
                """
            let process = try RunningProgram(
                arguments: ["-rm", "sh", "-c", script, RealProgram.executable.path, directory.path],
                executable: URL(filePath: "/usr/bin/unshare"))
            #expect(try await process.ended(within: .seconds(120)) == 0, "\(process.errors)")
            #expect(process.output.contains(": 3 records in") && process.errors.isEmpty, "\(process.output)")
        }
    }
}
