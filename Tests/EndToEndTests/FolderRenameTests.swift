import CloudKitServer
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A folder with a thousand files is renamed", .serialized, .timeLimit(.minutes(30)))
struct FolderRenameTests {
    @Test(
        "No byte of an asset is sent or fetched, and every record keeps its name (S3.20)",
        arguments: [true, false])
    func rename(whileRunning: Bool) async throws {
        let world = try await ObservedWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        for number in 0..<1_000 {
            try laptop.write(
                "picture \(number) " + String(repeating: "·", count: number), to: "album/\(number % 7)/\(number).bin")
        }
        for number in 0..<100 {
            try laptop.write(
                #"{"title": "№ \#(number)", "cover": {"$asset": "\#(number).png"}}"#, to: "Note/drafts/\(number).json")
            try laptop.write("cover \(number)", to: "Note/drafts/\(number).png")
        }
        let names = try laptop.files().keys
        var daemons = try [laptop.run(), desk.run()]
        try await laptop.untilDaemonAnswers(daemons[0])
        try await desk.untilDaemonAnswers(daemons[1])
        try await Self.settle([laptop, desk])
        #expect(try desk.files() == laptop.files())
        let before = try world.records()
        #expect(before.living.count == 1_100)
        let inodes = try desk.inodes()

        if !whileRunning { try await Self.stop(daemons) }
        _ = world.takeRequests()
        let began = ContinuousClock.now
        try laptop.move("album", to: "album of 2026")
        try laptop.move("Note/drafts", to: "Note/final/texts")
        if !whileRunning {
            daemons = try [laptop.run(), desk.run()]
            try await laptop.untilDaemonAnswers(daemons[0])
            try await desk.untilDaemonAnswers(daemons[1])
        }
        let moved = Set(names.map(Self.newName))
        try await desk.untilNames(moved, within: .seconds(120))
        let time = ContinuousClock.now - began
        let requests = world.takeRequests()
        try await Self.settle([laptop, desk])

        #expect(try desk.files() == laptop.files())
        let all = requests + world.takeRequests()
        #expect(all.filter { $0.operation.hasPrefix("assets/") }.isEmpty)
        let changes = all.filter { $0.operation == "records/modify" }
        #expect(changes.reduce(0) { $0 + $1.items } == 1_100)
        print(
            "renamed, daemons \(whileRunning ? "running" : "stopped"): \(time.seconds) s, \(requests.count) requests, \(changes.count) of them changes with \(changes.reduce(0) { $0 + $1.bodyBytes }) bytes"
        )
        let after = try world.records()
        #expect(Set(after.living.keys) == Set(before.living.keys))
        #expect(after.deleted == before.deleted)
        // The other folder's files were moved too, not written anew.
        let now = try desk.inodes()
        #expect(inodes.allSatisfy { now[Self.newName($0.key)] == $0.value })
        try await Self.stop(daemons)
    }

    private static func newName(_ name: String) -> String {
        name.hasPrefix("album/")
            ? "album of 2026/" + name.dropFirst("album/".count)
            : "Note/final/texts/" + name.dropFirst("Note/drafts/".count)
    }

    private static func settle(_ folders: [RealFolder]) async throws {
        for folder in folders + folders {
            // Each look waits half a minute at most, which a busy machine can need.
            var verdict = ""
            for _ in 0..<4 where verdict != "in-sync" { verdict = try await folder.settledVerdict() }
            #expect(verdict == "in-sync")
        }
    }

    private static func stop(_ daemons: [RunningProgram]) async throws {
        for daemon in daemons {
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
        }
    }
}
