import FolderControl
import StateRows
import StateStorage
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
            let stored = try UnaskedDeletions(
                before: batch, among: try laptop.store.recentDeletions(), in: laptop.store)
            #expect(stored?.count == 15 && stored?.sinceMilliseconds == approval.unaskedSinceMilliseconds)
            for device in [laptop, desk] { try device.close() }
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
