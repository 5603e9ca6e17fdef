import CloudKitClient
import Testing

@testable import RecordSending

@Suite("How much a request holds")
struct RequestLimitTests {
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
