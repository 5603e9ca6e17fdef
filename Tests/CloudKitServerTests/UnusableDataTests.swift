import Foundation
import GRDB
import Logging
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("Data directories that this program must not or cannot use")
struct UnusableDataTests {
    /// What the server and every command says to a data directory: its code, and the sentence.
    private func refusals(_ directory: FilePath) -> [ServerError?] {
        let acts: [() throws -> Void] = [
            {
                _ = try WebServicesServer(
                    configuration: WebServicesServer.Configuration(dataDirectory: directory),
                    logger: Logger(label: "test"))
            },
            { _ = try WebServicesServer.people(container: nil, in: directory) },
            {
                _ = try WebServicesServer.addUser(
                    name: "bob", container: TestServer.container, environment: "development", in: directory)
            },
        ]
        return acts.map { act in
            let refusal = #expect(throws: ServerError.self) { try act() }
            return refusal
        }
    }

    private func database(in directory: FilePath, _ body: (Database) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: directory.string, withIntermediateDirectories: true)
        let queue = try DatabaseQueue(path: DataDirectory.database(in: directory))
        try queue.write(body)
        try queue.close()
    }

    @Test("What a later version wrote is refused by the server and by every command, and nothing is added to it")
    func newer() async throws {
        try await withTemporaryDirectory { directory in
            _ = try WebServicesServer.addUser(
                name: "ada", container: TestServer.container, environment: "development", in: directory)
            try database(in: directory) {
                try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99: what nobody knows yet')")
            }
            for refusal in refusals(directory) {
                #expect(refusal?.code == .newer)
                #expect(refusal?.message.contains("\(directory), ") == true)
            }
            try database(in: directory) { db in
                let names = try String.fetchAll(db, sql: "SELECT name FROM users")
                #expect(names == ["ada"])
            }
        }
    }

    @Test("Another program's database is refused, and stays as it is")
    func foreign() async throws {
        try await withTemporaryDirectory { directory in
            try database(in: directory) { try $0.execute(sql: "CREATE TABLE users (name TEXT)") }
            for refusal in refusals(directory) {
                #expect(refusal?.code == .damaged)
                #expect(refusal?.message.contains(DataDirectory.database(in: directory)) == true)
            }
            try database(in: directory) { db in
                let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master")
                #expect(count == 1)
            }
        }
    }

    @Test("A file that is no database is named, with the way out")
    func damaged() async throws {
        try await withTemporaryDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory.string, withIntermediateDirectories: true)
            let file = DataDirectory.database(in: directory)
            try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: file))
            for refusal in refusals(directory) {
                #expect(refusal?.code == .damaged)
                #expect(refusal?.message.contains("\(file) is damaged") == true)
            }
        }
    }

    @Test("A directory that takes no writing is named", arguments: [Errno.readOnlyFileSystem, .permissionDenied])
    func unwritable(error: Errno) {
        let refusal = #expect(throws: ServerError.self) {
            try DataDirectory.explaining("/srv/data") { throw error }
        }
        #expect(refusal?.code == .file)
        #expect(refusal?.message.contains("/srv/data cannot be used") == true)
    }

    @Test("A host that nobody knows is named")
    func unknownHost() async throws {
        let refusal = await #expect(throws: ServerError.self) {
            try await withServer {
                $0.host = "no host"
            } _: { _ in
            }
        }
        #expect(refusal?.code == .address)
        #expect(refusal?.message.contains("no host: ") == true)
    }
}
