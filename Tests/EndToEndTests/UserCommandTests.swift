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
}
