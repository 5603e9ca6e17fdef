import Foundation
import GRDB
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("Places where no backup is made, and data of which there is none")
struct BackupRefusalTests {
    private func refusal(
        _ data: FilePath, to target: FilePath, _ words: String, _ location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: ServerError.self, sourceLocation: location) {
            try WebServicesServer.backUp(data, to: target)
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")", sourceLocation: location)
    }

    private func write(_ path: FilePath) throws {
        try Data([7]).write(to: URL(fileURLWithPath: path.string))
    }

    @Test("A directory with other things, a file, the data itself, and what is nowhere are named and left as they are")
    func places() async throws {
        try await withBackupWorld { world in
            let (place, manager) = (world.data.removingLastComponent(), FileManager.default)
            let (full, file, link) = (place.appending("full"), place.appending("file"), place.appending("link"))
            try manager.createDirectory(atPath: full.string, withIntermediateDirectories: false)
            try write(full.appending("a.txt"))
            try write(file)
            try manager.createSymbolicLink(atPath: link.string, withDestinationPath: world.data.string)

            refusal(world.data, to: full, "\(full) holds something else")
            refusal(world.data, to: file, "\(file) is no directory")
            refusal(world.data, to: world.data, "belongs to the data")
            refusal(world.data, to: world.data.appending("assets").appending("backup"), "belongs to the data")
            refusal(world.data, to: link.appending("backup"), "belongs to the data")
            let none = place.appending("none")
            refusal(world.data, to: none.appending("backup"), "\(none) is not there")
            #expect(try manager.contentsOfDirectory(atPath: full.string) == ["a.txt"])
            #expect(try manager.contentsOfDirectory(atPath: place.string).sorted() == ["data", "file", "full", "link"])
        }
    }

    @Test("An empty directory becomes the backup")
    func empty() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try FileManager.default.createDirectory(atPath: world.target.string, withIntermediateDirectories: false)
            try world.backUp()
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1]])
            #expect(try permissions(world.target) == 0o700)
        }
    }

    @Test("Another server's backup, one that somebody writes to, and one that is served stay as they are")
    func others() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try world.backUp()
            try await withBackupWorld { other in
                refusal(other.data, to: world.target, "the data of another server")
            }
            let journal = world.target.appending("server.sqlite-journal")
            try write(journal)
            refusal(world.data, to: world.target, "served or changed since")
            try FileManager.default.removeItem(atPath: journal.string)
            let server = try DataDirectory(locking: world.target)
            refusal(world.data, to: world.target, "A server uses \(world.target)")
            server.unlock()
            try world.backUp()
        }
    }

    @Test("Two backups to one place are not made at once, and what is in the way of one is not overwritten")
    func unfinished() async throws {
        try await withBackupWorld { world in
            let first = try DataDirectory(locking: world.unfinished)
            refusal(world.data, to: world.target, "another backup is made there")
            first.unlock()
            try FileManager.default.removeItem(atPath: world.unfinished.string)
            try write(world.unfinished)
            refusal(world.data, to: world.target, "\(world.unfinished) is not what")
            #expect(try readFile(world.unfinished) == [7])
        }
    }

    @Test("Where there is no data, data of a later version or a damaged one, that is said as a server says it")
    func data() async throws {
        try await withTemporaryDirectory { place in
            let (data, target) = (place.appending("data"), place.appending("backup"))
            refusal(data, to: target, "\(data) holds no server's data")
            #expect(!isThere(place))
            _ = try WebServicesServer.addUser(
                name: "ada", container: TestServer.container, environment: "development", in: data)
            #expect(try WebServicesServer.backUp(data, to: target).lost.isEmpty)
            let queue = try DatabaseQueue(path: DataDirectory.database(in: data))
            try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99: later')") }
            try queue.close()
            refusal(data, to: target, "A later version of this program wrote the data in \(data)")
            refusal(data, to: place.appending("new"), "A later version of this program wrote the data in \(data)")
            try Data(repeating: 0x5A, count: 8192).write(to: URL(fileURLWithPath: DataDirectory.database(in: data)))
            refusal(data, to: target, "\(DataDirectory.database(in: data)) is damaged")
            #expect(try WebServicesServer.people(container: nil, in: target).map(\.name) == ["ada"])
            #expect(!isThere(place.appending("new")) && !isThere(place.appending(".new.part")))
        }
    }

    @Test("A database with damage in it does not take the place of a whole backup")
    func damaged() async throws {
        try await withTemporaryDirectory { place in
            let world = try BackupWorld(in: place)
            for number in 0..<200 { try world.save("record \(number)", Array("\(number)".utf8)) }
            try world.store.close()
            try world.backUp()
            // The first ones have the schema.
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: DataDirectory.database(in: world.data)))
            let size = try file.seekToEnd()
            for page in stride(from: size / 2, to: size - 4096, by: 4096) {
                try file.seek(toOffset: page - page % 4096)
                try file.write(contentsOf: Data(repeating: 0x5A, count: 4096))
            }
            try file.close()
            refusal(world.data, to: world.target, "\(DataDirectory.database(in: world.data)) is damaged")
            #expect(try BackupWorld.contents(of: world.target).count == 200)
        }
    }
}
