import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

/// The protocol's record; GRDB has a class of the same name.
private typealias Record = CloudKitWire.Record

@Suite("The schema of production")
struct SchemaTests {
    private static let container = "iCloud.example"

    private let store: RecordStore
    private let callers: [String: Caller]

    init() throws {
        store = try RecordStore(writer: DatabaseQueue(), surroundings: ManualClock(seed: 1).surroundings)
        var callers: [String: Caller] = [:]
        for environment in ["development", "production"] {
            let user = try store.addUser(name: "ada", container: Self.container, environment: environment)
            callers[environment] = try store.caller(
                userRecordName: user.userRecordName, container: Self.container, environment: environment)
        }
        self.callers = callers
    }

    /// Why a record with these fields is refused; `nil` where it is saved.
    private func refusal(of fields: [String: FieldValue], in environment: String) throws -> String? {
        let record = Record(
            recordType: "Note", fields: fields.mapValues { Field($0) })
        let request = RecordsModifyRequest(
            operations: [RecordOperation(.create, record)], zoneID: ZoneID(zoneName: ZoneID.defaultZoneName))
        let answer = try store.modify(request, as: try #require(callers[environment]))
        guard case .failure(let error)? = answer.records.first else { return nil }
        return error.reason
    }

    @Test("It has what was promoted from development and no more, and keeps what it has (S1.21)")
    func promotion() throws {
        #expect(try refusal(of: ["title": .string("a")], in: "development") == nil)
        #expect(
            try refusal(of: ["title": .string("a")], in: "production") == "Cannot create new type Note in this schema")

        #expect(try store.promoteSchema(of: Self.container) == 1)
        #expect(try refusal(of: ["title": .string("a")], in: "production") == nil)
        #expect(try refusal(of: ["extra": .string("a")], in: "production") == "Field extra not found in Note")

        #expect(try refusal(of: ["extra": .string("a"), "zonefolder": .string("{}")], in: "development") == nil)
        #expect(try store.promoteSchema(of: Self.container, leavingOut: ["zonefolder"]) == 1)
        #expect(try refusal(of: ["extra": .string("a"), "title": .string("b")], in: "production") == nil)
        #expect(
            try refusal(of: ["zonefolder": .string("{}")], in: "production") == "Field zonefolder not found in Note")
        #expect(try store.promoteSchema(of: "iCloud.other") == 0)
        #expect(try store.promoteSchema(of: Self.container) == 1)
        #expect(try store.promoteSchema(of: Self.container) == 0)
    }
}
