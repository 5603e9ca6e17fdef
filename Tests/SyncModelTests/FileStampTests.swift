import SyncModel
import Testing

@Suite("File stamps")
struct FileStampTests {
    /// A whole second, in nanoseconds since 1970.
    private static let second: Int64 = 1_700_000_000_000_000_000

    @Test(
        "A further write is sure to show once the clock's tick is over; where times are whole seconds, once two are",
        arguments: [
            (changed: 123_456_789, seenAfter: 0, isSettled: false), (123_456_789, 20_000_000, false),
            (123_456_789, 20_000_001, true), (0, 20_000_001, false), (0, 999_999_999, false),
            (0, 2_020_000_000, false), (0, 2_020_000_001, true),
        ] as [(changed: Int64, seenAfter: Int64, isSettled: Bool)])
    func settled(changed: Int64, seenAfter: Int64, isSettled: Bool) {
        let changed = Self.second + changed
        #expect(Self.stamp(changed: changed).isSettled(asOf: changed + seenAfter) == isSettled)
    }

    @Test("A change time that a clock left in the future is settled", arguments: [0, 123_456_789] as [Int64])
    func future(fraction: Int64) {
        let stamp = Self.stamp(changed: Self.second + fraction)
        #expect(stamp.isSettled(asOf: Self.second - 3_000_000_000))
    }

    private static func stamp(changed: Int64) -> FileStamp {
        FileStamp(device: 1, inode: 2, size: 3, modified: changed, changed: changed, mode: 0o644)
    }
}
