import Foundation
import Testing

@Suite("A zone that somebody shares", .timeLimit(.minutes(30)))
struct SharedZoneTests {
    private static let options = ["--database", "shared"]

    private static func modify(_ kind: String, _ record: String, _ client: ForeignClient) async throws -> Data {
        try await client.post(
            "records/modify",
            #"{"zoneID": {"zoneName": "Notes"}, "operations": [{"operationType": "\#(kind)", "record": {"recordName": "cloudkit.zoneshare", "recordType": "cloudkit.share" \#(record)}}]}"#
        )
    }

    /// Shares Ada's zone with everyone who has the short GUID, and lets Bob join.
    private static func share(_ permission: String, _ ada: ForeignClient, _ bob: ForeignClient) async throws {
        let answer = try await modify("create", #", "publicPermission": "\#(permission)""#, ada)
        let json = try JSONSerialization.jsonObject(with: answer) as? [String: Any]
        let record = (json?["records"] as? [[String: Any]])?.first
        guard let guid = record?["shortGUID"] as? String else {
            throw TestFailure(String(decoding: answer, as: UTF8.self))
        }
        let accepted = try await bob.post(
            "records/accept", #"{"shortGUIDs": [{"value": "\#(guid)"}]}"#, database: "public")
        guard String(decoding: accepted, as: UTF8.self).contains("ACCEPTED") else {
            throw TestFailure(String(decoding: accepted, as: UTF8.self))
        }
    }

    @Test(
        "Two accounts, two daemons: edits cross by push, a read-only one is held with exit status 4, and unsharing keeps all"
    )
    func wholeLife() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("ada")
        try laptop.set("poll_seconds", to: "600")
        let daemon = try laptop.run()
        try laptop.write(#"{"by": "ada"}"#, to: "Note/a.json")
        try await laptop.untilDaemonAnswers(daemon)
        #expect(try await laptop.settledVerdict() == "in-sync")

        // Nothing is shared yet: init says so, and names what there is once there is something.
        let nowhere = RealFolder(url: world.place.appending(path: "nowhere"))
        let early = try await world.initialize(nowhere, of: "bob", options: Self.options)
        #expect(early.status == 78 && early.errors.contains("Nothing is shared"), "\(early.errors)")
        let (ada, bob) = (try await ForeignClient(world), try await ForeignClient(world, user: "bob"))
        try await Self.share("READ_WRITE", ada, bob)
        let wrong = try await world.initialize(nowhere, of: "bob", zone: "Cards", options: Self.options)
        #expect(wrong.status == 78 && wrong.errors.contains("Notes, of _"), "\(wrong.errors)")
        let refused = try await world.initialize(nowhere, of: "bob", options: ["--database", "public"])
        #expect(refused.status == 78 && refused.errors.contains("no list of changes"), "\(refused.errors)")

        // Bob's folder is in one daemon with a zone of his own.
        let desk = try await world.addFolder("bob", of: "bob", options: Self.options)
        let own = try await world.addFolder("own", of: "bob", zone: "Own")
        for folder in [desk, own] { try folder.set("poll_seconds", to: "600") }
        let other = try RunningProgram(arguments: ["run", desk.path, own.path])
        try await desk.untilDaemonAnswers(other)
        #expect(try await eventually { desk.read("Note/a.json") == #"{"by": "ada"}"# })
        #expect(try await desk.settledVerdict() == "in-sync")
        #expect(try await own.settledVerdict() == "in-sync")
        #expect(try await RealProgram.run("status", desk.path, "--json").output.contains(#""shared""#))

        try desk.write(#"{"by": "bob"}"#, to: "Note/a.json")
        #expect(try await eventually { laptop.read("Note/a.json") == #"{"by": "bob"}"# })
        try laptop.write("from ada", to: "new.txt")
        #expect(try await eventually { desk.read("new.txt") == "from ada" })

        _ = try await Self.modify("forceUpdate", #", "publicPermission": "READ_ONLY""#, ada)
        try laptop.write("after", to: "marker.txt")
        #expect(try await eventually { desk.read("marker.txt") == "after" })
        try desk.write("kept here", to: "new.txt")
        let held = try await RealProgram.run("status", desk.path, "--wait=30")
        #expect(held.status == 4 && held.output.contains("read-only"), "\(held.output)")
        #expect(laptop.read("new.txt") == "from ada")

        _ = try await Self.modify("forceUpdate", #", "publicPermission": "READ_WRITE""#, ada)
        #expect(try await eventually { laptop.read("new.txt") == "kept here" })

        _ = try await Self.modify("forceDelete", "", ada)
        var isNamed = false
        for _ in 0..<300 where !isNamed {
            isNamed = try await RealProgram.run("status", desk.path).output.contains("not shared with this account")
        }
        #expect(isNamed)
        #expect(desk.read("Note/a.json") == #"{"by": "bob"}"# && desk.read("new.txt") == "kept here")
        #expect(try await own.settledVerdict() == "in-sync")
        #expect(daemon.isRunning && other.isRunning)
    }
}
