import CloudKitServer
import CloudKitWire
import FolderControl
import Foundation
import SeededRandomness
import StateStorage
import SystemPackage
import Testing

@testable import SyncEngine

/// What is asked of a person after an error is nothing, or one command that loses nothing.
extension Complaints {
    /// Why everything has to be compared anew.
    enum Loss: String, CaseIterable {
        case stateDeleted, stateOfLongAgo, tokensExpired, zoneReset
    }

    @Test("\"run --resync\": recovery that itself loses data", arguments: Loss.allCases)
    func recovery(_ loss: Loss) async throws {
        try await EngineWorld.run { world in
            let start = [
                "edited-here.txt": "0", "edited-there.txt": "0", "edited-both.txt": "0", "gone-here.txt": "0",
                "gone-there.txt": "0", "still.txt": "0", "Note/both.json": #"{"here": 0, "there": 0}"#,
            ]
            let (laptop, desk) = try await world.pair(with: start)
            let state = desk.folder.appending(".zonefolder/state.sqlite").string
            try desk.close()
            let old = try Data(contentsOf: URL(filePath: state))
            try desk.restart()
            try laptop.write("between", to: "still.txt")
            try await converge(laptop, desk)

            // Both sides change, and then the desk has to compare everything anew.
            try laptop.write("there", to: "edited-there.txt")
            try laptop.write("there", to: "edited-both.txt")
            try laptop.write("there", to: "new-there.txt")
            try laptop.write(#"{"here": 0, "there": 1}"#, to: "Note/both.json")
            try laptop.delete("gone-there.txt")
            try await laptop.sync()
            try desk.write("here", to: "edited-here.txt")
            try desk.write("here", to: "edited-both.txt")
            try desk.write("here", to: "new-here.txt")
            try desk.write(#"{"here": 1, "there": 0}"#, to: "Note/both.json")
            try desk.delete("gone-here.txt")
            try desk.close()
            switch loss {
            case .stateDeleted, .stateOfLongAgo:
                for part in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: state + part) }
                if loss == .stateOfLongAgo { try old.write(to: URL(filePath: state)) }
            case .tokensExpired: world.faults.add(FaultRule(.alter(.expireTokens), times: 2))
            case .zoneReset:
                world.faults.add(
                    FaultRule(.endZones(.reset, zone: "Notes"), on: .init(operation: "changes/zone"), times: 1))
            }
            try desk.restart()
            try await desk.sync()
            world.faults.removeAll()
            if loss == .zoneReset { #expect(await desk.session.approved("zone")) }
            if loss == .stateOfLongAgo {
                // What was deleted elsewhere since may be what somebody wants back.
                let approval = try #require(try await desk.report().approval)
                #expect(approval.deletions == 1 && desk.read("gone-there.txt") == "0")
                #expect(await desk.session.approved(approval.batch))
            }
            try await desk.sync()
            // The zone that the desk has filled is asked about on no other device.
            try await laptop.sync()
            #expect(try await laptop.report().held.isEmpty)
            try await converge(laptop, desk)

            let files = try desk.files()
            let shared = files.filter { !$0.key.contains(".conflict-") }
            #expect(try laptop.files().filter { !$0.key.contains(".conflict-") } == shared)
            // Everything that was saved on either side is there, under its name or in a conflict copy.
            let everywhere = try [laptop, desk].flatMap { try $0.files() }
            func isThere(_ name: String, _ text: String) -> Bool {
                everywhere.contains { path, content in
                    content == text && (path == name || path.hasPrefix(name.prefix { $0 != "." } + ".conflict-"))
                }
            }
            for (name, text) in [
                ("edited-here.txt", "here"), ("edited-there.txt", "there"), ("edited-both.txt", "here"),
                ("edited-both.txt", "there"), ("new-here.txt", "here"), ("new-there.txt", "there"),
                ("still.txt", "between"),
            ] {
                #expect(isThere(name, text), "\(name): \(text); \(everywhere)")
            }
            let notes = everywhere.filter { $0.key.hasPrefix("Note/both") }.map(\.value).joined()
            #expect(notes.contains(#""here": 1"#) && notes.contains(#""there": 1"#), "\(notes)")
        }
    }

    @Test("concurrent field edits diverge for ever while both say \"synced\"", arguments: 0..<UInt64(12))
    func fieldEdits(seed: UInt64) async throws {
        try await EngineWorld.run { world in
            var random = SeededGenerator(seed: seed)
            let keys = ["a", "b", "c", "d"]
            func text(_ values: [String: Int]) -> String {
                "{" + keys.map { "\"\($0)\": \(values[$0] ?? 0)" }.joined(separator: ", ") + "}"
            }
            let devices = try ["laptop", "desk", "phone"].map { try world.device($0) }
            try devices[0].write(text([:]), to: "Note/a.json")
            for _ in 0..<2 { for device in devices { try await device.sync() } }
            for round in 0..<8 {
                for (number, device) in devices.enumerated() where Int.random(in: 0..<4, using: &random) > 0 {
                    var values: [String: Int] = [:]
                    let now = try JSONSerialization.jsonObject(with: Data((device.read("Note/a.json") ?? "{}").utf8))
                    for (key, value) in now as? [String: Int] ?? [:] { values[key] = value }
                    values[keys.randomElement(using: &random)!] = round * 10 + number + 1
                    try device.write(text(values), to: "Note/a.json")
                    if Int.random(in: 0..<3, using: &random) == 0 {
                        device.network.next(to: "records/modify", .answerLost)
                    }
                    if Bool.random(using: &random) { await device.settle() }
                    device.network.decide { _ in .delivered }
                }
            }
            for _ in 0..<3 { for device in devices { try await device.sync() } }
            let texts = devices.map { $0.read("Note/a.json") }
            #expect(Set(texts).count == 1, "seed \(seed): \(texts)")
            // What they have is what the server has: a device that never was there gets the same.
            let fresh = try world.device("fresh")
            try await fresh.sync()
            #expect(fresh.read("Note/a.json") == texts[0], "seed \(seed)")
            let zone = try world.zone()
            for device in devices {
                _ = device.takeChanges()
                try await device.sync()
                #expect(device.takeChanges().isEmpty, "seed \(seed)")
                let verdict = try await device.report().verdict
                #expect(try verdict == (device.conflictCopies().isEmpty ? .inSync : .attention), "seed \(seed)")
            }
            #expect(try world.zone() == zone)
        }
    }

    /// Everything that may come instead of the answer to a save.
    static let refusedSaves: [FaultRule] =
        [
            ("ACCESS_DENIED", 403), ("ATOMIC_ERROR", 400), ("AUTHENTICATION_FAILED", 401), ("BAD_REQUEST", 400),
            ("CONFLICT", 409), ("EXISTS", 409), ("INTERNAL_ERROR", 500), ("NOT_FOUND", 404),
            ("QUOTA_EXCEEDED", 413), ("THROTTLED", 429), ("TRY_AGAIN_LATER", 503), ("UNIQUE_FIELD_ERROR", 400),
            ("VALIDATING_REFERENCE_ERROR", 412), ("ZONE_BUSY", 503), ("SOMETHING_NEW", 418),
        ].flatMap { (code, status) in
            // That a record to be deleted is not there is no error.
            code == "NOT_FOUND"
                ? [.refusal(code, status, on: "records/modify")]
                : [
                    FaultRule.refusal(code, status, on: "records/modify"),
                    FaultRule(
                        .alter(
                            .recordError(ErrorDictionary(.init(rawValue: code), reason: "on demand"), recordName: nil)),
                        on: .init(operation: "records/modify")),
                ]
        } + [
            .html(404, on: "records/modify"), .html(500, on: "records/modify"), .html(502, on: "records/modify"),
            .html(413, on: "records/modify"), .html(403, on: "records/modify"),
            FaultRule(.cutBeforeCommit, on: .init(operation: "records/modify")),
            FaultRule(.cutAfterCommit, on: .init(operation: "records/modify")),
            FaultRule(.cutInBody, on: .init(operation: "records/modify")),
            .html(500, on: "assets/upload"), .html(500, on: "assets/upload-bytes"),
            .html(413, on: "assets/upload-bytes"), .html(404, on: "assets/upload-bytes"),
        ]

    @Test("an edit dropped after an error that nobody retries", arguments: refusedSaves)
    func refusedSave(_ fault: FaultRule) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a.txt": "one", "Note/a.json": #"{"n": 1}"#, "b.txt": "b"])
            let zone = try world.zone()
            var fault = fault
            fault.times = 3
            world.faults.add(fault)
            try laptop.write("two", to: "a.txt")
            try laptop.write(#"{"n": 2}"#, to: "Note/a.json")
            try laptop.write("new", to: "new.txt")
            try laptop.delete("b.txt")
            await laptop.settle()
            #expect(world.faults.rules[0].hits > 0)
            let now = try world.zone().tags
            let hasArrived =
                now.count == 3 && zone.tags.keys.filter { $0 != "b.txt" }.allSatisfy { now[$0] != zone.tags[$0] }
            if !hasArrived { #expect(try await laptop.report().verdict != .inSync) }

            // Nobody saves anything again, nothing is restarted; time passes, that is all.
            for _ in 0..<6 {
                laptop.pass(.seconds(1200))
                await laptop.settle()
            }
            #expect(world.faults.rules[0].hits >= 1)
            let report = try await laptop.report()
            #expect(report.verdict == .inSync, "\(report.held)")
            try await desk.sync()
            let expected = ["a.txt": "two", "Note/a.json": #"{"n": 2}"#, "new.txt": "new"]
            #expect(try desk.files() == expected)
            #expect(try laptop.files() == expected)
        }
    }
}
