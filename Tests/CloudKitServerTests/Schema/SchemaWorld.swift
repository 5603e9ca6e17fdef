import CloudKitSchema
import CloudKitWire
import GRDB

@testable import CloudKitServer

/// A store with one user, who saves records in both environments.
struct SchemaWorld {
    static let container = "iCloud.example"

    let store: RecordStore
    private let callers: [String: Caller]

    init(learns: Bool = true, writer: any DatabaseWriter) throws {
        var settings = RecordStore.Settings()
        settings.learnsSchema = learns
        store = try RecordStore(
            writer: writer, surroundings: ManualClock(seed: 1).surroundings, settings: settings)
        var callers: [String: Caller] = [:]
        for environment in ["development", "production"] {
            let user = try store.addUser(name: "ada", container: Self.container, environment: environment)
            callers[environment] = try store.caller(
                userRecordName: user.userRecordName, container: Self.container, environment: environment)
        }
        self.callers = callers
    }

    init(learns: Bool = true) throws {
        try self.init(learns: learns, writer: DatabaseQueue())
    }

    /// The user, in development.
    var caller: Caller { callers["development"]! }

    /// Saves a record; why it is refused, or `nil` where it is saved.
    @discardableResult
    func refusal(
        of fields: [String: FieldValue], type: String = "Note", name: String? = nil, in environment: String
    ) throws -> String? {
        let record = CloudKitWire.Record(
            recordName: name, recordType: type, fields: fields.mapValues { Field($0) })
        return try refusal(of: RecordOperation(name == nil ? .create : .forceReplace, record), in: environment)
    }

    func refusal(of operation: RecordOperation, in environment: String) throws -> String? {
        let request = RecordsModifyRequest(
            operations: [operation], zoneID: ZoneID(zoneName: ZoneID.defaultZoneName))
        let answer = try store.modify(request, as: callers[environment]!)
        guard case .failure(let error)? = answer.records.first else { return nil }
        return error.reason
    }

    func schema(in environment: String = "development") throws -> Schema {
        try store.schema(of: Self.container, in: environment)
    }

    @discardableResult
    func importSchema(_ text: String) throws -> [String] {
        try store.importSchema(SchemaSource.schema("DEFINE SCHEMA " + text), into: Self.container).map(\.description)
    }

    /// Why a schema cannot be imported.
    func objections(to text: String) throws -> [String] {
        do {
            try importSchema(text)
            return []
        } catch let error as SchemaError {
            return error.problems.map(\.message)
        }
    }

    func promote(without fields: Set<String> = []) throws -> [String] {
        try store.promoteSchema(of: Self.container, leavingOut: fields).map(\.description)
    }

    func indexes(of type: String, in environment: String = "development") throws -> [String: [String]] {
        try store.writer.read { db in
            try store.indexes(ofType: type, in: Self.container, environment: environment, db).mapValues(\.texts)
        }
    }

    func grants(of type: String, in environment: String = "development") throws -> [String: Set<Schema.Permission>] {
        try store.writer.read { db in
            try store.grants(ofType: type, in: Self.container, environment: environment, db)
        }
    }
}
