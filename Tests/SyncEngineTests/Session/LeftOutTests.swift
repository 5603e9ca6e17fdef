import CloudKitClient
import CloudKitWire
import FolderControl
import Foundation
import StateRows
import StateStorage
import SyncModel
import SyncPlanning
import SystemPackage
import Testing

@testable import RecordTrees
@testable import SessionCore
@testable import SyncEngine

/// What built-in rules leave out although a person may have meant it to be synced: secrets, and the program's own names.
@Suite("What is left out and told", .timeLimit(.minutes(30)))
struct LeftOutTests {
    @Test("A copy of the state directory goes nowhere, and is told (invariant 29)")
    func copyOfTheState() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let state = laptop.folder.appending(".zonefolder").string
            for copy in [".zonefolder.bak", "deep/.zonefolder2", ".ZoneFolder"] {
                try laptop.write("x", to: "deep/a.txt")
                try FileManager.default.copyItem(atPath: state, toPath: laptop.folder.appending(copy).string)
            }
            try laptop.write("rules", to: ".zonefolderignore.old")
            try await laptop.sync()
            #expect(try world.zone().tags.keys.sorted() == ["deep/a.txt"])
            #expect(laptop.network.takeOperations().count { $0 == "upload" } == 1)
            let report = try await laptop.report()
            #expect(report.verdict == .inSync)
            #expect(
                report.held.map(\.path)
                    == [".ZoneFolder", ".zonefolder.bak", ".zonefolderignore.old", "deep/.zonefolder2"])
            #expect(report.held.allSatisfy { $0.code == "leftOut" && $0.message.contains("zonefolder's own") })
            // No file of a person is renamed for its name.
            #expect(laptop.read(".zonefolderignore.old") == "rules")
            #expect(!(try laptop.files().keys.contains { $0.contains("%") }))
        }
    }

    @Test("A note whose file is there and never synced is told why: a rule, or what stands there")
    func namedByNotes() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("*.raw\n", to: ".zonefolderignore")
            try laptop.write("raw", to: "Note/a.raw")
            try laptop.write("x", to: "Note/sub/x")
            for name in ["a.raw", "gone.png", "link.png", "sub"] {
                try laptop.write(#"{"p": {"$asset": "\#(name)"}}"#, to: "Note/\(name).json")
            }
            try FileManager.default.createSymbolicLink(
                atPath: laptop.folder.appending("Note/link.png").string, withDestinationPath: "a.raw")
            try await laptop.sync()
            let report = try await laptop.report()
            let told = report.held.filter { $0.code == "missingAsset" }.sorted { $0.path < $1.path }.map(\.message)
            #expect(
                told == [
                    "Note/a.raw.json: the field 'p' names Note/a.raw, which is left out by the rule *.raw.",
                    "Note/gone.png.json: the field 'p' names Note/gone.png, which is not there.",
                    "Note/link.png.json: the field 'p' names Note/link.png, which is a symbolic link.",
                    "Note/sub.json: the field 'p' names Note/sub, which is a directory.",
                ])
            #expect(report.held.contains { $0.remedy == "Change line 1 of .zonefolderignore, or take the field out." })
            // It is told as it is now, whatever was planned since.
            try laptop.delete("Note/a.raw")
            try laptop.write("other", to: "Note/other.txt")
            try await laptop.sync()
            #expect(
                try await laptop.report().held.contains {
                    $0.message == "Note/a.raw.json: the field 'p' names Note/a.raw, which is not there."
                })
        }
    }

    @Test(
        "A line of ignore rules that is no pattern is told, as long as it stands there; what it was meant for goes on")
    func invalidLine() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write("*.log\nsec[ret*\n", to: ".zonefolderignore")
            try laptop.write("one", to: "sec[ret1")
            try await laptop.sync()
            let report = try await laptop.report()
            #expect(report.verdict == .inSync)
            #expect(report.notices?.map(\.code) == ["invalidRule"])
            #expect(report.notices?.first?.message.hasSuffix("match nothing: 2.") == true)
            try laptop.write("*.log\n", to: ".zonefolderignore")
            try await laptop.sync()
            #expect(try await laptop.report().notices?.isEmpty == true)
        }
    }

    @Test("Secrets stay here and are told; a line of the person's own lets one through, another ends the remark")
    func secrets() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for name in [".ssh/id_rsa", "home/.gnupg/secring.gpg", "certs/site.pem", "a.txt", "talk.key"] {
                try laptop.write(name, to: name)
            }
            try await converge(laptop, desk)
            #expect(try desk.files() == ["a.txt": "a.txt", "talk.key": "talk.key"])
            let held = try await laptop.report().held
            #expect(held.map(\.path) == [".ssh", "certs/site.pem", "home/.gnupg"])
            #expect(held.map(\.remedy).first { $0.contains("pem") }?.contains("!*.pem") == true)
            #expect(try await laptop.report().verdict == .inSync)

            try laptop.write("!*.pem\n.ssh/\n", to: ".zonefolderignore")
            try await converge(laptop, desk)
            #expect(desk.read("certs/site.pem") == "certs/site.pem")
            #expect(try await laptop.report().held.map(\.path) == ["home/.gnupg"])
            #expect(try world.zone().tags.count == 4)

            try laptop.delete("home/.gnupg")
            try await converge(laptop, desk)
            #expect(try await laptop.report().held.isEmpty)
        }
    }

    @Test("What an earlier version sent of such a name lies at its safe path everywhere, and can be deleted there")
    func sentBefore() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["b.txt": "rules", "c.txt": "c"])
            // As an earlier version left it that was ended before it gave the file its safe path here too.
            let path = try #require(FolderPath(".zonefolderignore.old"))
            try laptop.write("rules", to: "\(path)")
            let tag = try await laptop.createFile("\(path)", with: "rules")
            let store = await laptop.session.environment.store
            let hash = try #require(await laptop.session.trees.base[RecordName("b.txt")]?.hash)
            try store.commitOutcomes([
                Outcome(
                    base: .agreed(
                        BaseEntry(
                            name: RecordName("\(path)"), recordType: "File", path: path,
                            hash: hash, changeTag: tag, file: FileIdentity(device: 1, inode: 1)), document: nil))
            ])
            try laptop.restart()
            try await converge(laptop, desk)
            let shown = try #require(try desk.files().keys.first { $0.hasPrefix("%252Ezonefolderignore.old~") })
            for device in [laptop, desk] {
                #expect(try device.files().keys.sorted() == [shown, "b.txt", "c.txt"])
                #expect(try await device.report().verdict == .inSync)
            }
            #expect(laptop.read("\(path)") == "rules")
            try desk.delete(shown.replacing("%25", with: "%"))
            try await converge(laptop, desk)
            #expect(try world.zone().tags.keys.sorted() == ["b.txt", "c.txt"])
            #expect(laptop.read("\(path)") == "rules")
            try await expectInSync(laptop, desk, with: ["b.txt": "rules", "c.txt": "c"])
        }
    }
}

extension EngineDevice {
    /// Makes a file record that claims a path, as another version of the program does; gives its change tag.
    fileprivate func createFile(_ path: String, with text: String) async throws -> String {
        let database = await session.environment.database
        let zone = ZoneID(zoneName: "Notes")
        let token = AssetToken(recordType: "File", recordName: path, fieldName: "content")
        let tokens = try await database.assetUploadURLs(for: [token], in: zone)
        let asset = try await database.uploadAsset(
            ByteSource(length: Int64(text.utf8.count)) { offset, count in
                Array(text.utf8.dropFirst(Int(offset)).prefix(count))
            }, to: tokens[0].url ?? "")
        var record = Record(recordName: path, recordType: "File")
        record.fields = ["content": Field(.asset(asset)), "path": Field(.string(path))]
        let results = try await database.modifyRecords([RecordOperation(.create, record)], in: zone)
        guard case .success(let saved) = results[0] else { throw SharedWorldFailure(text: "\(results)") }
        return saved.recordChangeTag ?? ""
    }
}
