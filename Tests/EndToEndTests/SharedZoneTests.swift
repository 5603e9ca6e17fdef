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
    /// - Parameter isThere: Whether the share is there already.
    private static func share(
        _ permission: String, _ ada: ForeignClient, _ bob: ForeignClient, isThere: Bool = false
    ) async throws {
        let answer = try await modify(
            isThere ? "forceUpdate" : "create", #", "publicPermission": "\#(permission)""#, ada)
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

    @Test("An `init` that sets nothing up puts the next token into its file, so that a second try is a first one")
    func secondTry() async throws {
        let world = try await RealWorld()
        let account = try await world.addUser("bob")
        let file = world.place.appending(path: "token")
        try Data(account.webAuthToken.utf8).write(to: file)
        func initialize(_ options: [String]) async throws -> RealProgram.Outcome {
            try await RealProgram.run(
                arguments: [
                    "init", world.place.appending(path: "notes").path, "--server", world.url, "--container",
                    RealWorld.container, "--zone", "Notes", "--api-token", account.apiToken, "--web-auth-token-file",
                    file.path,
                ] + options)
        }
        for _ in 0..<2 {
            let refused = try await initialize(Self.options)
            #expect(refused.status == 78 && refused.errors.contains("Nothing is shared"), "\(refused)")
        }
        let next = try String(contentsOf: file, encoding: .utf8)
        #expect(next != account.webAuthToken)
        let made = try await initialize([])
        #expect(made.status == 0, "\(made)")
        // The folder goes on with the sign-in, and no other is given it.
        #expect(try String(contentsOf: file, encoding: .utf8) == next)
    }

    /// Ada's and Bob's folders of one zone with their daemons, in step.
    private struct Pair {
        let world: RealWorld
        let laptop: RealFolder
        let desk: RealFolder
        let ada: ForeignClient
        let bob: ForeignClient
        let daemons: [RunningProgram]

        init(_ files: [String: String]) async throws {
            world = try await RealWorld()
            laptop = try await world.addFolder("ada")
            for (name, text) in files { try laptop.write(text, to: name) }
            var daemons = [try laptop.run()]
            try await laptop.untilDaemonAnswers(daemons[0])
            guard try await laptop.settledVerdict() == "in-sync" else { throw TestFailure("Ada is not in sync") }
            (ada, bob) = (try await ForeignClient(world), try await ForeignClient(world, user: "bob"))
            try await SharedZoneTests.share("READ_WRITE", ada, bob)
            desk = try await world.addFolder("bob", of: "bob", options: SharedZoneTests.options)
            daemons.append(try desk.run())
            try await desk.untilDaemonAnswers(daemons[1])
            self.daemons = daemons
            guard try await desk.settledVerdict() == "in-sync" else { throw TestFailure("Bob is not in sync") }
        }

        /// Waits until Bob's status names something as held.
        func untilBobIsTold(_ code: String) async throws {
            for _ in 0..<500 where try await desk.report().held.contains(where: { $0.code == code }) { return }
            throw TestFailure("Bob's folder says \(try await desk.report())")
        }

        /// Waits until both folders have these files and nothing else.
        func untilBothHave(_ files: [String: String]) async throws {
            let expected = files.mapValues { Data($0.utf8) }
            let isSame = try await eventually(within: .seconds(120)) {
                try laptop.files() == expected && desk.files() == expected
            }
            guard !isSame else { return }
            throw TestFailure(
                "Ada: \(try laptop.files().keys), Bob: \(try desk.files().keys), \(try await desk.report())")
        }
    }

    @Test(
        "A share that ended and came back: no conflict copy of what one side changed alone, and what is new goes, unasked"
    )
    func endedAndBack() async throws {
        let pair = try await Pair(["rest.txt": "1", "adas.txt": "1", "bobs.txt": "1"])
        _ = try await Self.modify("forceDelete", "", pair.ada)
        try await pair.untilBobIsTold("zoneVanished")
        try pair.desk.write("bob's", to: "bobs.txt")
        try pair.desk.write("new", to: "new.txt")
        try pair.laptop.write("ada's", to: "adas.txt")
        #expect(try await pair.laptop.settledVerdict() == "in-sync")
        #expect(pair.laptop.read("new.txt") == nil && pair.laptop.read("bobs.txt") == "1")

        try await Self.share("READ_WRITE", pair.ada, pair.bob)
        try await pair.untilBothHave([
            "rest.txt": "1", "adas.txt": "ada's", "bobs.txt": "bob's", "new.txt": "new",
        ])
        for folder in [pair.laptop, pair.desk] { #expect(try await folder.settledVerdict() == "in-sync") }
        #expect(pair.daemons[0].isRunning && pair.daemons[1].isRunning)
    }

    @Test("A guest leaves, with and without a daemon: the files stay, the folder says so; who accepts again goes on")
    func leaving() async throws {
        let pair = try await Pair(["a.txt": "1"])
        let left = try await RealProgram.run("share", "--leave", "--folder", pair.desk.path)
        #expect(left.status == 0 && left.errors.contains("zonefolder accept"), "\(left)")
        try await pair.untilBobIsTold("zoneLeft")
        let status = try await RealProgram.run("status", pair.desk.path)
        #expect(status.status == 4 && status.output.contains("left the zone 'Notes' of somebody (_"), "\(status)")
        try pair.desk.write("bob's", to: "b.txt")
        try pair.laptop.write("2", to: "a.txt")
        #expect(try await pair.laptop.settledVerdict() == "in-sync")
        #expect(pair.desk.read("a.txt") == "1" && pair.laptop.read("b.txt") == nil)
        try await Self.share("READ_WRITE", pair.ada, pair.bob, isThere: true)
        try await pair.untilBothHave(["a.txt": "2", "b.txt": "bob's"])

        // Once more while nothing runs.
        pair.daemons[1].terminate()
        #expect(try await pair.daemons[1].ended(within: .seconds(120)) == 0)
        let again = try await RealProgram.run("share", "--leave", "--folder", pair.desk.path)
        #expect(again.status == 0, "\(again)")
        let stopped = try await RealProgram.run("status", pair.desk.path)
        #expect(stopped.output.contains("left the zone 'Notes'"), "\(stopped)")
        let daemon = try pair.desk.run()
        try await pair.desk.untilDaemonAnswers(daemon)
        try await pair.untilBobIsTold("zoneLeft")
        try pair.desk.write("3", to: "a.txt")
        try await Self.share("READ_WRITE", pair.ada, pair.bob, isThere: true)
        try await pair.untilBothHave(["a.txt": "3", "b.txt": "bob's"])
        // Ada shares the zone: she stops that, and leaves nothing.
        let own = try await RealProgram.run("share", "--leave", "--folder", pair.laptop.path)
        #expect(own.status == 2 && own.errors.contains("--stop"), "\(own)")
    }
}
