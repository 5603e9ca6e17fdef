import CloudKitServer
import Testing

/// A server with three people, of whom Ada owns the zone `Folder`.
struct SharingWorld {
    let ada: TestServer
    let bob: TestServer
    let cleo: TestServer

    init(_ server: TestServer) async throws {
        func person(_ name: String) throws -> TestServer {
            let user = try server.server.store.addUser(
                name: name, container: TestServer.container, environment: "development")
            return TestServer(server: server.server, port: server.port, user: user)
        }
        ada = server
        bob = try person("bob@example.com")
        cleo = try person("cleo@example.com")
        try await ada.makeZone()
    }

    /// The zone as it is named in others' shared databases.
    var zone: String { #"{"zoneName":"Folder","ownerRecordName":"\#(ada.user.userRecordName)"}"# }

    /// Saves plain records, each below its parent.
    func plant(_ records: [(name: String, parent: String?)]) async throws {
        for record in records {
            let parent = record.parent.map { #","parent":{"recordName":"\#($0)"}"# } ?? ""
            let reply = try await ada.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#(record.name)","fields":{"text":{"value":"\#(record.name)"}}\#(parent)}}"#
            )
            try #require(reply["records"][0]["serverErrorCode"].isAbsent, "\(reply.text)")
        }
    }

    /// Saves a share of Ada's whole zone.
    func share(_ kind: String, _ more: String) async throws -> TestJSON {
        try await share(kind, "cloudkit.zoneshare", more)
    }

    /// Saves a share of Ada's.
    func share(_ kind: String, _ name: String, _ more: String) async throws -> TestJSON {
        let reply = try await ada.modify(
            #"{"operationType":"\#(kind)","record":{"recordType":"cloudkit.share","recordName":"\#(name)",\#(more)}}"#)
        return reply["records"][0]
    }

    /// `records/accept`.
    func ask(_ person: TestServer, _ guid: String) async throws -> TestJSON {
        try await ask(person, "accept", guid, "")
    }

    /// `records/accept` or `records/resolve`.
    func ask(
        _ person: TestServer, _ operation: String = "accept", _ guid: String, _ more: String = ""
    ) async throws
        -> TestJSON
    {
        let reply = try await person.send(
            "POST", "/database/1/\(TestServer.container)/development/public/records/\(operation)",
            #"{"shortGUIDs":[{"value":"\#(guid)"\#(more)}]}"#)
        try #require(reply.status == 200, "\(reply.text)")
        return reply["results"][0]
    }

    /// An operation of somebody's shared database.
    func shared(_ person: TestServer, _ operation: String, _ body: String = "{}") async throws -> TestServer.Reply {
        try await person.send(
            "POST", "/database/1/\(TestServer.container)/development/shared/\(operation)", body)
    }

    /// Where somebody's pushes are fetched.
    func courier(_ person: TestServer) async throws -> String {
        let reply = try await person.send(
            "POST", "/device/1/\(TestServer.container)/development/tokens/create",
            #"{"apnsEnvironment":"development","clientId":"c"}"#)
        return try #require(reply["webcourierURL"].string)
    }

    /// `records/modify` of the zone through somebody's shared database.
    func modify(_ person: TestServer, _ kind: String, _ record: String) async throws -> TestJSON {
        let reply = try await shared(
            person, "records/modify",
            #"{"zoneID":\#(zone),"atomic":false,"operations":[{"operationType":"\#(kind)","record":{\#(record)}}]}"#)
        return reply["records"].items.first ?? reply.json
    }

    /// The names that a page of the zone's feed tells, gone ones with a `-` before them.
    func changes(_ person: TestServer, since token: String? = nil) async throws -> (names: [String], token: String?) {
        let token = token.map { #","syncToken":"\#($0)""# } ?? ""
        let page = try await shared(person, "changes/zone", #"{"zones":[{"zoneID":\#(zone)\#(token)}]}"#)["zones"][0]
        return (
            page["records"].items.map { ($0["deleted"].bool == true ? "-" : "") + ($0["recordName"].string ?? "?") },
            page["syncToken"].string
        )
    }
}

/// Runs a server with three people.
func withSharing(_ body: @Sendable (SharingWorld) async throws -> Void) async throws {
    try await withServer { server in try await body(try await SharingWorld(server)) }
}
