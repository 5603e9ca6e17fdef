import CloudKitQueries
import CloudKitWire
import GRDB
import Synchronization
import Testing

@testable import CloudKitServer

@Suite("Queries that take long (protocol §3.3)")
struct LongQueryTests {
    /// Stands still, until it is told that each look at it takes half a minute.
    private final class SlowClock: Sendable {
        private let state = Mutex((time: Int64(1_790_000_000_000), step: Int64(0)))

        func slowDown() {
            state.withLock { $0.step = 30_000 }
        }

        func now() -> Int64 {
            state.withLock { state in
                defer { state.time += state.step }
                return state.time
            }
        }
    }

    private let clock = SlowClock()

    /// A store with 600 records, of which two have the rank 1.
    private func filled() throws -> (RecordStore, Caller) {
        var surroundings = ManualClock().surroundings
        surroundings.now = { [clock] in clock.now() }
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: surroundings)
        let (container, environment) = ("iCloud.example", "development")
        let user = try store.addUser(name: "ada", container: container, environment: environment)
        let caller = try #require(
            try store.caller(userRecordName: user.userRecordName, container: container, environment: environment))
        for hundred in stride(from: 100, to: 700, by: 100) {
            let operations = (hundred..<hundred + 100).map { number in
                RecordOperation(
                    .create,
                    CloudKitWire.Record(
                        recordName: "n\(number)", recordType: "Note",
                        fields: ["rank": Field(.int64(number % 300 == 99 ? 1 : 0))]))
            }
            let answer = try store.modify(RecordsModifyRequest(operations: operations, zoneID: nil), as: caller)
            for record in answer.records { if case .failure(let error) = record { throw error } }
        }
        return (store, caller)
    }

    private static let filter = QueryFilter(.equals, .user("rank"), .int64(1))

    private func pages(_ query: Query, _ store: RecordStore, _ caller: Caller) throws -> [[String?]] {
        var request = RecordsQueryRequest(query: query)
        var pages: [[String?]] = []
        repeat {
            let page = try store.query(request, as: caller)
            pages.append(page.records.map { if case .success(let record) = $0 { record.recordName } else { nil } })
            request.continuationMarker = page.continuationMarker
        } while request.continuationMarker != nil
        return pages
    }

    @Test("A page by name ends early, maybe empty, and the next one goes on behind what was looked at")
    func byName() throws {
        let (store, caller) = try filled()
        let query = Query(recordType: "Note", filters: [Self.filter])
        #expect(try pages(query, store, caller) == [["n399", "n699"]])
        clock.slowDown()
        #expect(try pages(query, store, caller) == [[], ["n399"], ["n699"]])
    }

    @Test("A sorted one, which has to see all records first, is refused with the way out")
    func sorted() throws {
        let (store, caller) = try filled()
        let query = Query(recordType: "Note", filters: [Self.filter], sorts: [QuerySort(.user("rank"))])
        #expect(try pages(query, store, caller) == [["n399", "n699"]])
        clock.slowDown()
        let error = #expect(throws: ErrorDictionary.self) { try pages(query, store, caller) }
        #expect(error?.serverErrorCode == .badRequest)
        #expect(error?.reason?.contains("without a sort") == true)
    }
}
