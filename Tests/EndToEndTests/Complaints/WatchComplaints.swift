import CloudKitWire
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension Complaints {
    @Test("out of watches or queue overflow: silently stops noticing")
    func blindness() async throws {
        let world = try await ObservedWorld()
        try await overflow(world)
        if await Self.canLimitWatches { try await fewWatches(world) }
    }

    /// More happens than the kernel keeps for a daemon that does not come to read it.
    private func overflow(_ world: ObservedWorld) async throws {
        let folder = try await world.addFolder("overflowing")
        for name in ["edited", "deleted", "renamed"] {
            try folder.write(#"{"v": 1, "by": "\#(name)"}"#, to: "Note/\(name).json")
        }
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")

        let limit = Int(
            try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines))
        daemon.freeze()
        // Names that are never synced, two events each.
        let moving = ["one~", "two~"].map { folder.path + "/" + $0 }
        try Data().write(to: URL(filePath: moving[0]))
        for number in 0..<((limit ?? 16_384) / 2 + 100) {
            guard rename(moving[number % 2], moving[(number + 1) % 2]) == 0 else { throw TestFailure("not renamed") }
        }
        // Of these no event can be in the queue.
        try folder.write(#"{"v": 2}"#, to: "Note/edited.json")
        try folder.write(#"{"v": 3}"#, to: "Note/new/deep/er.json")
        try folder.delete("Note/deleted.json")
        try folder.move("Note/renamed.json", to: "Note/moved/renamed.json")
        daemon.thaw()
        // Nothing else happens, and nobody asks.
        let isThere = try await eventually {
            let living = try world.records().living
            return living["Note/edited"]?.fields["v"]?.value == .int64(2) && living["Note/new/deep/er"] != nil
                && living["Note/deleted"] == nil && living.count == 3
        }
        let names = try world.records().living.keys.sorted()
        #expect(isThere, "\(names)")
        #expect(try await folder.settledVerdict() == "in-sync")
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
    }

    private static let watches = 20
    private static let directories = 40

    private static var canLimitWatches: Bool {
        get async {
            let process = try? RunningProgram(
                arguments: ["-Ur", "sh", "-c", "echo \(watches) > /proc/sys/user/max_inotify_watches"],
                executable: URL(filePath: "/usr/bin/unshare"))
            return (try? await process?.ended(within: .seconds(30))) == 0
        }
    }

    /// The kernel gives no more watches than for half of the folder.
    private func fewWatches(_ world: ObservedWorld) async throws {
        let folder = try await world.addFolder("unwatched")
        func place(_ number: Int) -> String { "Note/\(number)/a.json" }
        func name(_ number: Int) -> String { "Note/\(number)/a" }
        for number in 0..<Self.directories { try folder.write(#"{"v": 1}"#, to: place(number)) }
        let script = "echo \(Self.watches) > /proc/sys/user/max_inotify_watches && exec \"$0\" run \"$1\""
        let daemon = try RunningProgram(
            arguments: ["-Ur", "sh", "-c", script, RealProgram.executable.path, folder.path],
            executable: URL(filePath: "/usr/bin/unshare"))
        try await folder.untilDaemonAnswers(daemon)
        // One answer for all three: the next poll may run by the time of another.
        let status = try await RealProgram.run("status", folder.path, "--wait=120", "--json")
        #expect(try folder.verdict(in: status) == "degraded")
        #expect(status.status == 6)
        #expect(status.output.contains("fs.inotify.max_user_watches"), "\(status.output)")

        for number in 0..<Self.directories {
            try folder.write(#"{"v": 2}"#, to: place(number))
            let verdict = try await folder.report().verdict
            #expect(verdict != "in-sync")
        }
        // Who asks and waits is told of all that was saved before, watched or not.
        #expect(try await folder.settledVerdict() == "degraded")
        let living = try world.records().living
        for number in 0..<Self.directories {
            #expect(living[name(number)]?.fields["v"]?.value == .int64(2), "\(number)")
        }
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
    }
}
