import CloudKitWire
import FolderSettings
import Foundation
import RecordMapping
import RecordPaths
import RecordTrees
import StateRows
import StateStorage
import SyncModel
import SystemPackage
import Testing

@testable import FolderKnowledge

@Suite("Whose ignore rules a folder obeys")
struct RulesTrustTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var parent: String?
        var share: String?
        var isObeyed = true
    }

    static let rows = [
        Row(testDescription: "of one's own zone, or of one that is shared as a whole"),
        Row(testDescription: "which names the share of its zone", share: RecordSharing.zoneWideShareName),
        Row(testDescription: "below a shared record", parent: "Note/top", isObeyed: false),
        Row(testDescription: "shared itself", share: "s", isObeyed: false),
    ]

    private static func record(_ row: Row) -> Record {
        var record = Record(recordName: ".zonefolderignore", recordType: "File", recordChangeTag: "1")
        record.parent = row.parent
        record.share = row.share.map { ShareReference(recordName: $0) }
        return record
    }

    @Test("Rules are a record's that nobody may write through the share of a single one", arguments: rows)
    func obeyed(_ row: Row) {
        let place = RulesTrust.place(of: Self.record(row), claiming: .ignoreFile)
        #expect(place == (row.isObeyed ? .ignoreFile : PathMapping.rulesSetAside))
        let other = FolderPath("docs/.zonefolderignore")!
        #expect(RulesTrust.place(of: Self.record(row), claiming: other) == other)
    }

    @Test("Rules stay on their device in a folder of single records of somebody else's zone")
    func stay() {
        let whole = ZoneShare(name: RecordName(RecordSharing.zoneWideShareName), permission: .readWrite, root: nil)
        let one = ZoneShare(name: RecordName("s"), permission: .readWrite, root: RecordName("top"))
        #expect(RulesTrust.staysHere(isOthers: true, ZoneSharing([one])))
        // What is not known yet may be such a share.
        #expect(RulesTrust.staysHere(isOthers: true, ZoneSharing()))
        #expect(!RulesTrust.staysHere(isOthers: true, ZoneSharing([whole])))
        #expect(!RulesTrust.staysHere(isOthers: false, ZoneSharing([one])))
    }

    @Test("What an earlier version took for rules is set aside at the next start", arguments: rows)
    func upgrade(_ row: Row) throws {
        let folder = FilePath("/tmp/rules-trust-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        let store = try StateStore(of: try StateDirectory.create(in: folder))
        let configuration = FolderConfiguration(container: "c", zone: "Notes", device: "laptop")
        func start() throws -> Knowledge {
            let known = try Knowledge(configuration, declared: ZoneSchema(), in: store, memory: ProcessMemory())
            _ = try known.load { _ in }
            return known
        }
        let known = try start()
        var remote = try #require(known.row(for: Self.record(row)))
        remote.entry.path = .ignoreFile
        try known.commit([Outcome(remote: .saved(remote))])
        let place = row.isObeyed ? FolderPath.ignoreFile : PathMapping.rulesSetAside
        for _ in 0..<2 { #expect(try start().trees.path(of: remote.entry.name) == place) }
        try store.close()
    }
}
