import CloudKitServer
import Foundation
import GRDB
import Testing

#if canImport(Glibc)
    import Glibc
#endif

extension Complaints {
    /// What a daemon took for its files so far.
    private struct Cost {
        /// Processor time.
        var seconds: Double
        var megabytes: Int

        init(_ daemon: RunningProgram) throws {
            let words =
                try String(contentsOfFile: "/proc/\(daemon.pid)/stat", encoding: .utf8)
                .split(separator: ")").last?.split(separator: " ") ?? []
            // utime and stime, which proc(5) counts from the whole line's first word.
            seconds = words[11...12].compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
            megabytes = daemon.peakMemoryMegabytes
        }
    }

    private static let few = 1000
    private static let many = 4000

    @Test("memory and time explode with many files; a state upgrade never ends")
    func explosion() async throws {
        let world = try await ObservedWorld()
        var costs: [Cost] = []
        var folders: [RealFolder] = []
        for count in [Self.few, Self.many] {
            let folder = try await world.addFolder("\(count)", zone: "Zone-\(count)")
            for number in 0..<count {
                try folder.write(#"{"number": \#(number), "title": "the \#(number)th"}"#, to: "Note/\(number).json")
            }
            let daemon = try folder.run()
            try await folder.untilDaemonAnswers(daemon)
            #expect(try await folder.settledVerdict() == "in-sync")
            costs.append(try Cost(daemon))
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
            folders.append(folder)
        }
        print("\(Self.few) and \(Self.many) files: \(costs)")
        // In proportion, with as much again for what does not depend on them; squared, it would be the sixteenfold.
        #expect(costs[1].seconds < 2 * 4 * costs[0].seconds, "\(costs)")
        #expect(costs[1].megabytes - costs[0].megabytes < 60, "\(costs)")

        // The state as the first version had it: it is brought up to date in one go, and nothing is sent again.
        let folder = folders[1]
        let queue = try DatabaseQueue(path: folder.path + "/.zonefolder/state.sqlite")
        let versions = try await queue.write { db in
            let versions = try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_migrations")
            try FirstState.restore(db)
            return versions
        }
        try queue.close()
        _ = world.takeRequests()
        let outcome = try await RealProgram.run("sync", folder.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let said = Set(world.takeRequests().map(\.operation))
        #expect(said.isSubset(of: ["users/caller", "changes/database", "changes/zone"]), "\(said)")
        let again = try DatabaseQueue(path: folder.path + "/.zonefolder/state.sqlite")
        #expect(
            try await again.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations") } == versions)
        try again.close()
        #expect(try folder.files().count == Self.many)
    }
}
