import CloudKitClient
import CloudKitServer
import CloudKitWire
import FolderControl
import FolderSettings
import Foundation
import LocalFolder
import StateStorage
import SystemPackage
import Testing

@testable import SessionCore
@testable import SyncEngine

/// Each setting of `config.toml` does what it says. `server`, `container`, `environment`, `zone` and `file_type` are in
/// ``ReconfiguredTests`` too, `database` and `owner` in ``SharedZoneTests``; `poll_seconds` and `asset_limit_bytes` are shown by
/// real processes.
@Suite("What config.toml sets", .timeLimit(.minutes(30)))
struct SettingsTests {
    @Test("What `asset_limit_bytes` lets through the product's own server takes, where neither is set")
    func assetLimit() {
        let server = WebServicesServer.Configuration(dataDirectory: "/")
        #expect(FolderConfiguration(container: "iCloud.c", zone: "z", device: "d").assetLimit == server.largestAsset)
    }

    @Test(
        "`deletion_limit`, `deletion_percent`: a deletion waits only where it is above both",
        arguments: [(2, 20, true), (3, 20, false), (2, 30, false)])
    func deletions(limit: Int, percent: Int, waits: Bool) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { configuration in
                configuration.deletionLimit = limit
                configuration.deletionShare = percent
            }
            for number in 0..<10 { try laptop.write("\(number)", to: "\(number).txt") }
            try await laptop.sync()
            for number in 0..<3 { try laptop.delete("\(number).txt") }
            try await laptop.sync()
            laptop.pass(.seconds(5))
            try await laptop.sync()
            #expect(try await laptop.report().approval?.deletions == (waits ? 3 : nil))
            #expect(try await laptop.report().records == (waits ? 10 : 7))
            try laptop.close()
        }
    }

    @Test("`records.file_type` is the record type of files")
    func fileType() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.fileRecordType = "Document" }
            try laptop.write("a", to: "a.txt")
            try await laptop.sync()
            let results = try await laptop.session.environment.database.lookUpRecords(
                ["a.txt"], in: ZoneID(zoneName: "Notes"))
            guard case .success(let record)? = results.first else {
                Issue.record("\(results)")
                return
            }
            #expect(record.recordType == "Document")
            try laptop.close()
        }
    }

    @Test("`device` is in the names of conflict copies; `[merge]` says which side wins, for a field before the rest")
    func deviceAndMerge() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { configuration in
                configuration.device = "oak"
                configuration.merge = MergePolicies(
                    standard: .local, types: ["Card": .remote], fields: ["Note": ["visits": .counter]])
            }
            let desk = try world.device("desk")
            for name in ["Note/n.json", "Card/c.json"] { try laptop.write(#"{"text": "1", "visits": 1}"#, to: name) }
            try laptop.write("1", to: "a.txt")
            try await converge(laptop, desk)
            for name in ["Note/n.json", "Card/c.json"] {
                try desk.write(#"{"text": "desk's", "visits": 2}"#, to: name)
                try laptop.write(#"{"text": "laptop's", "visits": 4}"#, to: name)
            }
            try desk.write("desk's", to: "a.txt")
            try laptop.write("laptop's", to: "a.txt")
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(desk.read("Note/n.json") == #"{"text": "laptop's", "visits": 5}"#)
            #expect(desk.read("Card/c.json") == #"{"text": "desk's", "visits": 2}"#)
            let copies = try laptop.conflictCopies()
            // The zone's version of what lost is in a copy as well, under its own name.
            let own = copies.filter { !$0.contains("-zone.") }
            #expect(own.contains { $0.hasPrefix("a.conflict-") }, "\(copies)")
            #expect(own.allSatisfy { $0.contains("-oak.") }, "\(copies)")
            try laptop.close()
            try desk.close()
        }
    }

    @Test("`history_days`: what is older is removed", arguments: [(30, false), (90, true)])
    func history(days: Int, keeps: Bool) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") { $0.historyDays = days }
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "UTC")
            format.dateFormat = "yyyyMMdd'T'HHmmss'Z-0'"
            let bucket = format.string(from: Date(timeIntervalSinceNow: -60 * 86_400))
            try laptop.write("old", to: ".zonefolder/history/\(bucket)/a.txt")
            try await laptop.sync()
            #expect((laptop.read(".zonefolder/history/\(bucket)/a.txt") != nil) == keeps)
            try laptop.close()
        }
    }

    @Test("`disk_reserve_bytes`: nothing more is received below it", arguments: [(0, true), (90_000, false)])
    func reserve(bytes: Int64, receives: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try desk.write("twenty bytes of text", to: "a.txt")
            try await desk.sync()
            var environment = await laptop.session.environment
            environment.configuration.diskReserve = bytes
            environment.diskSpace = { DiskSpace(available: 100_000, size: 100_000_000) }
            let session = try FolderSession(
                environment, inbox: Inbox(clock: environment.clock), logger: EngineWorld.quiet)
            await session.settle()
            #expect((laptop.read("a.txt") != nil) == receives)
            try laptop.close()
            try desk.close()
        }
    }
}
