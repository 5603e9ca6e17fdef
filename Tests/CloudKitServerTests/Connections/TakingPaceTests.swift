import NIOCore
import Testing

@testable import CloudKitServer

@Suite("How slowly an answer may be taken")
struct TakingPaceTests {
    /// What happens at a second.
    enum Event: Sendable {
        case written(Int)
        case look(Int64, untaken: Int)
    }

    private static func second(_ number: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(number) }

    @Test(
        "The deadline is ten seconds after something was taken last, and there is none while nothing waits",
        arguments: [
            ([], nil),
            ([.written(100), .look(0, untaken: 0)], nil),
            ([.written(100), .look(3, untaken: 100)], 13),
            // Nothing is taken.
            ([.written(100), .look(3, untaken: 100), .look(9, untaken: 100)], 13),
            // One byte is enough.
            ([.written(100), .look(3, untaken: 100), .look(9, untaken: 99)], 19),
            ([.written(100), .look(3, untaken: 100), .look(9, untaken: 99), .look(12, untaken: 99)], 19),
            // As much was written as was taken.
            ([.written(100), .look(3, untaken: 100), .written(50), .look(9, untaken: 100)], 19),
            // More was written, and nothing taken.
            ([.written(100), .look(3, untaken: 100), .written(50), .look(9, untaken: 150)], 13),
            // All was taken, and what waits now has not waited long.
            ([.written(100), .look(3, untaken: 100), .look(9, untaken: 0)], nil),
            ([.written(100), .look(3, untaken: 100), .look(9, untaken: 0), .written(5), .look(60, untaken: 5)], 70),
        ] as [([Event], Int64?)])
    func deadline(events: [Event], expected: Int64?) {
        var pace = TakingPace(patience: .seconds(10))
        for event in events {
            switch event {
            case .written(let bytes): pace.write(bytes)
            case .look(let second, let untaken): pace.look(untaken: untaken, at: Self.second(second))
            }
        }
        let seconds = pace.deadline.map { Int64(($0 - Self.second(0)).nanoseconds / 1_000_000_000) }
        #expect(seconds == expected)
    }
}
