import Foundation
import Testing

/// `record`, `query`, `zones` and `subscriptions`: the database itself, beside a folder and without one.
@Suite("Asking the database", .timeLimit(.minutes(30)))
struct ConsoleTests {
    @Test(
        "A record that is saved beside a running daemon comes into the folder, is found, and goes",
        .timeLimit(.minutes(30)))
    func besideDaemon() async throws {
        let world = try await RealWorld()
        let folder = try await world.addFolder("a")
        let daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        // A daemon answers before it has made the zone.
        #expect(try await folder.settledVerdict() == "in-sync")
        func run(_ arguments: String...) async throws -> RealProgram.Outcome {
            try await RealProgram.run(arguments: arguments + ["--folder", folder.path])
        }
        let put = try await run("record", "put", "Note/one", "--type", "Note", "title=One", "rank=3", "tags=[\"x\"]")
        #expect(put.status == 0 && put.output == "Saved Note/one.\n", "\(put)")
        #expect(try await eventually { folder.read("Note/one.json")?.contains("\"One\"") ?? false })
        let found = try await run("query", "Note", "--filter", "rank >= 3", "--sort", "-title", "--field", "title")
        #expect(found.status == 0, "\(found)")
        let cells = found.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(cells.count == 2 && cells[1].first == "Note/one" && cells[1].last == "One", "\(found.output)")
        let got = try await run("record", "get", "Note/one", "Note/none")
        #expect(got.status == 1)
        #expect(got.output.contains("    rank: 3\n"))
        #expect(got.errors == "zonefolder: Note/none: NOT_FOUND: Record not found\n")
        #expect(try await run("zones").output.contains("Notes\t_"))
        #expect(try await run("subscriptions", "--json").output.contains("\"subscriptionType\": \"zone\""))
        #expect(try await run("record", "delete", "Note/one").output == "Deleted Note/one.\n")
        #expect(try await eventually { folder.read("Note/one.json") == nil })
        #expect(try await folder.settledVerdict() == "in-sync")
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)

        // And without it, with the folder's own credentials.
        let alone = try await run("record", "put", "Note/two", "--type", "Note", "title=Two")
        #expect(alone.status == 0, "\(alone)")
        let clash = try await run("record", "put", "Note/two", "--type", "Note", "--create")
        #expect(clash.status == 1)
        #expect(clash.errors.contains("CONFLICT: record to insert already exists"))
        #expect(try await RealProgram.run("sync", folder.path).status == 0)
        #expect(folder.read("Note/two.json") != nil)
    }

    @Test("Without a folder, a container and tokens are enough; the token's file is kept up to date")
    func withoutFolder() async throws {
        let world = try await RealWorld()
        let account = try await world.addUser()
        let tokenFile = world.place.appending(path: "token")
        try Data(account.webAuthToken.utf8).write(to: tokenFile)
        func run(_ arguments: String...) async throws -> RealProgram.Outcome {
            try await RealProgram.run(
                arguments: arguments + [
                    "--container", RealWorld.container, "--server", world.url, "--api-token", account.apiToken,
                ])
        }
        let put = try await run(
            "record", "put", "welcome", "--type", "Page", "text=Hello", "--database", "public", "--web-auth-token-file",
            tokenFile.path)
        #expect(put.status == 0, "\(put)")
        let newer = try String(contentsOf: tokenFile, encoding: .utf8)
        #expect(newer != account.webAuthToken && newer.hasSuffix("\n"))
        #expect(try FileManager.default.attributesOfItem(atPath: tokenFile.path)[.posixPermissions] as? Int == 0o600)

        // Anyone may read it, with the API token alone, and nobody else may change it.
        let read = try await run("record", "get", "welcome", "--database", "public")
        #expect(read.output == "welcome (Page)\n    text: Hello\n", "\(read)")
        let refused = try await run(
            "record", "put", "welcome", "--type", "Page", "text=Bye", "--database", "public")
        #expect(refused.status == 1)
        #expect(refused.errors.contains("ACCESS_DENIED: WRITE operation not permitted"))
        let unindexed = try await run("query", "Page", "--database", "public")
        #expect(unindexed.status == 1)
        #expect(unindexed.errors.contains("Field 'recordName' is not marked queryable"))
        #expect(unindexed.errors.contains(". On a server of your own, make the index"), "\(unindexed.errors)")
        let container = ["--data", world.place.appending(path: "server").path, "--container", RealWorld.container]
        #expect(
            unindexed.errors.contains(
                "`zonefolder schema index Page recordName --data DIR --container \(RealWorld.container)`"),
            "\(unindexed.errors)")
        let made = try await RealProgram.run(arguments: ["schema", "index", "Page", "recordName"] + container)
        #expect(made.status == 0 && made.output.contains("+ ___recordID of Page is QUERYABLE"), "\(made)")
        let indexed = try await run("query", "Page", "--database", "public")
        #expect(indexed.status == 0 && indexed.output.contains("welcome"), "\(indexed)")
    }

    @Test("A next token that cannot be stored is told with the way out, and the command has failed, though it is done")
    func tokenNotStored() async throws {
        let world = try await RealWorld()
        let account = try await world.addUser()
        let tokenFile = world.place.appending(path: "token")
        try Data(account.webAuthToken.utf8).write(to: tokenFile)
        // In the way of the file that is to take the old one's place.
        let obstacle = world.place.appending(path: "token.new")
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
        func run(_ arguments: String...) async throws -> RealProgram.Outcome {
            try await RealProgram.run(
                arguments: arguments + [
                    "--container", RealWorld.container, "--server", world.url, "--api-token", account.apiToken,
                    "--web-auth-token-file", tokenFile.path,
                ])
        }
        let put = try await run("record", "put", "n", "--type", "Page", "--zone", "_defaultZone")
        #expect(put.status == 1, "\(put)")
        #expect(put.output == "Saved n.\n")
        #expect(
            put.errors.contains("next web auth token") && put.errors.contains("put a new one into \(tokenFile.path)"))
        let get = try await run("record", "get", "none")
        #expect(get.status == 1)
        #expect(get.errors.contains("none: NOT_FOUND") && get.errors.contains("next web auth token"))
        #expect(!(put.errors + get.errors).contains(account.webAuthToken))
        try FileManager.default.removeItem(at: obstacle)
        let again = try await run("record", "get", "n")
        #expect(again.status == 0, "\(again)")
        #expect(try String(contentsOf: tokenFile, encoding: .utf8) != account.webAuthToken)
    }

    @Test(
        "A mistake in a field or a filter ends with 2",
        arguments: [
            ["record", "put", "n", "--type", "T", "novalue"], ["record", "put", "n", "--type", "T", "a:INT64=x"],
            ["record", "put", "n", "--type", "T", "a:DANCE=1"], ["query", "T", "--filter", "rank >"],
            ["query", "T", "--filter", "rank dances 1"], ["query", "T", "--limit", "0"],
            ["record", "get", "n", "--folder", "x", "--container", "iCloud.x"],
            ["record", "delete", "n", "--environment", "development"], ["zones", "--server", "http://127.0.0.1:1"],
        ])
    func mistakes(arguments: [String]) async throws {
        let outcome = try await RealProgram.run(arguments: arguments)
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.errors.contains("Error: "))
    }
}
