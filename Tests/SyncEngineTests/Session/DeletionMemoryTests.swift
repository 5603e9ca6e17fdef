import StateRows
import SyncModel
import SyncTiming
import Testing

@testable import FolderObserving
@testable import SyncActions

@Suite("What is remembered of deletions")
struct DeletionMemoryTests {
    @Test("Deletions of the last ten minutes count together, each side by itself")
    func counts() {
        let memory = DeletionMemory()
        memory.note(Self.names(2), inZone: true, now: SteadyInstant.at(0))
        memory.note(Self.names(3), inZone: true, now: SteadyInstant.at(300))
        memory.note(Self.names(5), inZone: false, now: SteadyInstant.at(300))
        memory.note(Self.names(0), inZone: false, now: SteadyInstant.at(300))
        #expect(memory.recentCounts(now: SteadyInstant.at(600)) == (5, 5))
        #expect(memory.recentCounts(now: SteadyInstant.at(601)) == (3, 5))
        #expect(memory.recentCounts(now: SteadyInstant.at(901)) == (0, 0))
    }

    private static func names(_ count: Int) -> [RecordName] { (0..<count).map { RecordName("other-\($0)") } }

    private static func deletion(_ name: RecordName, _ kind: Action.Kind) -> Action {
        Action(kind, record: name, path: FolderPath(name.rawValue)!, local: nil, changeTag: nil)
    }

    @Test("An approval covers one batch, once, and what it lets pass does not count")
    func approvals() {
        let memory = DeletionMemory()
        memory.note(Self.names(30), inZone: true, now: SteadyInstant.at(0))
        memory.note(Self.names(4), inZone: false, now: SteadyInstant.at(0))
        let (one, two) = (RecordName("1"), RecordName("2"))
        memory.approve(ApprovedDeletions(inZone: [one]))
        memory.approve(ApprovedDeletions(inZone: [two]))
        #expect(memory.recentCounts(now: SteadyInstant.at(0)) == (30, 4), "nothing passed yet")
        let planned = [Self.deletion(one, .deleteRecord), Self.deletion(two, .deleteFile)]
        #expect(memory.keepApprovals(of: planned) == ApprovedDeletions(inZone: [two]))
        #expect(memory.approved == ApprovedDeletions(inZone: [one]))
        memory.note(Self.names(3), inZone: true, now: SteadyInstant.at(0))
        #expect(memory.recentCounts(now: SteadyInstant.at(0)) == (33, 4), "not what was approved")
        memory.note([one] + Self.names(2), inZone: true, now: SteadyInstant.at(0))
        #expect(memory.recentCounts(now: SteadyInstant.at(0)) == (2, 4), "of that side alone")
        memory.note(Self.names(2), inZone: false, now: SteadyInstant.at(0))
        #expect(memory.recentCounts(now: SteadyInstant.at(0)) == (2, 6), "nothing of the other side was approved")
        #expect(memory.keepApprovals(of: []) == ApprovedDeletions(inZone: [one]))
        #expect(memory.approved.isEmpty)
        memory.note(Self.names(40), inZone: true, now: SteadyInstant.at(0))
        #expect(memory.recentCounts(now: SteadyInstant.at(0)) == (42, 6))
    }

    @Test("What was deleted counts on in the next process, as long as it would have in this one")
    func nextProcess() throws {
        func clock(_ seconds: Int64, since start: Int64) -> SessionClock {
            SessionClock(
                wall: { (1_000_000 + start + seconds) * 1_000_000_000 }, steady: { .seconds(seconds) })
        }
        let first = DeletionMemory(clock: clock(0, since: 0))
        #expect(first.unstored(by: clock(0, since: 0)) == nil)
        first.note(Self.names(20), inZone: true, now: SteadyInstant.at(10))
        first.note(Self.names(4), inZone: true, now: SteadyInstant.at(11))
        first.note(Self.names(3), inZone: false, now: SteadyInstant.at(300))
        let stored = try #require(first.unstored(by: clock(400, since: 0)))
        #expect(
            stored == [
                RecentDeletions(isInZone: true, atMilliseconds: 1_000_010_000, count: 24),
                RecentDeletions(isInZone: false, atMilliseconds: 1_000_300_000, count: 3),
            ])
        first.noteStored()
        #expect(first.unstored(by: clock(400, since: 0)) == nil)
        // Started 500 s after the first one, whose steady time means nothing to it.
        let second = DeletionMemory(recent: stored, clock: clock(0, since: 500))
        #expect(second.recentCounts(now: SteadyInstant.at(0)) == (24, 3))
        #expect(second.recentCounts(now: SteadyInstant.at(110)) == (24, 3))
        #expect(second.recentCounts(now: SteadyInstant.at(111)) == (0, 3))
        #expect(second.unstored(by: clock(0, since: 500)) == nil, "nothing new")
        #expect(DeletionMemory(recent: stored, clock: clock(0, since: 901)).recentCounts(now: .at(0)) == (0, 0))
        let early = DeletionMemory(recent: stored, clock: clock(0, since: -3_600))
        #expect(early.recentCounts(now: .at(0)) == (24, 3), "a clock that was set back lets nothing pass")
    }

    @Test("What went before deletions that wait is remembered as long as these wait, also by the next process")
    func beforeWhatWaits() {
        func clock(_ seconds: Int64) -> SessionClock {
            SessionClock(wall: { (1_000_000 + seconds) * 1_000_000_000 }, steady: { .seconds(seconds) })
        }
        let memory = DeletionMemory(clock: clock(0))
        memory.note(Self.names(5), inZone: false, now: SteadyInstant.at(0))
        memory.note(Self.names(200), inZone: false, now: SteadyInstant.at(500))
        memory.noteWaiting([.deleteFile], now: SteadyInstant.at(700))
        let told = [RecentDeletions(isInZone: false, atMilliseconds: 1_000_500_000, count: 200)]
        #expect(memory.unstored(by: clock(700)) == told, "not what was too old then")
        memory.noteStored()
        memory.noteWaiting([.deleteFile], now: SteadyInstant.at(9_000))
        #expect(memory.unaskedDeletions(by: clock(9_000)) == told)
        #expect(memory.recentCounts(now: SteadyInstant.at(9_000)) == (0, 0), "told, not counted")
        let next = DeletionMemory(recent: told, waiting: [.deleteFile], clock: clock(9_000))
        next.noteWaiting([.deleteFile], now: SteadyInstant.at(9_001))
        #expect(next.unaskedDeletions(by: clock(9_001)) == told)
        next.noteWaiting([], now: SteadyInstant.at(9_002))
        next.noteWaiting([.deleteFile], now: SteadyInstant.at(9_003))
        #expect(next.unaskedDeletions(by: clock(9_003)).isEmpty, "of what waits now, it is no part")
    }

    @Test("A file is certainly gone 3 s after it was first missed, and one that was there in between begins anew")
    func missing() {
        let (a, b) = (RecordName("a"), RecordName("b"))
        var files = MissingFiles()
        #expect(files.due([a]) == nil)
        files.take([a], now: SteadyInstant.at(0))
        files.take([a, b], now: SteadyInstant.at(2))
        #expect(files.due([a]) == SteadyInstant.at(3))
        #expect(files.due([a, b]) == SteadyInstant.at(5), "the last one decides")
        files.take([b], now: SteadyInstant.at(4))
        files.take([a, b], now: SteadyInstant.at(6))
        #expect(files.due([a]) == SteadyInstant.at(9) && files.due([b]) == SteadyInstant.at(5))
    }
}
