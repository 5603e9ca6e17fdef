import CloudKitQueries
import CloudKitSchema
import CloudKitServer
import CloudKitWire
import Testing

@Suite("Adding an index to a container's development (protocol §3.3, §8)")
struct IndexTests {
    private func found(_ world: SchemaWorld, _ query: Query) throws -> Int {
        try world.store.query(RecordsQueryRequest(query: query), as: world.caller).records.count
    }

    @Test(
        "What a query lacks is there at once, by the name that the refusal has",
        arguments: [
            ("recordName", Query(recordType: "Note"), Schema.Indexes.queryable),
            (
                "modifiedTimestamp", Query(recordType: "Note", sorts: [QuerySort(.system(.modifiedTimestamp))]),
                .sortable
            ),
            ("___recordID", Query(recordType: "Note"), .queryable),
        ])
    func systemFields(field: String, query: Query, index: Schema.Indexes) throws {
        let world = try SchemaWorld()
        #expect(try world.refusal(of: ["title": .string("One")], name: "a", in: "development") == nil)
        let refusal = #expect(throws: ErrorDictionary.self) { try found(world, query) }
        #expect(refusal?.reason?.contains("is not marked") == true)
        let changes = try world.store.addIndex(index, to: field, of: "Note", in: SchemaWorld.container)
        #expect(changes.count == 1)
        #expect(try found(world, query) == 1)
        #expect(try world.store.addIndex(index, to: field, of: "Note", in: SchemaWorld.container).isEmpty)
    }

    @Test("A field of the type is meant before a system field of that name, until it has the index")
    func ownField() throws {
        let world = try SchemaWorld()
        try world.importSchema("RECORD TYPE Note (recordName STRING);")
        let changes = try world.store.addIndex(.sortable, to: "recordName", of: "Note", in: SchemaWorld.container)
        #expect(changes == [.addIndex(.sortable, field: "recordName", of: "Note")])
        try world.store.addIndex(.sortable, to: "recordName", of: "Note", in: SchemaWorld.container)
        #expect(try world.schema()["Note"]?["___recordID"]?.indexes == .sortable)
    }

    @Test("Records that have a field of a system field's name can be listed once the index is there that is asked for")
    func listed() throws {
        let world = try SchemaWorld()
        #expect(try world.refusal(of: ["recordName": .string("mine")], name: "a", in: "development") == nil)
        try world.store.addIndex(.queryable, to: "recordName", of: "Note", in: SchemaWorld.container)
        #expect(try found(world, Query(recordType: "Note")) == 1)
    }

    @Test("Production has the index once it is promoted")
    func production() throws {
        let world = try SchemaWorld()
        #expect(try world.refusal(of: [:], name: "a", in: "development") == nil)
        try world.store.promoteSchema(of: SchemaWorld.container)
        try world.store.addIndex(.queryable, to: "recordName", of: "Note", in: SchemaWorld.container)
        #expect(try world.schema(in: "production")["Note"]?["___recordID"] == nil)
        try world.store.promoteSchema(of: SchemaWorld.container)
        #expect(try world.schema(in: "production")["Note"]?["___recordID"]?.indexes == .queryable)
    }

    @Test("No other container gets it, and what cannot be changes nothing")
    func refusals() throws {
        let world = try SchemaWorld()
        #expect(try world.refusal(of: ["title": .string("One")], name: "a", in: "development") == nil)
        let before = try world.schema()
        #expect(throws: SchemaError.self) {
            try world.store.addIndex(.queryable, to: "recordName", of: "Note", in: "iCloud.other")
        }
        #expect(throws: SchemaError.self) {
            try world.store.addIndex(.queryable, to: "parent", of: "Note", in: SchemaWorld.container)
        }
        #expect(try world.schema() == before)
    }
}
