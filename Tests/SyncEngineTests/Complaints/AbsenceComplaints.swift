import CloudKitServer
import CloudKitWire
import FolderControl
import Foundation
import SyncModel
import SystemPackage
import Testing

/// Absence is not deletion (reliability §2).
extension Complaints {
    @Test(
        "a failed download is seen as a local delete",
        arguments: [
            FaultRule(.cutInBody, on: .init(operation: "assets/download")), .html(404, on: "assets/download"),
            .html(410, on: "assets/download"), .html(500, on: "assets/download"), .html(503, on: "assets/download"),
            FaultRule(
                .answer(status: 200, contentType: "text/plain", body: Array("other".utf8), headers: [:]),
                on: .init(operation: "assets/download")),
        ])
    func failedDownload(_ fault: FaultRule) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a.txt": "one"])
            try laptop.write("two", to: "a.txt")
            try laptop.write("new", to: "b/c.txt")
            try await laptop.sync()
            let zone = try world.zone()

            world.faults.add(fault)
            for _ in 0..<3 {
                try await desk.sync()
                try desk.restart()
            }
            try await desk.sync()
            #expect(world.faults.rules[0].hits > 0)
            // The former version stays, whole, until the new one is there.
            #expect(try desk.files() == ["a.txt": "one"])
            #expect(try await desk.report().verdict != .inSync)
            try await laptop.sync()
            #expect(try world.zone() == zone)
            #expect(try laptop.files() == ["a.txt": "two", "b/c.txt": "new"])

