import Testing

@testable import CloudKitClient

private let t0 = WebAuthToken("t0")
private let t1 = WebAuthToken("t1")
private let t2 = WebAuthToken("t2")

@Suite("Which web auth token is the newest (protocol §2.1)")
struct TokenRotationTests {
    @Test("Answers in order: each one's token replaces the one before")
    func inOrder() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        let isNewest1 = rotation.received(t1, toRequest: rotation.nextSequence(), sentWith: t0)
        #expect(isNewest1)
        let isNewest2 = rotation.received(t2, toRequest: rotation.nextSequence(), sentWith: t1)
        #expect(isNewest2)
        #expect(rotation.newest == t2)
        #expect(!rotation.isSerial)
    }

    @Test("Answers out of order: the token of the request that was sent last stays")
    func outOfOrder() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        let first = rotation.nextSequence()
        let second = rotation.nextSequence()
        let isNewest3 = rotation.received(t2, toRequest: second, sentWith: t0)
        #expect(isNewest3)
        let isNewest4 = rotation.received(t1, toRequest: first, sentWith: t0)
        #expect(!isNewest4)
        #expect(rotation.newest == t2)
    }

    @Test("Once the newest token was used, no sibling's token takes its place: it may be older in the server's eyes")
    func usedTokenStays() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        let first = rotation.nextSequence()
        let second = rotation.nextSequence()
        let isAdopted = rotation.received(t1, toRequest: first, sentWith: t0)
        #expect(isAdopted)
        let third = rotation.nextSequence()
        let isLaterSiblingAdopted = rotation.received(t2, toRequest: second, sentWith: t0)
        #expect(!isLaterSiblingAdopted && rotation.newest == t1)
        let t3 = WebAuthToken("t3")
        let isChildAdopted = rotation.received(t3, toRequest: third, sentWith: t1)
        #expect(isChildAdopted && rotation.newest == t3)
    }

    @Test("A wrong guess signs nobody out: the other answers' tokens are tried before giving up")
    func spares() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        let first = rotation.nextSequence()
        let second = rotation.nextSequence()
        _ = rotation.received(t2, toRequest: second, sentWith: t0)
        _ = rotation.received(t1, toRequest: first, sentWith: t0)
        let third = rotation.nextSequence()
        let next1 = rotation.replacement(forRefused: t2, ofRequest: third)
        #expect(next1 == t1)
        #expect(rotation.newest == t1)
        #expect(rotation.isSerial, "A good token was refused, so the server enforces single use")
        let next2 = rotation.replacement(forRefused: t1, ofRequest: third)
        #expect(next2 == t0, "The token before may be in its grace")
        let next3 = rotation.replacement(forRefused: t0, ofRequest: third)
        #expect(next3 == nil)
    }

    @Test("A refusal of the newest waits for those that were sent with it before, and for nobody else")
    func undecided() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        let first = rotation.nextSequence()
        let second = rotation.nextSequence()
        rotation.ended(second)
        #expect(rotation.isUndecided(t0, ofRequest: second, upTo: second))
        rotation.ended(first)
        #expect(!rotation.isUndecided(t0, ofRequest: second, upTo: second))
        let third = rotation.nextSequence()
        #expect(!rotation.isUndecided(t0, ofRequest: second, upTo: second), "It was sent after the refusal")
        #expect(rotation.isUndecided(t0, ofRequest: second, upTo: third))
        rotation.reset(to: t1)
        #expect(!rotation.isUndecided(t0, ofRequest: second, upTo: third), "Somebody signed in meanwhile")
        let fourth = rotation.nextSequence()
        let fifth = rotation.nextSequence()
        rotation.ended(fifth)
        #expect(!rotation.isUndecided(t1, ofRequest: second, upTo: fifth), "It is from before the sign-in")
        rotation.ended(fourth)
        let isNewest = rotation.received(t2, toRequest: fourth, sentWith: t1)
        #expect(isNewest)
        #expect(!rotation.isUndecided(t1, ofRequest: fifth, upTo: fifth), "The next one is there")
    }

    @Test("Where all tokens were refused, the newest is the newest again: the service may refuse everybody for a while")
    func allRefused() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        for token in [t1, t2] {
            _ = rotation.received(token, toRequest: rotation.nextSequence(), sentWith: rotation.newest)
        }
        for _ in 0..<3 {
            let request = rotation.nextSequence()
            for (refused, expected) in [(t2, t1), (t1, t0), (t0, nil)] {
                let next = rotation.replacement(forRefused: refused, ofRequest: request)
                #expect(next == expected)
            }
            #expect(rotation.newest == t2)
            #expect(!rotation.isSerial, "Nothing was learnt about the tokens")
        }
        let t3 = WebAuthToken("t3")
        let isNewest = rotation.received(t3, toRequest: rotation.nextSequence(), sentWith: t2)
        #expect(isNewest && rotation.newest == t3)
    }

    @Test("Where an older token opens the door, the refused one before it is not tried again")
    func oneAccepted() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        _ = rotation.received(t1, toRequest: rotation.nextSequence(), sentWith: t0)
        let first = rotation.replacement(forRefused: t1, ofRequest: rotation.nextSequence())
        #expect(first == t0)
        rotation.accepted(t0)
        let second = rotation.replacement(forRefused: t0, ofRequest: rotation.nextSequence())
        #expect(second == nil && rotation.newest == t0)
        #expect(rotation.isSerial)
    }

    @Test("A request with an older token goes again with the newest one")
    func olderToken() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        let first = rotation.nextSequence()
        _ = rotation.received(t1, toRequest: rotation.nextSequence(), sentWith: t0)
        let next4 = rotation.replacement(forRefused: t0, ofRequest: first)
        #expect(next4 == t1)
        #expect(rotation.isSerial)
    }

    @Test("A refused token does not come back, whatever late answer brings it")
    func refusedStaysRefused() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        let first = rotation.nextSequence()
        _ = rotation.received(t1, toRequest: rotation.nextSequence(), sentWith: t0)
        _ = rotation.replacement(forRefused: t0, ofRequest: first)
        let isNewest5 = rotation.received(t0, toRequest: rotation.nextSequence(), sentWith: t1)
        #expect(!isNewest5)
        #expect(rotation.newest == t1)
    }

    @Test("After a sign-in, answers to requests from before it bring no token")
    func signInEndsTheOldAccount() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        let before = rotation.nextSequence()
        rotation.reset(to: t1)
        let isNewest6 = rotation.received(t2, toRequest: before, sentWith: t0)
        #expect(!isNewest6)
        let next5 = rotation.replacement(forRefused: t0, ofRequest: before)
        #expect(next5 == nil, "Its data may be the other account's")
        let after = rotation.nextSequence()
        let next6 = rotation.replacement(forRefused: t1, ofRequest: after)
        #expect(next6 == nil, "No token of the other account is tried")
    }

    @Test("Any number of answers leaves a bounded number of spares")
    func bounded() {
        var rotation = TokenRotation()
        rotation.reset(to: t0)
        for number in 0..<1000 {
            _ = rotation.received(
                WebAuthToken("n\(number)"), toRequest: rotation.nextSequence(), sentWith: rotation.newest)
        }
        var tries = 0
        let last = rotation.nextSequence()
        while let token = rotation.newest, rotation.replacement(forRefused: token, ofRequest: last) != nil {
            tries += 1
        }
        #expect(tries == TokenRotation.spareLimit)
    }
}
