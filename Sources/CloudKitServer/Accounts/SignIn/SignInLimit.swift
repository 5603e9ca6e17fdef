/// How often somebody may guess a password: per user and per address, with a pause that grows with each failure.
///
/// Names and addresses fall into a fixed number of slots, by a code that only the server can compute. So the memory is
/// bounded without anything that a flood of names could push out, and whether a name exists shows in nothing. Two that
/// share a slot share its pause, which a person may notice once in some thousand users under attack.
struct SignInLimit: Sendable {
    /// Failures without a pause: people mistype.
    static let freeFailures = 5
    /// Not longer, or a stranger could keep a person out for as long as he likes.
    static let longestUserPause: Int64 = 60_000
    static let longestAddressPause: Int64 = 15 * 60_000
    /// So long after the last try the failures are forgotten.
    static let memory: Int64 = 60 * 60_000
    static let slotCount = 4096

    private struct Slot {
        var failures: UInt8 = 0
        var last: Int64 = .min / 2

        mutating func forgetOld(now: Int64) {
            if now - last >= SignInLimit.memory { failures = 0 }
        }

        func wait(now: Int64, longest: Int64) -> Int64 {
            guard failures >= SignInLimit.freeFailures else { return 0 }
            let pause = min(longest, 1000 << min(Int64(failures) - Int64(SignInLimit.freeFailures), 20))
            return max(0, last + pause - now)
        }

        mutating func count(now: Int64) {
            failures = failures == .max ? .max : failures + 1
            last = now
        }
    }

    private var users = [Slot](repeating: Slot(), count: slotCount)
    private var addresses = [Slot](repeating: Slot(), count: slotCount)

    /// Counts a try as failed until ``succeeded(user:address:)``, so that many at once are as slow as one by one.
    /// - Parameters:
    ///   - user: A slot, from any number.
    ///   - address: A slot, from any number; `nil` where the address says nothing about who it is.
    /// - Returns: The milliseconds to wait before the next try; `nil`: go on.
    mutating func begin(user: Int, address: Int?, now: Int64) -> Int64? {
        let user = user % Self.slotCount
        let address = address.map { $0 % Self.slotCount }
        users[user].forgetOld(now: now)
        if let address { addresses[address].forgetOld(now: now) }
        let wait = max(
            users[user].wait(now: now, longest: Self.longestUserPause),
            address.map { addresses[$0].wait(now: now, longest: Self.longestAddressPause) } ?? 0)
        guard wait == 0 else { return wait }
        users[user].count(now: now)
        if let address { addresses[address].count(now: now) }
        return nil
    }

    /// Takes a try back that was none: the user starts anew, the address is not held to it.
    mutating func succeeded(user: Int, address: Int?) {
        users[user % Self.slotCount].failures = 0
        guard let address = address.map({ $0 % Self.slotCount }), addresses[address].failures > 0 else { return }
        addresses[address].failures -= 1
    }
}
