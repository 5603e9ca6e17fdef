import FolderControl
import StateRows
import StateStorage
import SyncModel
import Testing

@testable import SyncEngine

/// The guard against mass deletions counts those of ten minutes together (reliability §4.17).
@Suite("Deleted bit by bit", .timeLimit(.minutes(30)))
struct DeletedBitByBitTests {
    @Test(
        "Many small deletions are one large one, whether one process sees them or each sees one",
        arguments: [false, true])
    func bitByBit(isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<60 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            for part in 0..<3 {
                for number in part * 15..<(part + 1) * 15 { try laptop.delete("\(number).txt") }
                try await laptop.sync()
                if isRestarted { try laptop.restart() }
            }
            try await converge(laptop, desk)
            #expect(try desk.files().count == 45, "the second part waits: 30 of 60 would be gone")
            let approval = try #require(try await laptop.report().approval)
            #expect(approval.deletions == 30 && approval.side == "zone" && approval.unasked == 15)
            // Before the first of them is kept, nothing of them can be had back.
            let kept = try laptop.store.changes().filter { $0.action == JournalEntry.recordDeleted }
            let first = try #require(kept.map(\.atMilliseconds).min())
            #expect(try #require(approval.unaskedSinceMilliseconds) <= first)
            let batch = try #require(try laptop.store.batchesAwaitingApproval().first)
            func unasked(gone: (Set<FolderPath>) -> Set<FolderPath>) throws -> UnaskedDeletions? {
                try UnaskedDeletions(
                    before: batch, among: try laptop.store.recentDeletions(), in: laptop.store, gone: gone)
            }
            let stored = try unasked { $0 }
            #expect(stored?.count == 15 && stored?.sinceMilliseconds == approval.unaskedSinceMilliseconds)
            #expect(try unasked { $0.filter { $0.description > "3" } }?.count == 7, "the others are back")
            #expect(try unasked { _ in [] } == nil)
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test("What was deleted on purpose some minutes before counts, and is not told as a part of what waits")
    func minutesBefore() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let start: Int64 = 1_800_000_000_000
            // Two on purpose, with half a minute between them; minutes later one command, whose second half waits.
            let moments: [(name: String, second: Int64)] = [
                ("one", 0), ("two", 32), ("a", 290), ("b", 290), ("c", 293),
            ]
            try laptop.store.commitOutcomes(
                moments.map { name, second in
                    Outcome(
                        base: .removed(RecordName(name)),
                        change: JournalEntry(
                            atMilliseconds: start + second * 1000, action: JournalEntry.recordDeleted, author: .person,
                            path: FolderPath(name)!, record: RecordName(name)))
                })
            let recent = [0, 32, 290].map {
                RecentDeletions(isInZone: true, atMilliseconds: start + $0 * 1000, count: $0 == 290 ? 3 : 1)
            }
            func unasked(waitingSince second: Int64, back: Set<String> = []) throws -> UnaskedDeletions? {
                let batch = BatchAwaitingApproval(
                    id: "1", code: "zone", message: "m", count: 30, sinceMilliseconds: start + second * 1000)
                return try UnaskedDeletions(before: batch, among: recent, in: laptop.store) { paths in
                    paths.filter { !back.contains($0.description) }
                }
            }
            let told = try unasked(waitingSince: 296)
            #expect(told?.count == 3 && told?.sinceMilliseconds == start + 290_000)
            #expect(try unasked(waitingSince: 296, back: ["a", "c"])?.count == 1)
            #expect(try unasked(waitingSince: 296, back: ["a", "b", "c"]) == nil)
            #expect(try unasked(waitingSince: 400) == nil, "no part of what waits only since then")
            try laptop.close()
        }
    }

    @Test("What was deleted long ago does not count, also where another process saw it")
    func longAgo() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<60 { try laptop.write("text \(number)", to: "\(number).txt") }
            try await converge(laptop, desk)
            for number in 0..<20 { try laptop.delete("\(number).txt") }
            try await converge(laptop, desk)
            let recent = try laptop.store.recentDeletions()
            #expect(recent.map(\.count) == [20] && recent.map(\.isInZone) == [true])
            try laptop.store.replaceRecentDeletions(
                with: recent.map {
                    RecentDeletions(isInZone: true, atMilliseconds: $0.atMilliseconds - 601_000, count: $0.count)
                })
            try laptop.restart()
            for number in 20..<40 { try laptop.delete("\(number).txt") }
            try await laptop.sync()
            #expect(try await laptop.report().approval == nil)
            desk.pass(.seconds(601))
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                let count = try device.files().count
                #expect(count == 20)
                try device.close()
            }
        }
    }
}
