import Foundation
import SeededRandomness
import Testing

/// `kill -9` at random instants. `ZONEFOLDER_KILLS` sets how many there are; the full count is 50. `ZONEFOLDER_SEED`
/// replays a run as far as the machine's timing lets it.
@Suite("Killed at any instant", .timeLimit(.minutes(15)))
struct KillTests {
    static let kills = ProcessInfo.processInfo.environment["ZONEFOLDER_KILLS"].flatMap { Int($0) } ?? 30
    static let seeds = [ProcessInfo.processInfo.environment["ZONEFOLDER_SEED"].flatMap { UInt64($0) } ?? 1]
    static let files = 1000

    @Test(
        "Sender, receiver and server are killed while 1,000 files move: same end state, no conflict, no leftover",
        arguments: seeds)
    func kill(seed: UInt64) async throws {
        print("seed \(seed), \(Self.kills) kills: ZONEFOLDER_SEED=\(seed) ZONEFOLDER_KILLS=\(Self.kills)")
        var random = SeededGenerator(seed: seed)
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        var workload = KillWorkload(laptop, count: Self.files, seed: seed)
        var daemons = try [laptop.run(), desk.run()]
        var done: [String: Int] = [:]
        try workload.nextRound()
        var killed = 0
        while killed < Self.kills {
            // From the first requests of a start to the steady flow of pages and files.
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...350, using: &random)))
            let victim = Int.random(in: 0...2, using: &random)
            if victim == 2 {
                try await world.killServer()
            } else {
                daemons[victim].kill()
                #expect(try await daemons[victim].ended(within: .seconds(120)) == -9)
            }
            if victim == 1 { #expect(try StateHonesty.violations(desk, against: world) == []) }
            // Only what is killed during a sync counts.
            let wasSyncing = try desk.contents() != workload.expected
            if wasSyncing {
                killed += 1
                done[["sender", "receiver", "server"][victim], default: 0] += 1
            }
            switch victim {
            case 0: daemons[0] = try laptop.run()
            case 1: daemons[1] = try desk.run()
            default: try await world.startServer()
            }
            // A third of the kills falls into the first sync, the others into syncs of edits, renames and removals.
            guard !wasSyncing || killed == Self.kills * workload.round / 3, killed < Self.kills else { continue }
            let isThere = try await eventually(within: .seconds(120)) { try desk.contents() == workload.expected }
            let difference = Difference(try desk.contents(), workload.expected)
            try #require(isThere, "\(difference)")
            try workload.nextRound()
        }
        print("killed during \(workload.round) rounds of \(Self.files) files: \(done)")

        let isEqual = try await eventually(within: .seconds(120)) { try desk.contents() == workload.expected }
        let difference = Difference(try desk.contents(), workload.expected)
        #expect(isEqual, "\(difference)")
        for (folder, daemon) in zip([laptop, desk], daemons) {
            try await folder.untilDaemonAnswers(daemon)
            #expect(try await folder.settledVerdict() == "in-sync")
            #expect(try folder.contents() == workload.expected)
            #expect(try folder.names(in: "staging").isEmpty)
        }
        // A folder that starts with nothing shows what the zone holds.
        let fresh = try await world.addFolder("fresh")
        #expect(try await RealProgram.run("sync", fresh.path).status == 0)
        let zone = Difference(try fresh.contents(), workload.expected)
        #expect(zone.isEmpty, "\(zone)")
        // The receiver keeps what it replaced, the sender what it deleted, and neither anything else.
        for (path, bytes) in try laptop.history() + desk.history() {
            #expect(bytes != workload.expected[path], "\(path) is in the history as it is in the folder")
            #expect(workload.saved.contains(bytes), "\(path): the history holds what nobody ever saved")
        }
        for daemon in daemons {
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
        }
    }
}

/// In what two folders differ.
struct Difference: CustomStringConvertible {
    var onlyHere: [String]
    var onlyThere: [String]
    var unequal: [String]

    init(_ here: [String: Data], _ there: [String: Data]) {
        onlyHere = here.keys.filter { there[$0] == nil }.sorted()
        onlyThere = there.keys.filter { here[$0] == nil }.sorted()
        unequal = here.keys.filter { there[$0] != nil && there[$0] != here[$0] }.sorted()
    }

    var isEmpty: Bool { onlyHere.isEmpty && onlyThere.isEmpty && unequal.isEmpty }

    var description: String {
        "too many: \(onlyHere.prefix(5)) (\(onlyHere.count)); missing: \(onlyThere.prefix(5)) (\(onlyThere.count)); "
            + "other bytes: \(unequal.prefix(5)) (\(unequal.count))"
    }
}
