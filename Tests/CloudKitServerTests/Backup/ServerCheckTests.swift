import Foundation
import GRDB
import Synchronization
import SystemPackage
import Testing

@testable import CloudKitServer

@Suite("A check of a server's data")
struct ServerCheckTests {
    private func write(_ bytes: [UInt8], to file: FilePath) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: file.string))
    }

    @Test("The data of a server, open or not, and a backup of it are whole, and have no trace of the check")
    func whole() async throws {
        try await withTemporaryDirectory { place in
            let world = try BackupWorld(in: place)
            try world.save("a", [1, 2, 3])
            try world.save("b", [])
            try world.save("c", [1, 2, 3])
            try world.files.store([9])
            try world.backUp()
            for isOpen in [true, false] {
                if !isOpen { try world.store.close() }
                let before = try trace(place)
                let report = try WebServicesServer.check(world.data)
                #expect(report.isWhole && !report.isBackup && report.records == 3 && report.databaseBytes > 0)
                #expect(report.assets == 2 && report.assetBytes == 3 && report.unnamedAssets == 1)
                let backup = try WebServicesServer.check(world.target)
                #expect(backup.isWhole && backup.isBackup && backup.records == 3)
                #expect(backup.assets == 2 && backup.assetBytes == 3 && backup.unnamedAssets == 0)
                #expect(try trace(place) == before)
            }
        }
    }

    @Test(
        "What is missing, cut short or changed is told with the record that needs it",
        arguments: [(nil, .absent), ([9, 2], .damaged), ([1], .cutShort), ([], .cutShort), ([1, 2, 3], .damaged)]
            as [([UInt8]?, LostAsset.Reason)])
    func lost(left: [UInt8]?, reason: LostAsset.Reason) async throws {
        try await withBackupWorld { world in
            try world.save("a", [1, 2])
            try world.save("b", [2])
            let file = world.file(of: [1, 2])
            if let left { try write(left, to: file) } else { try FileManager.default.removeItem(atPath: file.string) }
            let report = try WebServicesServer.check(world.data)
            let name = try #require(file.lastComponent?.string)
            #expect(
                report.lost == [
                    LostAsset(
                        file: "assets/\(name.prefix(2))/\(name)", reason: reason, record: "a", field: "content",
                        zone: "_defaultZone", container: BackupWorld.container, environment: "development")
                ])
            #expect(!report.isWhole && report.isComplete && report.damage.isEmpty && report.lostAssets == 1)
            #expect(report.records == 2 && report.assets == 2 && report.unnamedAssets == 0)
        }
    }

    @Test("What a disk made of a backup's file shows, though a backup that is made again leaves it as it is")
    func rottenBackup() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1, 2])
            try world.backUp()
            let rotten = world.target.appending(AssetCopier.name(of: try world.files.store([1, 2])))
            try write([1, 3], to: rotten)
            #expect(try world.backUp().copiedAssets == 0)
            #expect(try WebServicesServer.check(world.target).lost.map(\.reason) == [.damaged])
            // The way out that the command names.
            try FileManager.default.removeItem(atPath: rotten.string)
            try world.backUp()
            #expect(try WebServicesServer.check(world.target).isWhole)
        }
    }

    @Test("What stands in a file's place and is none is told in the system's words")
    func unreadable() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            let file = world.file(of: [1]).string
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
            #expect(try WebServicesServer.check(world.data).lost.map(\.reason) == [.unreadable("Is a directory")])
        }
    }

    @Test("Where all assets are gone, each is told, and where none was ever stored, nothing is missed")
    func withoutAssets() async throws {
        try await withBackupWorld { world in
            for number: UInt8 in 0..<50 { try world.save("r\(number)", [number]) }
            try FileManager.default.removeItem(atPath: world.files.directory.string)
            let report = try WebServicesServer.check(world.data)
            #expect(report.lostAssets == 50 && Set(report.lost.map(\.record)).count == 50)
        }
        try await withTemporaryDirectory { data in
            _ = try WebServicesServer.addUser(
                name: "ada", container: TestServer.container, environment: "development", in: data)
            #expect(try WebServicesServer.check(data).isWhole)
            #expect(!isThere(data.appending("assets")))
        }
    }

    @Test("An asset that goes with its record while it is looked at is not missed")
    func swept() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            var isFirst = true
            let report = try WebServicesServer.check(world.data) { step in
                guard case .assetsRead = step, isFirst else { return }
                isFirst = false
                try world.save("a", [3])
                try world.sweep()
                #expect(!isThere(world.file(of: [1])))
            }
            #expect(!isFirst && report.isWhole)
        }
    }

    @Test("A file that is mended while it is looked at is whole")
    func mended() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            try write([9], to: world.file(of: [1]))
            let report = try WebServicesServer.check(world.data) { step in
                guard case .assetsRead(1, _) = step else { return }
                try world.files.store([1])
            }
            #expect(report.isWhole && report.assets == 1)
        }
    }

    @Test("An upload that is under way, or whose record has not come, is not missed and not lost")
    func uploading() async throws {
        try await withBackupWorld { world in
            try world.save("a", [1])
            let upload = try world.files.newFile(named: "upload")
            try [UInt8](repeating: 7, count: 100).withUnsafeBytes { try upload.write($0) }
            let report = try WebServicesServer.check(world.data) { step in
                if case .databaseChecked = step { try world.files.store([7]) }
            }
            #expect(report.isWhole && report.unnamedAssets == 1)
            upload.discard()
        }
    }

    /// Works all the while until it is told to end.
    private final class Work: Sendable {
        private let rounds = Mutex(0)
        private let isOver = Mutex(false)

        var hasEnded: Bool { isOver.withLock { $0 } }
        func end() { isOver.withLock { $0 = true } }

        func run(_ round: (Int) throws -> Void) throws {
            defer { end() }
            while !hasEnded {
                try round(rounds.withLock { $0 } + 1)
                rounds.withLock { $0 += 1 }
            }
        }

        func hasDone(_ count: Int) async {
            while rounds.withLock({ $0 }) < count, !hasEnded { await Task.yield() }
        }
    }

    /// Looks five times while some work goes on.
    private func looks(
        at directory: FilePath, during round: @escaping @Sendable (Int) throws -> Void
    ) async throws -> [CheckReport] {
        let work = Work()
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            defer { work.end() }
            tasks.addTask { try work.run(round) }
            var reports: [CheckReport] = []
            for look in 1...5 {
                await work.hasDone(15 * look)
                reports.append(try WebServicesServer.check(directory))
            }
            work.end()
            try await tasks.waitForAll()
            return reports
        }
    }

    @Test("Data that is saved and swept all the while is whole at each look")
    func busy() async throws {
        try await withBackupWorld { world in
            let reports = try await looks(at: world.data) { round in
                try world.save("r\(round % 20)", Array("\(round)".utf8))
                if round % 10 == 0 { try world.sweep() }
            }
            for report in reports { #expect(report.isWhole && report.assets > 0, "\(report)") }
        }
    }

    @Test("A backup that is brought up to date all the while is whole at each look")
    func refreshed() async throws {
        try await withBackupWorld { world in
            let reports = try await looks(at: world.target) { round in
                try world.save("r\(round % 3)", Array("\(round)".utf8))
                try world.backUp()
            }
            for report in reports { #expect(report.isWhole && report.isBackup && report.records == 3, "\(report)") }
        }
    }

    @Test("All parts together are all assets, whatever their checksums are")
    func parts() throws {
        let queue = try DatabaseQueue()
        try Migrations.migrator.migrate(queue)
        try queue.write { db in
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            var seed: UInt8 = 0
            let others: [[UInt8]] = [[], [0], [UInt8](repeating: 0xFF, count: 21), [0x5A], [0x5B, 1], [0x59, 0xFF]]
            let usual = (0..<200).map { number -> [UInt8] in [0x5A, UInt8(number)] + [UInt8](repeating: 1, count: 19) }
            for checksum in usual + others {
                seed += 1
                let sha256 = [UInt8](repeating: seed, count: 32)
                try db.execute(
                    sql: "INSERT INTO assets VALUES (?, ?, 1)", arguments: [blob(checksum), blob(sha256)])
                try db.execute(sql: "INSERT INTO asset_uses VALUES (1, 'content', ?)", arguments: [blob(checksum)])
            }
            let all = try NamedAsset.all(in: db)
            let parts = try (UInt8.min...UInt8.max).map { try NamedAsset.all(in: db, AssetPart(folder: $0)) }
            #expect(all.count == 206 && parts.flatMap(\.self).count == 206 && Set(parts.flatMap(\.self)) == Set(all))
            #expect(parts[7].count == 1 && parts[255].count == 2)
            let total = try NamedAsset.total(in: db)
            #expect(total.assets == 206 && total.bytes == 206)
            // No record is there: what was written here is not to stay.
            try db.execute(sql: "DELETE FROM asset_uses")
        }
    }
}
