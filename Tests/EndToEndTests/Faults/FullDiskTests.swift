import Foundation
import Testing

@Suite(
    "A full disk", .timeLimit(.minutes(30)),
    .enabled(if: PrivateMounts.isPossible, "needs root and mount namespaces"))
struct FullDiskTests {
    /// Of the file system on which the desk's folder is.
    private static let size = 8 << 20

    @Test("On the receiving side nothing is truncated, nothing comes back, the rest goes on, and it resumes by itself")
    func receiving() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let mounts = try await PrivateMounts()
        let desk = try await world.addFolder(
            "desk", in: mounts, mount: ["-t", "tmpfs", "-o", "size=\(Self.size)", "tmpfs"])
        try laptop.write("first\n", to: "small.txt")
        try laptop.write("first\n", to: "gone.txt")
        try await laptop.sync()
        let daemon = try desk.run()
        #expect(try await eventually { desk.files.read("small.txt") == "first\n" })

        // One that never fits, and more than fit together.
        try laptop.write(String(repeating: "0123456789abcde\n", count: 700_000), to: "big.bin")
        for number in 0..<50 {
            try laptop.write(String(repeating: "\(number)-45678901234\n", count: 12_500), to: "many/\(number).txt")
        }
        try await laptop.sync()
        let report = try await desk.until { $0.held.count > 1 && $0.verdict == "attention" }
        for held in report.held {
            #expect(held.code == "diskFull" && held.remedy.contains("room"), "\(held)")
        }
        #expect(report.held.contains { $0.path == "big.bin" })

        // The other direction and deletions need no room.
        let mark = try StateHonesty.changes(of: world)
        try desk.files.write("from the desk\n", to: "own.txt")
        try laptop.delete("gone.txt")
        try await laptop.sync()
        #expect(try await eventually { desk.files.read("gone.txt") == nil })
        #expect(try await eventually { try StateHonesty.changes(of: world) == mark + 2 })
        try await laptop.sync()
        #expect(laptop.read("own.txt") == "from the desk\n")

        let sent = try laptop.contents()
        for (path, bytes) in try desk.files.contents() { #expect(sent[path] == bytes, "\(path) is another one") }
        #expect(try StateHonesty.changes(of: world) == mark + 2, "something came back")
        let free = try FileManager.default.attributesOfFileSystem(forPath: desk.files.path)[.systemFreeSize] as? Int
        #expect(try #require(free) >= Self.size / 20 - (64 << 10), "the reserve was used up")

        try await mounts.must("mount", "-o", "remount,size=64m", desk.path)
        #expect(try await eventually { try desk.files.contents() == sent })
        #expect(try await desk.report("--wait=120").verdict == "in-sync")
        #expect(try StateHonesty.changes(of: world) == mark + 2)
        #expect(daemon.isRunning)
    }

    @Test("A disk that somebody else filled to the last byte: status says so, and it goes on once there is room")
    func filled() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let mounts = try await PrivateMounts()
        let desk = try await world.addFolder(
            "desk", in: mounts, mount: ["-t", "tmpfs", "-o", "size=\(Self.size)", "tmpfs"])
        try laptop.write("first\n", to: "a.txt")
        try await laptop.sync()
        let daemon = try desk.run()
        #expect(try await eventually { desk.files.read("a.txt") == "first\n" })

        _ = try await mounts.run(["dd", "if=/dev/zero", "of=\(desk.path)/.zonefolder/filler", "bs=4k"])
        try laptop.write("second\n", to: "a.txt")
        try laptop.write("new\n", to: "b.txt")
        try await laptop.sync()
        let mark = try StateHonesty.changes(of: world)
        let report = try await desk.until { $0.held.contains { $0.code == "diskFull" } }
        #expect(report.verdict == "attention")
        #expect(desk.files.read("a.txt") == "first\n")
        #expect(desk.files.read("b.txt") == nil)

        try await mounts.must("rm", desk.path + "/.zonefolder/filler")
        #expect(try await eventually { desk.files.read("a.txt") == "second\n" && desk.files.read("b.txt") == "new\n" })
        #expect(try await desk.report("--wait=120").verdict == "in-sync")
        #expect(try StateHonesty.changes(of: world) == mark)
        #expect(daemon.isRunning)
    }
}
