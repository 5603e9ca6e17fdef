import Foundation
import Testing

@Suite("Signing users out, and removing them, from the command line", .timeLimit(.minutes(30)))
struct UserCommandTests {
    private func user(_ arguments: String..., in world: RealWorld) async throws -> RealProgram.Outcome {
        try await RealProgram.run(
            arguments: ["serve", "user"] + arguments + [
                "--data", world.place.appending(path: "server").path, "--container", RealWorld.container,
            ])
    }

    @Test("A user who is signed out has to sign in again, and then all goes on; one who is removed is gone for good")
    func running() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("notes")
        try folder.write(#"{"text": "one"}"#, to: "Note/a.json")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)

        let signedOut = try await user("sign-out", "ada", in: world)
        #expect(signedOut.status == 0 && signedOut.output == "ada is signed out: 1 sign-in ended.\n", "\(signedOut)")
        try folder.write(#"{"text": "two"}"#, to: "Note/b.json")
        let refused = try await RealProgram.run("sync", folder.path)
        #expect(refused.status == 4 && refused.output.contains("Nobody is signed in"), "\(refused)")
        let account = try await world.addUser()
        let login = try await RealProgram.run(
            "login", folder.path, "--api-token", account.apiToken, "--web-auth-token-file", "-",
            input: account.webAuthToken + "\n")
        #expect(login.status == 0, "\(login)")
        #expect(try await RealProgram.run("sync", folder.path).status == 0)

        let unasked = try await user("remove", "ada", in: world)
        #expect(unasked.status == 2 && unasked.errors.contains("--yes"), "\(unasked)")
        #expect(try await user("list", in: world).output == "ada\n")
        let removed = try await user("remove", "ada", "--yes", in: world)
        #expect(removed.status == 0 && removed.output == "ada is removed, with 1 zone and 2 records.\n", "\(removed)")
        #expect(try await user("list", in: world).output.isEmpty)
        #expect(try await RealProgram.run("sync", folder.path).status == 4)
        #expect(try folder.files().count == 2)
    }

    @Test(
        "Nobody by that name, or no server's data there, is said with the way out", arguments: ["sign-out", "remove"])
    func unknown(command: String) async throws {
        let world = try await RealWorld()
        _ = try await world.addUser()
        let nobody = try await user(command, "bob", in: world)
        #expect(nobody.status == 1 && nobody.errors.contains("has no user 'bob'"), "\(nobody)")
        let nowhere = world.place.appending(path: "nowhere").path
        let noData = try await RealProgram.run("serve", "user", command, "ada", "--data", nowhere)
        #expect(noData.status != 0 && noData.errors.contains(nowhere), "\(noData)")
        #expect(!FileManager.default.fileExists(atPath: nowhere))
        #expect(try await user("list", in: world).output == "ada\n")
    }

    @Test(
        "Who is only invited is listed as such, and the link ends by either command",
        arguments: ["sign-out", "remove"])
    func invited(command: String) async throws {
        let world = try await RealWorld()
        _ = try await world.addUser()
        let place = ["--data", world.place.appending(path: "server").path, "--container", RealWorld.container]
        let invitation = try await RealProgram.run(arguments: ["serve", "invite", "hank"] + place)
        #expect(invitation.status == 0 && invitation.errors.contains("hank is new here"), "\(invitation)")
        let listed = try await user("list", in: world)
        #expect(listed.output == "ada\n" && listed.errors.contains("hank is invited to 'Notes'"), "\(listed)")
        let json = try await user("list", "--json", in: world)
        #expect(json.output.contains(#""hank""#) && json.output.contains("expiresAtMilliseconds"), "\(json)")

        let taken = try await user(command, "hank", in: world)
        #expect(taken.status == 0 && taken.output == "hank is no user yet: 1 invitation taken back.\n", "\(taken)")
        let link = invitation.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let late = try await RealProgram.run("init", world.place.appending(path: "late").path, link)
        #expect(late.status != 0, "\(late)")
        let again = try await user(command, "hank", in: world)
        #expect(again.status == 1 && again.errors.contains("has no user 'hank'"), "\(again)")
    }

    @Test("Users, tokens and keys of all containers are listed without any secret, and a token is taken back by its ID")
    func lists() async throws {
        let world = try await RealWorld()
        let account = try await world.addUser()
        let data = world.place.appending(path: "server").path
        func serve(_ words: String...) async throws -> RealProgram.Outcome {
            try await RealProgram.run(arguments: ["serve"] + words + ["--data", data])
        }
        #expect(try await serve("user", "add", "bob").status == 0)
        let users = try await serve("user", "list")
        #expect(users.output == "ada  \(RealWorld.container)\nbob  iCloud.zonefolder\n", "\(users)")
        #expect(try await serve("key", "list").output.isEmpty)

        let listed = try await serve("token", "list")
        let line = try #require(listed.output.split(separator: "\n").first { $0.contains(RealWorld.container) })
        #expect(listed.output.split(separator: "\n").count == 2)
        let json = try await serve("token", "list", "--json")
        for output in [listed.output, json.output] { #expect(!output.contains(account.apiToken)) }
        #expect(line.contains("  ada (user add)  never used"), "\(listed)")
        #expect(listed.output.contains("  bob (user add)  never used"), "\(listed)")
        #expect(json.output.contains(#""madeBy" : "user add""#) && !json.output.contains("usedAt"), "\(json)")
        let id = String(line.prefix { $0 != " " })
        let revoked = try await serve("token", "revoke", id)
        #expect(revoked.status == 0 && revoked.output.contains("\(id) of \(RealWorld.container)"), "\(revoked)")
        let again = try await serve("token", "revoke", id)
        #expect(again.status == 1 && again.errors.contains("zonefolder serve token list"), "\(again)")
        let refused = try await RealProgram.run(
            "init", world.place.appending(path: "notes").path, "--server", world.url, "--container",
            RealWorld.container, "--zone", "Notes", "--api-token", account.apiToken, "--web-auth-token-file", "-",
            input: account.webAuthToken + "\n")
        #expect(refused.status == 78 && refused.errors.contains("does not take the API token"), "\(refused)")
    }
}
