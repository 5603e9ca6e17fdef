import Foundation
import SeededRandomness
import Testing

/// Saves in the very instant of a receive. `ZONEFOLDER_SECONDS` makes it last longer.
@Suite("Saves in the instant of a receive", .timeLimit(.minutes(30)))
struct SimultaneousSaveTests {
    private static let length = Duration.seconds(
        ProcessInfo.processInfo.environment["ZONEFOLDER_SECONDS"].flatMap { Int($0) } ?? 10)
    private static let seed = ProcessInfo.processInfo.environment["ZONEFOLDER_SEED"].flatMap { UInt64($0) } ?? 1

    private static let files: [(name: String, manner: Saver.Manner)] = [
        ("in-place.txt", .inPlace), ("renamed.txt", .byRename), ("recreated.txt", .deleteAndCreate),
        ("Note/renamed.json", .byRename), ("Note/in-place.json", .inPlace),
    ]

    @Test("Two devices save the same files as fast as they sync: no content is ever lost (invariant 1)")
    func noLostBytes() async throws {
        print("seed \(Self.seed), \(Self.length): ZONEFOLDER_SEED=\(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        let outside = world.place.appending(path: "outside")
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
        try laptop.write("first\n", to: "first.txt")
        for folder in [laptop, desk] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "Note"), withIntermediateDirectories: true)
        }
        let daemons = try [laptop.run(), desk.run()]
        #expect(try await eventually { desk.read("first.txt") != nil })

        let savers = Self.files.flatMap { file in
            [(laptop, "laptop"), (desk, "desk")].map { folder, device in
                Saver(folder, file.name, file.manner, device: device, outside: outside)
            }
        }
        let end = ContinuousClock.now + Self.length
        while ContinuousClock.now < end {
            try savers.randomElement(using: &random)?.save()
            try await Task.sleep(for: .microseconds(Int.random(in: 0...12_000, using: &random)))
        }
        let saved = savers.reduce(into: Set<String>()) { $0.formUnion($1.saved) }
        let overwritten = savers.reduce(into: Set<String>()) { $0.formUnion($1.overwritten) }
        for folder in [laptop, desk] { _ = try await folder.settledVerdict() }

        // Late writers are looked after for ten seconds; what they wrote is in the history until then.
        var found: Set<String> = []
        var copies = 0
        for folder in [laptop, desk] {
            let contents = try folder.contents()
            copies += contents.keys.count { $0.contains(".conflict-") }
            for bytes in contents.values { found.insert(String(decoding: bytes, as: UTF8.self)) }
            for kept in try folder.history() { found.insert(String(decoding: kept.bytes, as: UTF8.self)) }
        }
        let lost = saved.subtracting(overwritten).subtracting(found)
        let received = overwritten.union(found).intersection(saved).count
        print(
            "\(saved.count) contents, \(overwritten.count) overwritten by a save, \(copies) conflict copies, \(received) found"
        )
        #expect(lost.isEmpty, "lost: \(lost.sorted().prefix(10)) (\(lost.count))")
        #expect(saved.count > 100 && copies > 0, "nothing met anything")

        // The copies settled, both sides are the same.
        for folder in [laptop, desk] {
            for name in try folder.contents().keys where name.contains(".conflict-") { try folder.delete(name) }
        }
        #expect(try await eventually { try Self.synced(laptop) == Self.synced(desk) })
        for folder in [laptop, desk] {
            #expect(try await folder.settledVerdict() == "in-sync")
            #expect(try folder.names(in: "staging").isEmpty)
        }
        #expect(try Self.synced(laptop) == Self.synced(desk))
        for daemon in daemons {
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
        }
    }

    private static func synced(_ folder: RealFolder) throws -> [String: Data] {
        try folder.contents().filter { !$0.key.contains(".conflict-") }
    }

    @Test("An editor that keeps the replaced file open loses nothing that it writes into it")
    func lateWriter() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try laptop.write("one", to: "a.txt")
        let daemons = try [laptop.run(), desk.run()]
        #expect(try await eventually { desk.read("a.txt") == "one" })
        let editor = try #require(FileHandle(forUpdatingAtPath: desk.path + "/a.txt"))
        try laptop.write("two", to: "a.txt")
        #expect(try await eventually { desk.read("a.txt") == "two" })
        try editor.seekToEnd()
        try editor.write(contentsOf: Data(", and a late word".utf8))
        try editor.close()
        #expect(
            try await eventually {
                try desk.contents().contains {
                    $0.key.contains(".conflict-") && $0.value == Data("one, and a late word".utf8)
                }
            })
        // A word that comes between the exchange and the second look makes the writer take "one" back first.
        #expect(try await eventually { desk.read("a.txt") == "two" })
        #expect(try await desk.settledVerdict() == "attention")
        #expect(try await laptop.settledVerdict() == "in-sync")
        for daemon in daemons {
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
        }
    }
}
