import Foundation
import Testing

@Suite("Command line", .timeLimit(.minutes(30)))
struct CommandLineTests {
    private static let commands = [
        ["init"], ["login"], ["serve"], ["serve", "run"], ["serve", "user"], ["serve", "user", "add"],
        ["serve", "user", "sign-out"], ["serve", "user", "remove"], ["serve", "invite"], ["serve", "user", "list"],
        ["serve", "token", "list"], ["serve", "token", "revoke"], ["serve", "key", "list"], ["serve", "key", "revoke"],
        ["serve", "backup"], ["serve", "check"],
        ["schema"], ["schema", "export"], ["schema", "import"], ["schema", "validate"], ["schema", "diff"], ["reset"],
        ["remove"], ["config"], ["config", "list"], ["config", "get"], ["config", "set"], ["config", "unset"],
        ["config", "check"], ["config", "edit"], ["config", "reload"],
        ["schema", "promote"], ["schema", "template"], ["demo"],
        ["start"],
        ["stop"], ["run"], ["sync"], ["status"], ["plan"], ["conflicts"], ["resolve"], ["events"], ["approve"],
        ["pause"], ["resume"], ["ignore"], ["doctor"], ["metrics"], ["history"], ["diff"], ["restore"], ["reject"],
        ["record"], ["record", "get"], ["record", "put"], ["record", "delete"], ["query"], ["zones"],
        ["subscriptions"],
    ]

    @Test("Every command explains itself on standard output", arguments: commands)
    func help(command: [String]) async throws {
        let process = try RunningProgram(arguments: command + ["--help"])
        #expect(try await process.ended(within: .seconds(120)) == 0)
        #expect(process.output.contains("USAGE: zonefolder"))
        #expect(process.output.contains("\n\nEXIT STATUS:\n  0   "))
        #expect(process.errors.isEmpty)
    }

    @Test(
        "A mistake in the arguments ends with 2 and is said on standard error",
        arguments: [
            ["dance"], ["help", "dance"], ["staus", "--help"], ["serve", "usr"], ["status", "--dance"], ["init", "x"],
            ["serve", "invite", " "], ["serve", "backup"],
            ["serve", "check", ""], ["serve", "check", "a", "--data", "b"], ["serve", "invite", "--valid", "soon"],
            ["serve", "token", "revoke", "xyz"], ["serve", "key", "revoke", "abc"],
            ["status", "--wait=soon"],
            ["status", "--wait=-1"], ["status", "--watch", "--wait=1"],
            ["serve", "--data", "d", "--listen", "nowhere"],
        ])
    func usage(arguments: [String]) async throws {
        let process = try RunningProgram(arguments: arguments)
        #expect(try await process.ended(within: .seconds(120)) == 2)
        #expect(process.output.isEmpty)
        #expect(process.errors.contains("Error: "))
    }

    @Test(
        "Who mistypes a command is told which one was meant",
        arguments: [["staus"], ["help", "staus"], ["staus", "--json"], ["staus", "--help"]])
    func mistyped(arguments: [String]) async throws {
        let outcome = try await RealProgram.run(arguments: arguments)
        #expect(outcome.status == 2 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errors.hasPrefix("Error: 'staus' is no command of `zonefolder`. Did you mean 'status'?\n"),
            "\(outcome)")
    }

    @Test(
        "Outside of any synced folder a command says how to make one, and ends with 78",
        arguments: ["stop", "start", "sync", "plan", "conflicts", "events", "run", "history"])
    func noFolder(command: String) async throws {
        let outcome = try await RealProgram.run(command, in: "/")
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("zonefolder init"))
    }

    @Test("A server prints its URL once it listens, and ends in peace upon SIGTERM")
    func serve() async throws {
        let world = try await RealWorld()
        #expect(world.url.hasPrefix("http://127.0.0.1:"))
        #expect(try await world.stopServer() == 0)
    }

    @Test("A user is added while the server runs; a second sign-in is the same user with other tokens")
    func userAdd() async throws {
        let world = try await RealWorld()
        let first = try await world.addUser()
        let second = try await world.addUser()
        let other = try await world.addUser("bob")
        #expect(first.userRecordName == second.userRecordName)
        #expect(first.webAuthToken != second.webAuthToken)
        #expect(other.userRecordName != first.userRecordName)
    }
}

@Suite("Setting a folder up", .timeLimit(.minutes(30)))
struct InitTests {
    @Test("A wrong value is named, and nothing is left behind (S1.3)", arguments: WrongValue.all)
    func wrongValue(_ wrong: WrongValue) async throws {
        let world = try await RealWorld()
        let account = try await world.addUser()
        let folder = world.place.appending(path: "notes").path
        let outcome = try await RealProgram.run(
            "init", folder, "--server", wrong.server ?? world.url, "--container",
            wrong.container ?? RealWorld.container,
            "--zone", wrong.zone ?? "Notes", "--api-token", wrong.apiToken ?? account.apiToken,
            "--web-auth-token-file", "-", input: (wrong.webAuthToken ?? account.webAuthToken) + "\n")
        #expect(outcome.status == wrong.status)
        #expect(outcome.errors.contains(wrong.named))
        #expect(!outcome.errors.contains(account.apiToken))
        #expect(!outcome.errors.contains(account.webAuthToken))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("Without a web auth token, the page to sign in at is named")
    func signIn() async throws {
        let world = try await RealWorld()
        let account = try await world.addUser()
        let folder = world.place.appending(path: "notes").path
        let outcome = try await RealProgram.run(
            "init", folder, "--server", world.url, "--container", RealWorld.container, "--zone", "Notes", "--api-token",
            account.apiToken)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains(world.url + "/sign-in"))
    }

    @Test("A folder that is set up, and one that lies in such a folder, are refused with the way out")
    func refusedFolders() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("notes")
        let account = try await world.addUser()
        for (path, way) in [(folder.path, "zonefolder remove"), (folder.path + "/inner", "zonefolder remove")] {
            let outcome = try await RealProgram.run(
                "init", path, "--server", world.url, "--container", RealWorld.container, "--zone", "Notes",
                "--api-token", account.apiToken, "--web-auth-token-file", "-", input: account.webAuthToken + "\n")
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains(folder.path))
            #expect(outcome.errors.contains(way), "\(outcome.errors)")
        }
        #expect(try folder.files().isEmpty)
    }

    @Test("The tokens lie in a file that only their owner can read")
    func credentials() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("notes")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/.zonefolder/credentials")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}

/// One value of `init` that is wrong.
struct WrongValue: Sendable, CustomTestStringConvertible {
    var named: String
    var status: Int32 = 78
    var server: String?
    var container: String?
    var zone: String?
    var apiToken: String?
    var webAuthToken: String?

    var testDescription: String { named }

    static let all = [
        WrongValue(named: "'server'", server: "ftp://example.org"),
        WrongValue(named: "did not answer", status: 1, server: "http://127.0.0.1:1"),
        WrongValue(named: "'container'", container: "com.example.notes"),
        WrongValue(named: "does not take the API token", container: "iCloud.org.example.other"),
        WrongValue(named: "'zone'", zone: "_defaultZone"),
        WrongValue(named: "does not take the API token", apiToken: String(repeating: "0", count: 64)),
        WrongValue(named: "takes the API token, but not the web auth token", webAuthToken: "nonsense"),
        WrongValue(named: "Standard input", status: 2, webAuthToken: " "),
    ]
}