            world.faults.removeAll()
            desk.pass(.seconds(3600))
            try await converge(desk, laptop)
            #expect(try desk.files() == ["a.txt": "two", "b/c.txt": "new"])
            #expect(try world.zone() == zone)
        }
    }

    static let listings = ["changes/database", "changes/zone"]
    /// Answers instead of a listing. Not among them: those that say that the zone is gone.
    static let refusedListings: [FaultRule] = listings.flatMap { operation in
        [400, 404, 410, 421, 500, 502, 503, 504].map { FaultRule.html($0, on: operation) } + [
            .refusal("ZONE_BUSY", 503, on: operation),
            .refusal("INTERNAL_ERROR", 500, on: operation), .refusal("TRY_AGAIN_LATER", 503, on: operation),
            FaultRule(.cutInBody, on: .init(operation: operation)),
            FaultRule(
                .answer(status: 200, contentType: "application/json", body: Array("{}".utf8), headers: [:]),
                on: .init(operation: operation)),
            FaultRule(
                .answer(
                    status: 200, contentType: "application/json", body: Array(#"{"zones": []}"#.utf8), headers: [:]),
                on: .init(operation: operation)),
        ]
    }

    @Test("404/503/504 during a listing becomes mass deletion", arguments: refusedListings)
    func refusedListing(_ refusal: FaultRule) async throws {
        try await EngineWorld.run { world in
            var files: [String: String] = [:]
            for number in 0..<12 { files["\(number).txt"] = "text \(number)" }
            let (laptop, desk) = try await world.pair(with: files)
            let zone = try world.zone()
            try laptop.write("again", to: "0.txt")
            try await laptop.sync()
            // The desk's token is void, so that it has to list everything, and gets no further than this.
            world.faults.add(FaultRule(.alter(.expireTokens), on: refusal.match, times: 1))
            var fault = refusal
            fault.after = 1
            world.faults.add(fault)
            await desk.settle()
            desk.pass(.seconds(120))
            await desk.settle()
            #expect(try desk.files().count == 12)
            #expect(world.faults.rules.allSatisfy { $0.hits > 0 })
            world.faults.removeAll()
            desk.pass(.seconds(3600))
            try await converge(laptop, desk)
            files["0.txt"] = "again"
            #expect(try desk.files() == files)
            let now = try world.zone()
            #expect(now.deletions == 0)
            #expect(now.tags.keys == zone.tags.keys)
            #expect(try await desk.report().verdict == .inSync)
        }
    }

    @Test("half a listing after token expiry deletes nothing, and what was deleted meanwhile goes in the end")
    func halfListing() async throws {
        try await EngineWorld.run { world in
            var files: [String: String] = [:]
            for number in 0..<30 { files["\(number).txt"] = "text \(number)" }
            let (laptop, desk) = try await world.pair(with: files)
            try laptop.delete("7.txt")
            try await laptop.sync()
            let feed = FaultRule.Match(operation: "changes/zone")
            world.faults.add(FaultRule(.alter(.dropTombstones), on: feed))
            world.faults.add(FaultRule(.alter(.pageSize(5)), on: feed))
            world.faults.add(FaultRule(.alter(.expireTokens), on: feed, times: 1))
            var later = FaultRule.html(504, on: "changes/zone")
            later.after = 3
            let broken = world.faults.add(later)
            await desk.settle()
            try desk.restart()
            await desk.settle()
            #expect(world.faults.rules.last?.hits ?? 0 > 0)
            #expect(try desk.files() == files)
            world.faults.remove(broken)
            desk.pass(.seconds(3600))
            try await desk.sync()
            files["7.txt"] = nil
            #expect(try desk.files() == files)
            #expect(try world.zone().tags.count == 29)
        }
    }

    /// What is at the folder's place while its disk is away.
    enum Place: String, CaseIterable {
        case nothing, emptyDirectory, directoryWithMarker, file
    }

    @Test("unplugged or unmounted folder deletes everything everywhere", arguments: Place.allCases, [false, true])
    func unplugged(_ place: Place, whileRunning: Bool) async throws {
        try await EngineWorld.run { world in
            var files: [String: String] = [:]
            for number in 0..<12 { files["deep/er/\(number).txt"] = "text \(number)" }
            let (laptop, desk) = try await world.pair(with: files)
            let zone = try world.zone()
            let (path, aside) = (desk.folder.string, desk.folder.string + "-aside")
            let manager = FileManager.default
            if !whileRunning { try desk.close() }
            try manager.moveItem(atPath: path, toPath: aside)
            switch place {
            case .nothing: break
            case .emptyDirectory: try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .directoryWithMarker:
                // Another, empty disk, on which somebody made the same directories.
                try manager.createDirectory(
                    atPath: path + "/.zonefolder/staging", withIntermediateDirectories: true)
            case .file: try Data().write(to: URL(filePath: path))
            }
            if whileRunning {
                await desk.settle()
                desk.pass(.seconds(7200))
                await desk.settle()
                let report = try await desk.report()
                #expect(report.verdict == .attention)
                #expect(report.reason.contains(path))
            } else {
                // A start there fails, or syncs nothing.
                #expect(throws: (any Error).self) { try desk.restart() }
            }
            try await laptop.sync()
            #expect(try world.zone() == zone)
            #expect(try laptop.files() == files)

            try manager.removeItem(atPath: path, ifThere: place != .nothing)
            try manager.moveItem(atPath: aside, toPath: path)
            if !whileRunning { try desk.restart() }
            desk.pass(.seconds(60))
            try await converge(desk, laptop)
            #expect(try desk.files() == files)
            #expect(try laptop.files() == files)
            #expect(try world.zone() == zone)
            #expect(try await desk.report().verdict == .inSync)
        }
    }

    @Test("unsynced files removed together with the folder")
    func unsyncedFiles() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: [
                "d/a.txt": "a", "d/deep/b.txt": "b", "d/deep/c.json": "[]", "other.txt": "o",
                ".zonefolderignore": "*.log\n",
            ])
            try laptop.delete("d")
            try await laptop.sync()
            // What the desk has in that folder, and nobody else: new, never synced, unreadable as it is, changed.
            let own = [
                "d/new.txt": "new", "d/deep/build.log": "ignored", "d/deep/deeper/n.txt": "new too",
                "d/deep/c.json": "[1]",
            ]
            for (path, text) in own { try desk.write(text, to: path) }
            try FileManager.default.createDirectory(
                atPath: desk.folder.appending("d/empty").string, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: desk.folder.appending("d/link").string, withDestinationPath: "../other.txt")
            try await converge(desk, laptop)
            for (path, text) in own { #expect(desk.read(path) == text, "\(path)") }
            #expect(desk.read("d/a.txt") == nil)
            #expect(desk.read("d/deep/b.txt") == nil)
            #expect(desk.read("d/link") == "o")
            let there = try laptop.files().keys.sorted()
            #expect(
                there == ["d/deep/c.json", "d/deep/deeper/n.txt", "d/new.txt", "other.txt"],
                "\(there)")
        }
    }
}

extension FileManager {
    fileprivate func removeItem(atPath path: String, ifThere isThere: Bool) throws {
        if isThere { try removeItem(atPath: path) }
    }
}
