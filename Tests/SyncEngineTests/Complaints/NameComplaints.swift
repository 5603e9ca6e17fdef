import CloudKitClient
import CloudKitWire
import FolderControl
import Foundation
import SystemPackage
import Testing

@testable import SessionCore
@testable import SyncEngine

/// Names are bytes, and nothing that a zone holds leads out of the folder (reliability §4.18).
extension Complaints {
    private static let composed = "caf\u{E9}.txt"
    private static let decomposed = "cafe\u{301}.txt"

    @Test("NFC/NFD twins: loops, silent deletes")
    func twins() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            func settle(_ expected: [String: String]) async throws {
                try await converge(laptop, desk)
                for device in [laptop, desk] {
                    #expect(try device.files() == expected)
                    _ = device.network.takeOperations()
                    try await device.sync()
                    #expect(device.takeChanges().isEmpty)
                    #expect(try await device.report().verdict == .inSync)
                }
            }
            let (nfc, nfd) = ("caf%C3%A9.txt", "cafe%CC%81.txt")
            try laptop.write("composed", to: Self.composed)
            try await settle([nfc: "composed"])
            // The twin comes from the other device, is edited, renamed to the other's form and back, and goes.
            try desk.write("decomposed", to: Self.decomposed)
            try laptop.write("composed 2", to: Self.composed)
            try await settle([nfc: "composed 2", nfd: "decomposed"])
            try laptop.write("decomposed 2", to: Self.decomposed)
            try desk.write("composed 3", to: Self.composed)
            try await settle([nfc: "composed 3", nfd: "decomposed 2"])
            try desk.delete(Self.composed)
            try await settle([nfd: "decomposed 2"])
            try laptop.move(Self.decomposed, to: Self.composed)
            try await settle([nfc: "decomposed 2"])
            try desk.move(Self.composed, to: Self.decomposed)
            try laptop.write("composed 4", to: Self.composed)
            try await settle([nfd: "composed 4"])
            // Both in one folder, deleted and made anew in the other form at once.
            try laptop.delete(Self.decomposed)
            try laptop.write("anew", to: Self.composed)
            try await settle([nfc: "anew"])
            // Twin directories, and twin keys and records.
            try desk.write("a", to: "d\u{E9}/x.txt")
            try laptop.write("b", to: "de\u{301}/x.txt")
            try desk.write("{\"\u{E9}\": 1, \"e\u{301}\": 2}", to: "Note/\u{E9}.json")
            try laptop.write("{\"\u{E9}\": 3, \"e\u{301}\": 4}", to: "Note/e\u{301}.json")
            try await settle([
                nfc: "anew", "d%C3%A9/x.txt": "a", "de%CC%81/x.txt": "b",
                "Note/%C3%A9.json": "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
                "Note/e%CC%81.json": "{\"\u{E9}\": 3, \"e\u{301}\": 4}",
            ])
            #expect(try desk.conflictCopies().isEmpty && laptop.conflictCopies().isEmpty)
        }
    }

    @Test("a remote name that replaces the sync root")
    func remoteNames() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["kept.txt": "kept", "d/kept.txt": "kept too"])
            let database = await laptop.session.environment.database
            let names = [
                ".", "..", "/", "//", "./", "../", "../desk", "../../x", "/abs", "a/..", "a/../..", ".zonefolder",
                ".zonefolder/state.sqlite", ".ZoneFolder", "Note/", "Note/..", "Note/../..", "Note/../.zonefolder/x",
                "d", "kept.txt/", "%2e%2e", "C:\\", "-rf", "~", "*",
            ]
            func text(_ text: String) -> Field { Field(.string(text)) }
            var operations: [RecordOperation] = []
            for (number, name) in names.enumerated() {
                operations.append(
                    RecordOperation(
                        .create,
                        Record(recordName: name, recordType: "Note", fields: ["title": text("by name \(number)")])))
                operations.append(
                    RecordOperation(
                        .create,
                        Record(
                            recordName: "hint-\(number)", recordType: "Note",
                            fields: ["title": text("by path \(number)"), "zonefolder": text(#"{"path":"\#(name)"}"#)])))
                // File records of that path, with nothing in them and with no path at all.
                operations.append(
                    RecordOperation(
                        .create,
                        Record(recordName: "file-\(number)", recordType: "File", fields: ["path": text(name)])))
            }
            operations.append(
                RecordOperation(.create, Record(recordName: "no-path", recordType: "File", fields: ["path": text("")])))
            for result in try await database.modifyRecords(operations, in: ZoneID(zoneName: "Notes")) {
                guard case .failure(let error) = result else { continue }
                // The server itself takes no empty name and none that begins with an underscore.
                Issue.record("\(error)")
            }
            let beside = try world.place.names().sorted()
            let identity = try Self.inode(of: desk.folder)
            try await converge(laptop, desk)
            desk.pass(.seconds(7200))
            try desk.restart()
            try await converge(laptop, desk)

            #expect(try world.place.names().sorted() == beside)
            for device in [laptop, desk] {
                let files = try device.files()
                #expect(files["kept.txt"] == "kept")
                #expect(files["d/kept.txt"] == "kept too")
                for number in names.indices {
                    #expect(files.values.contains { $0.contains("by name \(number)\"") }, "\(names[number])")
                    #expect(files.values.contains { $0.contains("by path \(number)\"") }, "\(names[number])")
                }
                #expect(
                    try Set(device.folder.appending(".zonefolder").names()).isSubset(of: [
                        ".gitignore", "config.toml", "cookies", "credentials", "history", "lock", "staging",
                        "state.sqlite",
                        "state.sqlite-shm", "state.sqlite-wal",
                    ]))
            }
            #expect(try Self.inode(of: desk.folder) == identity)
            #expect(try laptop.files() == desk.files())
            // All of it goes again, and takes nothing else along.
            let deletions = operations.map {
                RecordOperation(.forceDelete, Record(recordName: $0.record.recordName))
            }
            _ = try await database.modifyRecords(deletions, in: ZoneID(zoneName: "Notes"))
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                if let batch = try await device.report().approval {
                    #expect(await device.session.approved(batch.batch))
                    try await device.sync()
                }
                #expect(try device.files() == ["kept.txt": "kept", "d/kept.txt": "kept too"])
            }
            #expect(try Self.inode(of: desk.folder) == identity)
        }
    }

    private static func inode(of path: FilePath) throws -> UInt64? {
        try FileManager.default.attributesOfItem(atPath: path.string)[.systemFileNumber] as? UInt64
    }
}
