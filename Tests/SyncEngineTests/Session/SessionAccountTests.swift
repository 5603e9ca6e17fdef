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
        #expect(account.take(Self.alice) == (true, false))
        for lost in [
            AccountStatus.noAccount(redirectURL: nil), .restricted(reason: nil), .switched(from: "_a", to: "_b"),
        ] {
            #expect(account.take(lost) == (true, false))
            #expect(account.take(lost) == (false, false))
            #expect(account.needsPerson && account.isUnusable && !account.isUsable)
            #expect(account.take(Self.alice) == (true, true))
            #expect(account.take(Self.alice) == (false, false))
            #expect(!account.needsPerson && !account.isUnusable && account.isUsable)
        }
    }

    @Test("Signed out of one's own server, who came by an invitation is told the way; of Apple's, nobody is")
    func signedOut() {
        let signedOut = AccountStatus.noAccount(redirectURL: nil)
        let own = signedOut.remedy(at: "https://sync.example")
        #expect(own?.hasPrefix("\(signedOut.sentence ?? "?") ") == true)
        #expect(own?.contains("`zonefolder login --invitation LINK`") == true)
        let copied = signedOut.remedy(at: "https://sync.example", ofCopy: true)
        #expect(copied?.hasPrefix("The folder was copied") == true && copied?.hasSuffix(own ?? "") == true)
        #expect(signedOut.remedy(at: DatabaseAddress.appleBaseURL) == signedOut.sentence)
        #expect(AccountStatus.restricted(reason: nil).remedy(at: "https://sync.example")?.contains("LINK") == false)
    }

    @Test("That nothing could be found out loses no account, and ends no loss")
    func undetermined() {
        let account = SessionAccount(isServerUnproven: false)
        let unknown = AccountStatus.couldNotDetermine(reason: "timeout")
        _ = account.take(unknown)
        #expect(account.isUnusable && !account.needsPerson)
        #expect(account.take(Self.alice) == (true, false))
        _ = account.take(.temporarilyUnavailable(reason: nil))
        _ = account.take(unknown)
        #expect(account.take(Self.alice) == (true, true))
    }

    @Test("A doubted account is neither usable nor unusable, and the same answer is news then")
    func doubted() {
        let account = SessionAccount(isServerUnproven: false)
        _ = account.take(Self.alice)
        account.doubt()
        #expect(account.status == nil && !account.isUsable && !account.isUnusable && !account.needsPerson)
        #expect(account.take(Self.alice) == (true, false))
    }

    @Test("While credentials change, and after they did, answers to earlier questions count for nothing")
    func credentials() {
        let account = SessionAccount(isServerUnproven: false)
        _ = account.take(Self.alice)
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
