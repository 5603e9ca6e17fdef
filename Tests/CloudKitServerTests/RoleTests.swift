import CloudKitQueries
import CloudKitSchema
import CloudKitWire
import GRDB
import Testing

@testable import CloudKitServer

@Suite("Roles of the schema's own (protocol §2, §8.1)")
struct RoleTests {
    private let world: PublicWorld

    init() throws {
        world = try PublicWorld()
        try world.store.importSchema(
            SchemaSource.schema(
                """
                DEFINE SCHEMA
                    CREATE ROLE editor; CREATE ROLE reader;
                    RECORD TYPE Note (
                        "___recordID" REFERENCE QUERYABLE, text STRING,
                        GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud",
                        GRANT READ TO reader, GRANT READ, WRITE TO editor
                    );
                """), into: PublicWorld.container)
    }

    private func set(_ role: String, isGiven: Bool = true, to name: String = "bob") throws -> Bool {
        try world.store.setRole(
            role, isGiven: isGiven, toUser: name, container: PublicWorld.container, environment: "development")
    }

    private func roles(of name: String = "bob") throws -> [String]? {
        try world.store.roles(ofUser: name, container: PublicWorld.container, environment: "development")
    }

    @Test("A role may what the schema grants it, from when it is given until it is taken away")
    func grants() throws {
        #expect(try world.refusal(.create, "note", as: world.ada) == nil)
        func mayRead() throws -> Bool { try world.refusal(ofLookup: "note", as: world.bob) == nil }
        func mayWrite() throws -> Bool { try world.refusal(.forceUpdate, "note", as: world.bob) == nil }
        func count() throws -> Int {
            let request = RecordsQueryRequest(query: Query(recordType: "Note"))
            return try world.store.query(request, as: world.bob).records.count
        }
        #expect(try !mayRead() && !mayWrite())
        #expect(try count() == 0)
        #expect(try set("reader"))
        #expect(try mayRead() && !mayWrite())
        #expect(try count() == 1)
        #expect(try set("editor") && set("editor"))
        #expect(try mayRead() && mayWrite())
        #expect(try roles() == ["editor", "reader"])
        #expect(try set("editor", isGiven: false) && set("editor", isGiven: false))
        #expect(try mayRead() && !mayWrite())
        #expect(try roles() == ["reader"])
    }

    @Test("A role is given in one environment, to a user who is there, if the schema has it")
    func refusals() throws {
        #expect(try !set("editor", to: "nobody"))
        #expect(try roles(of: "nobody") == nil)
        let error = #expect(throws: ServerError.self) { try set("author") }
        #expect(error?.code == .name)
        #expect(throws: ServerError.self) {
            try world.store.setRole(
                "editor", isGiven: true, toUser: "bob", container: PublicWorld.container, environment: "production")
        }
        #expect(try roles() == [])
    }

    @Test("Nobody gives himself a role: what a Users record says of roles says nothing")
    func users() throws {
        #expect(try world.refusal(.create, "note", as: world.ada) == nil)
        try world.grant([("_icloud", ["READ", "CREATE", "WRITE"])], of: "Users")
        let roles = ["roles": FieldValue.int64List([1, 2, 3])]
        #expect(try world.refusal(.create, "me", as: world.bob, roles, type: "Users") == nil)
        #expect(try world.refusal(ofLookup: "note", as: world.bob)?.serverErrorCode == .notFound)
    }

    @Test("A role that the schema lost grants nothing, and whoever is deleted has none")
    func lost() throws {
        #expect(try set("editor"))
        try world.store.importSchema(
            SchemaSource.schema(#"DEFINE SCHEMA RECORD TYPE Note (GRANT READ, WRITE TO "_creator");"#),
            into: PublicWorld.container)
        try world.grant([("_creator", ["READ", "WRITE", "CREATE"]), ("_icloud", ["CREATE"])], of: "Note")
        #expect(try world.refusal(.create, "note", as: world.ada) == nil)
        #expect(try world.refusal(ofLookup: "note", as: world.bob)?.serverErrorCode == .notFound)
        try world.store.writer.write { db in
            try db.execute(sql: "DELETE FROM users WHERE name = 'bob'")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM user_roles") == 0)
        }
    }
}
