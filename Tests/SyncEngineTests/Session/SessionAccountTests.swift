import CloudKitClient
import RemoteZone
import Testing

@testable import SyncEngine
@testable import ZoneFetching

@Suite("The account of a session")
struct SessionAccountTests {
    private static let alice = AccountStatus.available(userRecordName: "_alice")

    @Test("An account that can be used again after it could not comes back, once")
    func back() {
        let account = SessionAccount(isServerUnproven: false)
        #expect(account.take(Self.alice, hasSignIn: true) == (true, false))
        for lost in [
            AccountStatus.noAccount(redirectURL: nil), .restricted(reason: nil), .switched(from: "_a", to: "_b"),
        ] {
            #expect(account.take(lost, hasSignIn: true) == (true, false))
            #expect(account.take(lost, hasSignIn: true) == (false, false))
            #expect(account.needsPerson && account.isUnusable && !account.isUsable)
            #expect(account.take(Self.alice, hasSignIn: true) == (true, true))
            #expect(account.take(Self.alice, hasSignIn: true) == (false, false))
            #expect(!account.needsPerson && !account.isUnusable && account.isUsable)
        }
    }

    @Test(
        "Signed out of one's own server, who came by an invitation is told the way; of Apple's, nobody is",
        arguments: [false, true])
    func signedOut(hasSignIn: Bool) {
        let signedOut = AccountStatus.noAccount(redirectURL: nil)
        let sentence = signedOut.sentence(hasSignIn: hasSignIn)
        let own = signedOut.remedy(at: "https://sync.example", hasSignIn: hasSignIn)
        #expect(own?.hasPrefix("\(sentence ?? "?") ") == true)
        #expect(own?.contains("`zonefolder login --invitation LINK`") == true)
        let copied = signedOut.remedy(at: "https://sync.example", hasSignIn: hasSignIn, ofCopy: true)
        // Why it is refused is known of a copy.
        #expect(copied?.hasPrefix("The folder was copied") == true && copied?.contains("in any more") == false)
        #expect(copied?.contains("`zonefolder login --invitation LINK`") == true)
        #expect(signedOut.remedy(at: DatabaseAddress.appleBaseURL, hasSignIn: hasSignIn) == sentence)
        let restricted = AccountStatus.restricted(reason: nil).remedy(at: "https://sync.example", hasSignIn: hasSignIn)
        #expect(restricted?.contains("LINK") == false)
    }

    @Test("A sign-in that the server refuses is told apart from none: it has ended, or the account is no more")
    func ended() {
        let account = SessionAccount(isServerUnproven: false)
        #expect(account.sentence == nil)
        _ = account.take(.noAccount(redirectURL: nil), hasSignIn: false)
        #expect(account.sentence?.hasPrefix("Nobody is signed in; edits are kept") == true)
        _ = account.take(.noAccount(redirectURL: nil), hasSignIn: true)
        let ended = "Nobody is signed in any more: the server refuses this folder's sign-in."
        #expect(account.sentence?.hasPrefix(ended) == true)
        #expect(account.sentence?.contains("the account or the API token was removed there") == true)
        #expect(account.remedy(at: "https://sync.example", ofCopy: false)?.contains("in any more") == true)
        for status in [Self.alice, .restricted(reason: nil), .switched(from: "_a", to: "_b")] {
            #expect(status.sentence(hasSignIn: true) == status.sentence(hasSignIn: false))
        }
    }

    @Test("That nothing could be found out loses no account, and ends no loss")
    func undetermined() {
        let account = SessionAccount(isServerUnproven: false)
        let unknown = AccountStatus.couldNotDetermine(reason: "timeout")
        _ = account.take(unknown, hasSignIn: true)
        #expect(account.isUnusable && !account.needsPerson)
        #expect(account.take(Self.alice, hasSignIn: true) == (true, false))
        _ = account.take(.temporarilyUnavailable(reason: nil), hasSignIn: true)
        _ = account.take(unknown, hasSignIn: true)
        #expect(account.take(Self.alice, hasSignIn: true) == (true, true))
    }

    @Test("A doubted account is neither usable nor unusable, and the same answer is news then")
    func doubted() {
        let account = SessionAccount(isServerUnproven: false)
        _ = account.take(Self.alice, hasSignIn: true)
        account.doubt()
        #expect(account.status == nil && !account.isUsable && !account.isUnusable && !account.needsPerson)
        #expect(account.take(Self.alice, hasSignIn: true) == (true, false))
    }

    @Test("While credentials change, and after they did, answers to earlier questions count for nothing")
    func credentials() {
        let account = SessionAccount(isServerUnproven: false)
        _ = account.take(Self.alice, hasSignIn: true)
        let before = account.generation
        #expect(!account.isStale(before))
        account.beginChange()
        #expect(account.isStale(before) && account.isStale(account.generation))
        let during = account.generation
        account.endChange(isGivenUp: true)
        // They are the ones of before.
        #expect(account.status == Self.alice && !account.isStale(during))
        account.beginChange()
        let asked = account.generation
        account.endChange(isGivenUp: false)
        #expect(account.status == nil && account.isStale(asked) && !account.isStale(account.generation))
    }

    @Test("A feed is news where it is another one")
    func feed() {
        let account = SessionAccount(isServerUnproven: true)
        let feeds = DatabaseFeeds()
        let address = DatabaseAddress(container: "iCloud.test", environment: .development, scope: .private)
        let (one, other) = (
            feeds.feed(of: DatabaseIdentity(address: address, userRecordName: "_a")),
            feeds.feed(of: DatabaseIdentity(address: address, userRecordName: "_b"))
        )
        #expect(account.take(one) && !account.take(one) && account.take(other) && account.feed === other)
    }
}
