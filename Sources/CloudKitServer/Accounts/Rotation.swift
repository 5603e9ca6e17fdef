/// What makes a web auth token void.
///
/// An answer can be lost, and a client can be killed between an answer and storing its token: then it has nothing but the
/// token that it sent. So a server that voids a token by its first use signs people out now and then, whatever they do.
public enum WebAuthTokenRule: String, Hashable, Sendable, CaseIterable {
    /// The first use of a token voids every token issued before it. The used one stays good until one that was issued
    /// after it is used.
    ///
    /// The promise: a client that stores each token durably before it first uses it is never signed out by a crash or a
    /// lost answer, at any instant, however many requests it sends at once; and once a newer token was used, no older one
    /// opens anything. The price: whoever never uses a newer token may use his for as long as the sign-in lives.
    case untilSuccessorIsUsed
    /// The first use of a token voids it, and every token issued before it: what the service's documentation says. A lost
    /// answer can cost a sign-in.
    case singleUse
}

/// Which web auth tokens of a session are still good.
///
/// A token is a number that grows with each answer, signed by the server; nothing about a single token is stored. What a
/// first use makes void (``WebAuthTokenRule``) stays good for the grace. So a client that sends several requests at once
/// may keep any of the answers' tokens.
///
/// On disk stands only the number up to which all are void. With a grace it is written at leisure, for a request must not
/// cost a disk sync to say that some seconds have gone by: a crash can give a void token back to life, until a later one is
/// used again. Without a grace it is written, durably, before each answer.
///
/// The upper half of a number is the start that issued it. After a backup was restored, a client may come with a token of a
/// start that the server does not remember: it is good, being signed, and the numbers go on above all of that start.
/// Otherwise its use would void, once the grace is over, every token that is issued from then on.
struct Rotation: Sendable {
    /// The highest number first used in some span of time, whose grace is not over. A span is a sixtieth of the grace, so
    /// there are few of them however many requests there are, and a token lives at most that much longer than promised.
    private(set) var uses: [(number: Int64, since: Int64, until: Int64)] = []
    /// Tokens up to this number are refused.
    private(set) var voidUpTo: Int64
    /// What the disk says of ``voidUpTo``.
    private(set) var saved: Int64
    private var savedAt: Int64
    private var lastIssued: Int64
    private let rule: WebAuthTokenRule

    init(voidUpTo: Int64, starts: Int64, now: Int64, rule: WebAuthTokenRule = .untilSuccessorIsUsed) {
        self.voidUpTo = voidUpTo
        self.rule = rule
        saved = voidUpTo
        savedAt = now
        // Numbers of this start are above those of every earlier one, also of those that the disk does not know of.
        lastIssued = max(starts << 32, Self.startAfter(voidUpTo))
    }

    /// Takes note of a token's use, and says whether it is good.
    mutating func use(_ number: Int64, now: Int64, graceMilliseconds: Int64) -> Bool {
        expire(now: now, graceMilliseconds: graceMilliseconds)
        guard number > voidUpTo else { return false }
        if number > lastIssued { lastIssued = Self.startAfter(number) }
        if number > uses.last?.number ?? .min {
            if let last = uses.last, now - last.since < graceMilliseconds / 60 {
                uses[uses.count - 1] = (number, last.since, now)
            } else {
                uses.append((number, now, now))
            }
        }
        expire(now: now, graceMilliseconds: graceMilliseconds)
        return true
    }

    /// Below all numbers of the start after the one that issued a number, and above all others.
    private static func startAfter(_ number: Int64) -> Int64 { ((number >> 32) + 1) << 32 }

    /// Whether a token that was issued after this one has been used, as far as is remembered: within the grace.
    func hasUsed(after number: Int64) -> Bool {
        uses.last.map { $0.number > number } ?? false
    }

    /// The number of the next token.
    mutating func issue() -> Int64 {
        lastIssued += 1
        return lastIssued
    }

    /// What the disk should hear by now, and without a grace before the answer goes out; it counts as done.
    mutating func save(now: Int64, graceMilliseconds: Int64) -> RotationSave? {
        guard saved < voidUpTo, graceMilliseconds == 0 || now - savedAt >= 60_000 else { return nil }
        defer { (saved, savedAt) = (voidUpTo, now) }
        return RotationSave(voidUpTo: voidUpTo, before: saved)
    }

    /// It could not be written; it is due again in a while.
    mutating func didNotSave(_ save: RotationSave) {
        saved = min(saved, save.before)
    }

    /// Another process may have declared tokens void.
    mutating func merge(voidUpTo stored: Int64) {
        voidUpTo = max(voidUpTo, stored)
        saved = max(saved, stored)
    }

    mutating func expire(now: Int64, graceMilliseconds: Int64) {
        while let use = uses.first, now - use.until >= graceMilliseconds {
            voidUpTo = max(voidUpTo, rule == .singleUse ? use.number : use.number - 1)
            uses.removeFirst()
        }
    }
}

/// What is written down of a rotation.
struct RotationSave: Hashable, Sendable {
    /// Tokens up to this number are void.
    var voidUpTo: Int64
    /// What the disk says as long as it is not written.
    var before: Int64
}
