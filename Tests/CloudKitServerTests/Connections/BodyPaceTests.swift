import NIOCore
import Testing

@testable import CloudKitServer

@Suite("How slowly a body may come")
struct BodyPaceTests {
    /// What happens at a second after the head.
    enum Event: Sendable {
        case waits(Int64)
        case comes(Int64, bytes: Int)
    }

    private static func second(_ number: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(number) }

    @Test(
        "The deadline is the grace, and a second for each thousand bytes, in time that somebody waited",
        arguments: [
            ([], nil),
            ([.waits(0)], 10),
            ([.waits(3)], 13),
            ([.waits(0), .comes(5, bytes: 0), .waits(5)], 10),
            ([.waits(0), .comes(5, bytes: 4_000), .waits(5)], 14),
            // The server did not ask for more for a hundred seconds.
            ([.waits(0), .comes(1, bytes: 1_000), .waits(101)], 111),
            // One byte each second does not help.
            ([.waits(0), .comes(1, bytes: 1), .waits(1), .comes(2, bytes: 1), .waits(2)], 10),
            ([.waits(0), .waits(4)], 10),
            ([.comes(0, bytes: 9_000), .waits(0)], 19),
            ([.waits(0), .comes(1, bytes: 9_000)], nil),
        ] as [([Event], Int64?)])
    func deadline(events: [Event], expected: Int64?) {
        var pace = BodyPace(leastRate: 1_000, grace: .seconds(10))
        for event in events {
            switch event {
            case .waits(let second): pace.wait(at: Self.second(second))
            case .comes(let second, let bytes): pace.receive(bytes, at: Self.second(second))
            }
        }
        let seconds = pace.deadline.map { Int64(($0 - Self.second(0)).nanoseconds / 1_000_000_000) }
        #expect(seconds == expected)
    }
}
