import LocalFolder
import Testing

@testable import RecordReceiving

@Suite("Room on the disk")
struct DiskRoomTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var space: DiskSpace?
        var wanted: [Int64]
        var taken: [Bool]
    }

    @Test(
        "What would leave less than the reserve is not taken; what is smaller still may be",
        arguments: [
            Row(
                testDescription: "to the last byte above the reserve",
                space: DiskSpace(available: 1_000, size: 100_000), wanted: [899, 1, 1], taken: [true, true, false]),
            Row(
                testDescription: "a large one is passed over", space: DiskSpace(available: 1_000, size: 100_000),
                wanted: [901, 900], taken: [false, true]),
            Row(
                testDescription: "below the reserve what needs nothing", space: DiskSpace(available: 99, size: 100_000),
                wanted: [1, 0], taken: [false, true]),
            Row(
                testDescription: "of a small disk a twentieth", space: DiskSpace(available: 100, size: 1_000),
                wanted: [50, 1], taken: [true, false]),
            Row(testDescription: "nothing is known", space: nil, wanted: [1 << 40], taken: [true]),
        ])
    func room(_ row: Row) {
        var room = DiskRoom(row.space, reserve: 100)
        #expect(row.wanted.map { room.take($0) } == row.taken)
    }
}
