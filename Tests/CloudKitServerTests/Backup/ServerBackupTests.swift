import Foundation
import GRDB
import Synchronization
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("A backup of a server's data")
struct ServerBackupTests {
    @Test("All records and their assets are in it, for this account alone, and the data has no trace of it")
    func whole() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1, 2, 3])
            try world.save("b", [])
            try world.save("c", [1, 2, 3])
            try world.files.store([9])
            let before = try trace(world.data)
            let report = try world.backUp()
            #expect(try trace(world.data) == before)

            #expect(report.records == 3 && report.assets == 2 && report.assetBytes == 3)
            #expect(report.copiedAssets == 2 && report.copiedBytes == 3 && report.removedAssets == 0)
            #expect(report.lost.isEmpty && report.databaseBytes > 0)
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1, 2, 3], "b": [], "c": [1, 2, 3]])
            #expect(!isThere(world.unfinished))
            let manager = FileManager.default
            let names = try manager.contentsOfDirectory(atPath: world.target.string).sorted()
            #expect(names == ["assets", "lock", "server.sqlite", "uploads"])
            #expect(try permissions(world.target) == 0o700)
            for name in try manager.subpathsOfDirectory(atPath: world.target.string) {
                let path = world.target.appending(name)
                var isDirectory: ObjCBool = false
                _ = manager.fileExists(atPath: path.string, isDirectory: &isDirectory)
                #expect(try permissions(path) == (isDirectory.boolValue ? 0o700 : 0o600), "\(name)")
            }
        }
    }

    @Test("A server serves it with the accounts of its own, and from then on it is data that no backup replaces")
    func served() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1, 2, 3])
            try world.backUp()
            try await withServer(in: world.target) { server in
                let found = try await server.post("records/lookup", #"{"records":[{"recordName":"a"}]}"#)
                #expect(try await server.download(found["records"][0]).body == [1, 2, 3])
            }
            let refusal = #expect(throws: ServerError.self) { try world.backUp() }
            #expect(refusal?.message.contains("served or changed since") == true)
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1, 2, 3]])
        }
    }

    /// What a writer was answered so far.
    private final class Answered: Sendable {
        let records = Mutex<[String: [UInt8]]>([:])
        let isOver = Mutex(false)

        var now: [String: [UInt8]] { records.withLock { $0 } }
        var hasEnded: Bool { isOver.withLock { $0 } }
        func end() { isOver.withLock { $0 = true } }

        func write(to world: BackupWorld) throws {
            defer { end() }
            var number = 0
            while !hasEnded {
                number += 1
                let (name, bytes) = ("r\(number % 50)", Array("\(number)".utf8))
                // The name is saved anew soon: until then it must be no older than this.
                records.withLock { $0[name] = nil }
                try world.save(name, bytes)
                records.withLock { $0[name] = bytes }
            }
        }
    }

    @Test("What was answered before it began is in it, however many saves go on meanwhile")
    func busy() async throws {
        try await withBackupWorld { world in
            let answered = Answered()
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                defer { answered.end() }
                tasks.addTask { try answered.write(to: world) }
                for round in 1...4 {
                    while answered.now.count < 10 * round, !answered.hasEnded { await Task.yield() }
                    let before = answered.now
                    let report = try world.backUp()
                    let contents = try BackupWorld.contents(of: world.target)
                    for (name, bytes) in before {
                        let number = Int(String(decoding: bytes, as: UTF8.self)) ?? 0
                        let found = contents[name].flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                        #expect(found >= number, "\(name)")
                    }
                    #expect(report.lost.isEmpty && report.records >= before.count && contents.count == report.records)
                }
                answered.end()
                try await tasks.waitForAll()
            }
        }
    }

    @Test("An asset that the server removes before it is copied is named no more by then, and is not missed")
    func swept() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try world.save("b", [2])
            var rounds = 0
            let report = try world.backUp { step in
                guard case .databaseCopied = step else { return }
                rounds += 1
                guard rounds == 1 else { return }
                try world.save("a", [3])
                try world.sweep()
            }
            #expect(rounds == 2 && report.lost.isEmpty && report.assets == 2 && report.copiedAssets == 2)
            #expect(report.removedAssets == 0)
            #expect(try BackupWorld.contents(of: world.target) == ["a": [3], "b": [2]])
        }
    }

    @Test(
        "What the server itself has lost is told with the record that names it, and all else is in the backup",
        arguments: [(nil, .absent), ([9], .damaged), ([], .cutShort)] as [([UInt8]?, LostAsset.Reason)])
    func lost(left: [UInt8]?, reason: LostAsset.Reason) async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try world.save("b", [2])
            let file = world.files.path(try world.files.store([1]))
            if let left {
                try Data(left).write(to: URL(fileURLWithPath: file.string))
            } else {
                try FileManager.default.removeItem(atPath: file.string)
            }
            let report = try world.backUp()
            let name = try #require(file.lastComponent?.string)
            #expect(
                report.lost == [
                    LostAsset(
                        file: "assets/\(name.prefix(2))/\(name)", reason: reason, record: "a", field: "content",
                        zone: "_defaultZone", container: BackupWorld.container, environment: "development")
                ])
            #expect(report.records == 2 && report.assets == 1)
            #expect(try regularFiles(below: world.target.appending("assets")) == 1)
            try FileManager.default.createDirectory(
                atPath: world.target.appending(report.lost[0].file).removingLastComponent().string,
                withIntermediateDirectories: true)
            try Data([1]).write(to: URL(fileURLWithPath: world.target.appending(report.lost[0].file).string))
            #expect(try BackupWorld.contents(of: world.target) == ["a": [1], "b": [2]])
        }
    }

    @Test("Data that no server of this version has brought up to date is copied as it is")
    func older() async throws {
        try await withTemporaryDirectory { place in
            let (data, target) = (place.appending("data"), place.appending("backup"))
            let first = try await makeEarlierData(in: data)
            #expect(try WebServicesServer.backUp(data, to: target).records == 0)
            let applied = try DataDirectory.read(target) { try $0.read(Migrations.migrator.appliedIdentifiers) }
            #expect(applied == [first])
        }
    }
}
