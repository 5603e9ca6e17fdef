import Foundation
import Testing

/// The server's data is put back from a backup, while folders have what was saved since (invariants 1, 6).
@Suite("A server that was restored from a backup", .timeLimit(.minutes(10)))
struct RestoredServerTests {
    /// Two folders in sync, and a copy of the server's data; then something is saved on the laptop, and the copy put back.
    private static func restored(
        lateText: String, _ body: (RealWorld, _ laptop: RealFolder, _ desk: RealFolder) async throws -> Void
    ) async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 2)
        try laptop.write("before\n", to: "plan.txt")
        for folder in [laptop, desk] { try await folder.sync() }
        let (data, backup) = (world.place.appending(path: "server"), world.place.appending(path: "backup"))
        #expect(try await world.stopServer() == 0)
        try FileManager.default.copyItem(at: data, to: backup)
        try await world.startServer()
        try laptop.write(lateText, to: "plan.txt")
        try laptop.write("work of a week\n", to: "week.txt")
        try await laptop.sync()
        #expect(try await world.stopServer() == 0)
        try FileManager.default.removeItem(at: data)
        try FileManager.default.moveItem(at: backup, to: data)
        try await world.startServer()
        try await body(world, laptop, desk)
    }

    /// All texts that a folder has of a file, conflict copies among them.
    private static func texts(_ folder: RealFolder, of stem: String) throws -> Set<String> {
        Set(try folder.files().filter { $0.key.hasPrefix(stem) }.values.map { String(decoding: $0, as: UTF8.self) })
    }

    private static func settle(_ folders: RealFolder...) async throws {
        for _ in 0..<3 { for folder in folders { _ = try await folder.pass() } }
    }

    @Test("What was saved since is not deleted anywhere, and goes to the server again")
    func rolledBack() async throws {
        try await Self.restored(lateText: "laptop's, after the backup\n") { world, laptop, desk in
            try await Self.settle(laptop, desk)
            #expect(laptop.read("week.txt") == "work of a week\n")
            #expect(desk.read("week.txt") == "work of a week\n")
            #expect(try Self.texts(laptop, of: "plan").contains("laptop's, after the backup\n"))
            #expect(try laptop.sharedFiles() == desk.sharedFiles())
            #expect(try StateHonesty.living(in: world) == 4)
        }
    }

    @Test("Where others made as many changes as were lost, no tag and no token of the lost ones is taken for theirs")
    func otherPast() async throws {
        try await Self.restored(lateText: "laptop's, after the backup\n") { _, laptop, desk in
            try desk.write("desk's, after the restore\n", to: "plan.txt")
            try await desk.sync()
            for number in 0..<5 {
                try desk.write("\(number)\n", to: "desk-\(number).txt")
                try await desk.sync()
            }
            try laptop.write("laptop's, later\n", to: "plan.txt")
            try await Self.settle(laptop, desk)
            #expect(try laptop.sharedFiles() == desk.sharedFiles())
            #expect(laptop.read("desk-4.txt") == "4\n" && desk.read("week.txt") == "work of a week\n")
            let texts = try Self.texts(laptop, of: "plan").union(Self.texts(desk, of: "plan"))
            #expect(texts == ["desk's, after the restore\n", "laptop's, later\n"])
        }
    }
}
