import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

/// A store with a public database, and two people who use it.
struct PublicWorld {
    static let container = "iCloud.example"

    let store: RecordStore
    let ada: Caller
    let bob: Caller

    init() throws {
        let store = try RecordStore(writer: DatabaseQueue(), surroundings: ManualClock(seed: 1).surroundings)
        let people = try ["ada", "bob"].map { name in
            let user = try store.addUser(name: name, container: Self.container, environment: "development")
            return try #require(
                try store.caller(
                    userRecordName: user.userRecordName, container: Self.container, environment: "development",
                    scope: .public))
        }
        self.store = store
        (ada, bob) = (people[0], people[1])
        try store.preparePublicDatabase(for: ada)
    }

    /// Says who may do what with a type's records; nobody else may anything.
    func grant(_ grants: [(role: String, permissions: [String])], of type: String) throws {
        try store.writer.write { db in
            try db.execute(sql: "DELETE FROM schema_grants WHERE record_type = ?", arguments: [type])
            for grant in grants {
                for permission in grant.permissions {
                    try db.execute(
                        sql: "INSERT INTO schema_grants VALUES (?, 'development', ?, ?, ?)",
                        arguments: [Self.container, type, grant.role, permission])
                }
            }
        }
    }

    /// One operation's result.
    func perform(
        _ kind: RecordOperation.Kind, _ name: String, as caller: Caller, _ fields: [String: FieldValue] = [:],
        tag: String? = nil, parent: String? = nil, type: String = "Note"
    ) throws -> ItemResult<CloudKitWire.Record> {
        var record = CloudKitWire.Record(
            recordName: name, recordType: type, recordChangeTag: tag, fields: fields.mapValues { Field($0) })
        record.parent = parent
        return try store.modify(
            RecordsModifyRequest(operations: [RecordOperation(kind, record)], zoneID: nil), as: caller
        ).records[0]
    }

    /// Why an operation is refused; `nil` where it is done.
    func refusal(
        _ kind: RecordOperation.Kind, _ name: String, as caller: Caller, _ fields: [String: FieldValue] = [:],
        tag: String? = nil, parent: String? = nil, type: String = "Note"
    ) throws -> ErrorDictionary? {
        let result = try perform(kind, name, as: caller, fields, tag: tag, parent: parent, type: type)
        if case .failure(let error) = result { return error }
        return nil
    }

    func refusal(ofLookup name: String, as caller: Caller) throws -> ErrorDictionary? {
        let found = try store.lookup(RecordsLookupRequest(recordNames: [name], zoneID: nil), as: caller).records[0]
        if case .failure(let error) = found { return error }
        return nil
    }

    static func reference(_ name: String, _ action: Reference.Action) -> [String: FieldValue] {
        ["target": .reference(Reference(recordName: name, action: action))]
    }
}
