import NIOCore

/// Whether a body comes fast enough. Only the time counts in which somebody waited for it: a server that is slow to read
/// is not the client's fault.
struct BodyPace: Hashable {
    /// Bytes a second, on the average after the grace.
    var leastRate: Int64
    var grace: TimeAmount

    private var bytes: Int64 = 0
    private var waited = TimeAmount.zero
    private var waitingSince: NIODeadline?

    init(leastRate: Int64, grace: TimeAmount) {
        self.leastRate = leastRate
        self.grace = grace
    }

    /// More of the body is wanted.
    mutating func wait(at now: NIODeadline) {
        if waitingSince == nil { waitingSince = now }
    }

    /// More of the body is there.
    mutating func receive(_ count: Int, at now: NIODeadline) {
        bytes += Int64(count)
        if let since = waitingSince { waited = waited + (now - since) }
        waitingSince = nil
    }

    /// When the body will have been too slow, unless more comes; `nil` while nobody waits.
    var deadline: NIODeadline? {
        guard let waitingSince else { return nil }
        let earned = TimeAmount.nanoseconds(min(bytes, .max / 1_000_000_000) * 1_000_000_000 / leastRate)
        return waitingSince + (grace + earned - waited)
    }
}
