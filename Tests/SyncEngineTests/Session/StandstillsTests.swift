import CloudKitClient
import SyncModel
import Testing

@testable import SyncEngine

@Suite("What comes to nothing")
struct StandstillsTests {
    private static let (a, b) = (RetryKey.path(FolderPath("a.txt")!), RetryKey.path(FolderPath("b.txt")!))

    @Test("An action that comes to nothing waits from the third time in a row on")
    func repeated() {
        var standstills = Standstills()
        var mustWait = (0..<4).map { _ in standstills.note(Self.a) }
        #expect(mustWait == [false, false, true, true])
        standstills.forget(Self.a)
        mustWait = [Self.a, Self.b].map { standstills.note($0) }
        #expect(mustWait == [false, false])
    }

    @Test("What the plan no longer has is forgotten, and told")
    func over() {
        var standstills = Standstills()
        for key in [Self.a, Self.b, Self.b] { _ = standstills.note(key) }
        let over = standstills.keep(only: [Self.b])
        #expect(over == [Self.a])
        let mustWait = [Self.a, Self.b].map { standstills.note($0) }
        #expect(mustWait == [false, true])
        _ = standstills.keep(only: [])
        #expect(standstills.isEmpty)
    }

    @Test("Requests get half as long each time that none is answered, to a limit, and as long as before by and by")
    func requests() {
        var limit = RequestLimit()
        let largest = limit.bytes
        #expect(largest == ModifyBatcher().maximumBytes)
        limit.note(isAnswered: false)
        #expect(limit.bytes == largest / 2)
        for _ in 0..<20 { limit.note(isAnswered: false) }
        #expect(limit.bytes == RequestLimit.least)
        limit.note(isAnswered: true)
        #expect(limit.bytes == RequestLimit.least * 2)
        for _ in 0..<20 { limit.note(isAnswered: true) }
        #expect(limit.bytes == largest)
    }
}
