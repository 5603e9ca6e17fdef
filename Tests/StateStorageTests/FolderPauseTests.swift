import StateRows
import StateStorage
import Testing

@Suite("Pauses")
struct FolderPauseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var pause: FolderPause
        var now: Int64
        var expected: FolderPause.Standing
    }

    @Test(
        "A pause holds until its end, and takes its whole time where the clock was put back before it",
        arguments: [
            Row(
                testDescription: "without an end", pause: FolderPause(sinceMilliseconds: 100), now: 1 << 50,
                expected: .holds(nil)),
            Row(
                testDescription: "without an end, the clock put back", pause: FolderPause(sinceMilliseconds: 100),
                now: 1, expected: .holds(nil)),
            Row(
                testDescription: "at its beginning",
                pause: FolderPause(sinceMilliseconds: 100, untilMilliseconds: 160), now: 100,
                expected: .holds(.milliseconds(60))),
            Row(
                testDescription: "just before its end",
                pause: FolderPause(sinceMilliseconds: 100, untilMilliseconds: 160), now: 159,
                expected: .holds(.milliseconds(1))),
            Row(
                testDescription: "at its end", pause: FolderPause(sinceMilliseconds: 100, untilMilliseconds: 160),
                now: 160, expected: .over),
            Row(
                testDescription: "long after its end",
                pause: FolderPause(sinceMilliseconds: 100, untilMilliseconds: 160), now: 1 << 50, expected: .over),
            Row(
                testDescription: "the clock put back before its beginning",
                pause: FolderPause(sinceMilliseconds: 100, untilMilliseconds: 160), now: 40,
                expected: .beginsAnew(FolderPause(sinceMilliseconds: 40, untilMilliseconds: 100))),
        ])
    func standing(_ row: Row) {
        #expect(row.pause.standing(at: row.now) == row.expected)
        #expect(row.pause.isInForce(at: row.now) == (row.expected != .over))
    }

    @Test("A second pause keeps the beginning of one that goes on, and no other")
    func again() {
        let first = FolderPause(at: 100, for: .seconds(1), after: nil)
        #expect(first == FolderPause(sinceMilliseconds: 100, untilMilliseconds: 1100))
        #expect(FolderPause(at: 500, for: nil, after: first) == FolderPause(sinceMilliseconds: 100))
        #expect(
            FolderPause(at: 500, for: .seconds(2), after: first)
                == FolderPause(sinceMilliseconds: 100, untilMilliseconds: 2500))
        #expect(FolderPause(at: 1100, for: nil, after: first) == FolderPause(sinceMilliseconds: 1100))
    }
}
