import Foundation
import Testing

/// Two people's folders of which one record alone is shared.
@Suite("The share of a single record", .timeLimit(.minutes(4)))
struct SharedRecordTests {
    /// Ada's folder, and Bob's of her record `Note/n28`, which he may change.
    private static func folders(_ world: RealWorld) async throws -> (ada: RealFolder, bob: RealFolder) {
        let laptop = try await world.addFolder("ada")
        for name in ["Note/n27.json", "Note/n28.json"] { try laptop.write(#"{"title": "One"}"#, to: name) }
        for name in ["Tango/a.txt", "Tango/b.txt"] { try laptop.write("ada's", to: name) }
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        let bob = try await world.addUser("bob")
        let shared = try await RealProgram.run(
            "share", "Note/n28", "--folder", laptop.path, "--invite", "bob", "--allow", "read-write")
        #expect(shared.status == 0 && shared.errors.contains("may also put new files below it"), "\(shared)")
        let guid = try #require(shared.output.split(separator: "\n").last.map(String.init))
        let token = world.place.appending(path: "token")
        try Data(bob.webAuthToken.utf8).write(to: token)
        let accepted = try await RealProgram.run(
            "accept", guid, "--container", RealWorld.container, "--server", world.url, "--api-token", bob.apiToken,
            "--web-auth-token-file", token.path)
        #expect(accepted.status == 0, "\(accepted)")
        return (laptop, try await world.addFolder("bob", of: "bob", options: ["--database", "shared"]))
    }

    @Test(
        "Rules of whoever may change it take nothing out of its owner's folder; new files come, as the owner was told")
    func rules() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await Self.folders(world)
        try desk.write("*.nothing\nTango/\n", to: ".zonefolderignore")
        try desk.write("bob's", to: "new.txt")
        try desk.write("bob's", to: "own.nothing")
        for folder in [desk, laptop, desk] {
            let synced = try await RealProgram.run("sync", folder.path)
            #expect(synced.status == 0, "\(synced)")
        }
        #expect(laptop.read(".zonefolderignore") == nil && laptop.read("own.nothing") == nil)
        #expect(laptop.read("new.txt") == "bob's")
        #expect(desk.read("Note/n28.json") != nil && desk.read("Note/n27.json") == nil)
        let told = try await RealProgram.run("status", desk.path)
        #expect(told.output.contains(".zonefolderignore holds on this device alone"), "\(told)")
        #expect(try await RealProgram.run("ignore", laptop.path + "/Tango/a.txt").status == 1)
        try laptop.write("ada's, too", to: "Tango/a.txt")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        let other = try await world.addFolder("other")
        #expect(try await RealProgram.run("sync", other.path).status == 0)
        #expect(other.read("Tango/a.txt") == "ada's, too" && other.read(".zonefolderignore") == nil)
        #expect(try await laptop.report().held.isEmpty)
    }

    @Test("The rules themselves are not shared as a record")
    func refused() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("ada")
        try laptop.write("*.log\n", to: ".zonefolderignore")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        let shared = try await RealProgram.run(
            "share", ".zonefolderignore", "--folder", laptop.path, "--public", "read-only")
        #expect(shared.status == 2 && shared.errors.contains("are not shared alone"), "\(shared)")
        #expect(try await RealProgram.run("sync", laptop.path).status == 0)
        #expect(laptop.read(".zonefolderignore") == "*.log\n")
    }
}
