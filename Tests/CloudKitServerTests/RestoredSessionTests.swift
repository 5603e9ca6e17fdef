import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

@Suite("Sign-ins after a backup was restored")
struct RestoredSessionTests {
    private static let minute: Int64 = 60_000

    @Test(
        "A token of a start that the restored server does not know is good, and so is what is issued for it")
    func unknownStart() {
        var rotation = Rotation(voidUpTo: -1, starts: 7, now: 0)
        let lost: Int64 = 9 << 32 + 5
        var token = lost
        for hour in Int64(0)..<5 {
            let isGood = rotation.use(token, now: hour * 60 * Self.minute, graceMilliseconds: Self.minute)
            #expect(isGood)
            let next = rotation.issue()
            #expect(next > token)
            token = next
        }
        let isLostGood = rotation.use(lost, now: 5 * 60 * Self.minute, graceMilliseconds: Self.minute)
        #expect(!isLostGood, "Its successors were used")
    }

    @Test("No number is issued that the lost start may have issued, also by the next start")
    func numbers() {
        var rotation = Rotation(voidUpTo: -1, starts: 7, now: 0)
        let lost: Int64 = 9 << 32 + 5
        let isGood = rotation.use(lost, now: 0, graceMilliseconds: 0)
        let first = rotation.issue()
        #expect(isGood && first >> 32 == 10)
        let isOlderGood = rotation.use(lost - 3, now: 0, graceMilliseconds: 0)
        #expect(!isOlderGood)

        var after = Rotation(voidUpTo: rotation.voidUpTo, starts: 8, now: 0)
        let isFirstGood = after.use(first, now: 0, graceMilliseconds: 0)
        let second = after.issue()
        let isSecondGood = after.use(second, now: 0, graceMilliseconds: 0)
        #expect(isFirstGood && isSecondGood && second > first)
    }

    @Test("A client that is ahead of the restored server stays signed in, over restarts as well")
    func ahead() throws {
        let clock = ManualClock()
        let (container, environment) = ("iCloud.example", "development")
        let live = try DatabaseQueue()
        func start(_ queue: DatabaseQueue) throws -> RecordStore {
            try RecordStore(writer: queue, surroundings: clock.surroundings)
        }
        let user = try start(live).addUser(name: "ada", container: container, environment: environment)
        var token = user.webAuthToken
        func call(_ store: RecordStore) throws {
            let answer = try store.authenticate(
                Credentials(apiToken: user.apiToken, webAuthToken: token), container: container,
                environment: environment, scope: .private, baseURL: "")
            token = try #require(answer.nextWebAuthToken)
            clock.advance(seconds: 61)
        }
        let backup = try DatabaseQueue()
        try live.backup(to: backup)
        for _ in 0..<3 {
            let store = try start(live)
            for _ in 0..<2 { try call(store) }
            try store.saveRotations()
        }
        for _ in 0..<4 {
            let restored = try start(backup)
            for _ in 0..<3 { try call(restored) }
            try restored.saveRotations()
        }
    }
}
