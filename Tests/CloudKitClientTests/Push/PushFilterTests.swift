import CloudKitClient
import CloudKitWire
import Testing

private let filter = PushFilter(
    container: "iCloud.example", scope: .private, subscriptionIDs: ["zonefolder-Folder", "zonefolder-database"],
    userRecordName: "_ada")

/// A push in the courier's JSON, and what it means.
struct PushRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var json: String
    var expected: PushFilter.Meaning

    init(_ name: String, _ json: String, _ expected: PushFilter.Meaning) {
        testDescription = name
        self.json = json
        self.expected = expected
    }

    /// A push of our container.
    static func ours(_ name: String, _ parts: String, _ expected: PushFilter.Meaning) -> Self {
        Self(name, #"{ "ck": { "cid": "iCloud.example", \#(parts) } }"#, expected)
    }
}

@Suite("Ours or foreign, and what it is about (S0.13, S4.10, protocol §3.11)")
struct PushFilterTests {
    private static let folderZone = PushFilter.Meaning.zone(ZoneID(zoneName: "Folder"))

    @Test(
        "A courier's JSON",
        arguments: [
            .ours(
                "zone",
                #""ce":2, "ckuserid":"_ada", "fet": {"sid":"zonefolder-Folder","zid":"Folder","zoid":"_ada","dbs":2}"#,
                folderZone),
            .ours("database", #""met": { "sid": "zonefolder-database", "dbs": 2 }"#, .database),
            .ours("query", #""qry": { "sid": "zonefolder-Folder", "zid": "Folder", "rid": "x", "fo": 1 }"#, folderZone),
            .ours("pruned of its zone", #""p": 1, "fet": { "sid": "zonefolder-Folder" }"#, .database),
            .ours("other subscription", #""fet": { "sid": "theirs", "zid": "Folder" }"#, .foreign),
            .ours("other user", #""ckuserid": "_bob", "met": { "sid": "zonefolder-database" }"#, .foreign),
            .ours("other database", #""met": { "sid": "zonefolder-database", "dbs": 3 }"#, .foreign),
            .ours("no subscription", #""fet": { "zid": "Folder" }"#, .foreign),
            PushRow(
                "other container", #"{ "ck": { "cid": "iCloud.other", "met": { "sid": "zonefolder-database" } } }"#,
                .foreign),
            PushRow("not CloudKit", #"{ "aps": { "alert": "hello" } }"#, .foreign),
            PushRow("empty", "{}", .foreign),
            PushRow("wrong types", #"{ "ck": { "cid": 17, "fet": ["sid"] } }"#, .foreign),
            PushRow("no object", #"{ "ck": "x" }"#, .foreign),
        ] as [PushRow])
    func meaning(row: PushRow) async throws {
        let push = try await database(ScriptedTransport(.json(row.json))).pollCourier("http://courier.example/aps")
        #expect(push.map(filter.meaning) == row.expected)
    }

    @Test("In the shared database the zone's owner matters")
    func owner() {
        var push = PushNotification(container: "iCloud.example", notificationID: nil, userRecordName: nil)
        push.zone = .init(subscriptionID: "zonefolder-Folder", zoneName: "Folder", zoneOwner: "_bob", databaseScope: 3)
        let filter = PushFilter(container: "iCloud.example", scope: .shared, subscriptionIDs: ["zonefolder-Folder"])
        #expect(filter.meaning(of: push) == .zone(ZoneID(zoneName: "Folder", ownerRecordName: "_bob")))
    }
}
