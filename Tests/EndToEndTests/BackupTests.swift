import Foundation
import Synchronization
import Testing

@Suite("Backups of a server that is in use", .timeLimit(.minutes(30)))
struct BackupTests {
    /// What a backup says with `--json`.
    private struct Report: Decodable {
        struct Lost: Decodable { var file: String }

        var records: Int
        var assets: Int
        var copiedAssets: Int
        var lost: [Lost]
    }

    /// The records that were answered with success, with the bytes of their assets.
    private final class Answered: Sendable {
        private let saved = Mutex<[String: Data]>([:])
        private let over = Mutex(false)

        var now: [String: Data] { saved.withLock { $0 } }
        var isOver: Bool { over.withLock { $0 } }

        func add(_ name: String, _ bytes: Data) { saved.withLock { $0[name] = bytes } }
        func end() { over.withLock { $0 = true } }
    }

    private func world() async throws -> RealWorld {
        let world = try await RealWorld()
        let zone = #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#
        _ = try await WebClient(world).post("zones/modify", zone)
        return world
    }

    /// Saves records of its own until it is told to end.
    private func write(to world: RealWorld, as writer: Int, _ answered: Answered, atMost: Int = .max) async throws {
        let client = try await WebClient(world)
        var count = 0
        while !answered.isOver, count < atMost {
            count += 1
            let name = "w\(writer)-\(count)"
            let bytes = Data("\(name) ".utf8) + Data(repeating: UInt8(count % 251), count: 3000 * (count % 40))
            let asset = try await client.upload(bytes, to: "content", of: name, "Picture")
            let result = try await client.create(
                "Picture", name, fields: #"{"content":{"value":\#(asset),"type":"ASSETID"}}"#)
            #expect(result["serverErrorCode"] == .null, "\(result)")
            answered.add(name, bytes)
        }
    }

    private func data(of world: RealWorld) -> String { world.place.appending(path: "server").path }

    private func backUp(_ world: RealWorld, to target: String) async throws -> Report {
        let outcome = try await RealProgram.run("serve", "backup", target, "--data", data(of: world), "--json")
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    /// Serves a backup, and expects these records there with the bytes of their assets.
    private func expectServed(_ target: String, _ records: [String: Data]) async throws {
        let restored = try await RealWorld { place in
            try FileManager.default.moveItem(atPath: target, toPath: place.appending(path: "server").path)
        }
        let client = try await WebClient(restored)
        let found = try await client.records()
        for (name, bytes) in records {
            let record = try #require(found[Array(name.utf8)], "\(name)")
            #expect(try await client.download(record["fields"]["content"]) == bytes, "\(name)")
        }
    }

    @Test("What was answered before a backup began is served from it, with all bytes, though saves went on meanwhile")
    func underLoad() async throws {
        let world = try await world()
        let answered = Answered()
        let (first, second) = (world.place.appending(path: "first").path, world.place.appending(path: "second").path)
        var (beforeFirst, beforeSecond): ([String: Data], [String: Data]) = ([:], [:])
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { answered.end() }
            for writer in 1...3 { tasks.addTask { try await write(to: world, as: writer, answered) } }
            #expect(try await eventually { answered.now.count > 20 })
            let early = try await backUp(world, to: second)
            #expect(early.records > 20 && early.copiedAssets == early.assets && early.lost.isEmpty)

            beforeFirst = answered.now
            let whole = try await backUp(world, to: first)
            #expect(whole.records >= beforeFirst.count && whole.assets >= early.assets && whole.lost.isEmpty)

            let count = answered.now.count
            #expect(try await eventually { answered.now.count > count + 10 })
            beforeSecond = answered.now
            let refreshed = try await backUp(world, to: second)
            #expect(refreshed.records >= beforeSecond.count && refreshed.lost.isEmpty)
            #expect(refreshed.copiedAssets > 0 && refreshed.copiedAssets <= refreshed.assets - early.assets)
            answered.end()
            try await tasks.waitForAll()
        }
        try await expectServed(first, beforeFirst)
        try await expectServed(second, beforeSecond)
    }

    @Test("A backup that is killed leaves none, and the next one makes it whole, also after the server was stopped")
    func killed() async throws {
        let world = try await world()
        let answered = Answered()
        try await write(to: world, as: 1, answered, atMost: 60)
        #expect(try await world.stopServer() == 0)
        let target = world.place.appending(path: "backup").path
        let unfinished = world.place.appending(path: ".backup.part").path
        for milliseconds in [5, 20, 40, 80, 160] {
            let process = try RunningProgram(arguments: ["serve", "backup", target, "--data", data(of: world)])
            try await Task.sleep(for: .milliseconds(milliseconds))
            process.kill()
            let status = try await process.ended(within: .seconds(120))
            let isThere = FileManager.default.fileExists(atPath: target)
            #expect(!isThere || !FileManager.default.fileExists(atPath: unfinished), "\(status ?? 0)")
            if isThere { break }
        }
        let report = try await backUp(world, to: target)
        #expect(report.records == 60 && report.assets == 60)
        #expect(!FileManager.default.fileExists(atPath: unfinished))
        try await expectServed(target, answered.now)
    }

    @Test("What the server has lost is named, with 4; what is no place for a backup, or no data, ends with its reason")
    func refusals() async throws {
        let world = try await world()
        let answered = Answered()
        try await write(to: world, as: 1, answered, atMost: 3)
        func backUp(_ target: String, data: String? = nil) async throws -> RealProgram.Outcome {
            try await RealProgram.run("serve", "backup", target, "--data", data ?? self.data(of: world))
        }
        let folder = try await world.addFolder("notes")
        let synced = try await backUp(folder.path + "/backup")
        #expect(synced.status == 2 && synced.errors.contains("lies in the synced folder \(folder.path)"), "\(synced)")
        let full = try await backUp(world.place.path)
        #expect(full.status == 1 && full.errors.contains("holds something else"), "\(full)")
        let inside = try await backUp(data(of: world) + "/backup")
        #expect(inside.status == 1 && inside.errors.contains("belongs to the data"), "\(inside)")
        let nothing = world.place.appending(path: "nothing").path
        let none = try await backUp(world.place.appending(path: "backup").path, data: nothing)
        #expect(none.status == 1 && none.errors.contains("\(nothing) holds no server's data"), "\(none)")

        let place = try #require(URL(string: "assets", relativeTo: URL(filePath: data(of: world) + "/")))
        let names = try FileManager.default.subpathsOfDirectory(atPath: place.path).filter { $0.utf8.count > 60 }
        let name = try #require(names.first)
        try FileManager.default.removeItem(at: place.appending(path: name))
        let target = world.place.appending(path: "backup").path
        let lossy = try await backUp(target)
        #expect(lossy.status == 4 && lossy.errors.contains("assets/\(name) is not there"), "\(lossy)")
        #expect(lossy.output.contains("\(target) is a backup of \(data(of: world)): 3 records in"), "\(lossy)")
        #expect(lossy.output.contains(", 2 assets of "), "\(lossy)")
    }
}
