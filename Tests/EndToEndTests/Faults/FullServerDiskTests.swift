import Foundation
import Testing

@Suite(
    "A server whose disk is full", .timeLimit(.minutes(30)),
    .enabled(if: PrivateMounts.isPossible, "needs root and mount namespaces"))
struct FullServerDiskTests {
    private static let program = RealProgram.executable.path

    @Test("It starts again after SIGKILL, is read, and saves once there is room; commands say what is the matter")
    func restart() async throws {
        let mounts = try await PrivateMounts()
        let place = FileManager.default.temporaryDirectory.appending(path: "zf-full-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let data = place.path
        try await mounts.must("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", data)
        let serve = [Self.program, "serve", "run", "--data", data, "--listen", "127.0.0.1:0"]

        let first = try mounts.start(serve)
        let firstURL = try await first.firstLine()
        let added = try await mounts.must(Self.program, "serve", "user", "add", "ada", "--data", data, "--json")
        let client = WebClient(
            url: firstURL, container: "iCloud.zonefolder",
            account: try JSONDecoder().decode(RealWorld.Account.self, from: Data(added.utf8)))
        let text = #"{"text":{"value":"x"}}"#
        let zone = #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"Notes"}}}]}"#
        _ = try await client.post("zones/modify", zone)
        let saved = try await client.create("Note", "a", fields: text)
        #expect(saved["serverErrorCode"] == .null, "\(saved)")
        first.kill()
        _ = try await first.ended(within: .seconds(60))
        _ = try await mounts.run(["dd", "if=/dev/zero", "of=\(data)/filler", "bs=4k"])
        _ = try await mounts.run(["dd", "if=/dev/zero", "of=\(data)/filler2", "bs=1"])

        let invited = try await mounts.run([Self.program, "serve", "invite", "bob", "--data", data])
        #expect(!invited.errors.contains("SQLite"), "\(invited)")
        if invited.status != 0 {
            #expect(invited.errors.contains("The disk of \(data) is full"), "\(invited)")
        }
        let second = try mounts.start(serve)
        let secondURL = try await second.firstLine()
        #expect(secondURL.hasPrefix("http://"), "\(second.errors)")
        client.url = secondURL
        #expect(try await client.records().count == 1)

        try await mounts.must("rm", "\(data)/filler", "\(data)/filler2")
        let again = try await client.create("Note", "b", fields: text)
        #expect(again["serverErrorCode"] == .null, "\(again)")
        #expect(try await client.records().count == 2)
        second.terminate()
        #expect(try await second.ended(within: .seconds(60)) == 0, "\(second.errors)")
    }
}
