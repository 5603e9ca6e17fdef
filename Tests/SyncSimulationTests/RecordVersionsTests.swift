import CloudKitWire
import Testing

@testable import SyncSimulation

@Suite("What updates send of what the zone has")
struct RecordVersionsTests {
    private static let text = Field(.string("x"))

    private static func record(_ tag: String, _ fields: [String: Field]) -> Record {
        Record(recordName: "a", recordType: "Note", recordChangeTag: tag, fields: fields)
    }

    private static func versions() -> RecordVersions {
        var versions = RecordVersions()
        versions.saved(record("1", ["t": Field(.string("older")), "u": text]))
        let picture = Field(.asset(Asset(fileChecksum: "c")))
        versions.saved(record("2", ["t": text, "u": Field(.string("y")), "p": picture]))
        return versions
    }

    @Test("A field that is sent as its version has it is found beside one that changed (invariant 14)")
    func untouched() {
        let versions = Self.versions()
        let both = Self.record("2", ["t": Self.text, "u": Field(.string("z"))])
        #expect(versions.untouchedField(in: RecordOperation(.update, both)) == "t")
        #expect(versions.untouchedField(in: RecordOperation(.create, both)) == nil)
        let changed = Self.record("2", ["t": Field(.string("older")), "u": Self.text, "n": Field(.int64(1))])
        #expect(versions.untouchedField(in: RecordOperation(.update, changed)) == nil)
    }

    @Test("One field alone, an asset, and what is sent for another version may be as they were")
    func allowed() {
        let versions = Self.versions()
        let alone = Self.record("2", ["t": Self.text])
        let asset = Self.record("2", ["p": Field(.asset(Asset(fileChecksum: "c"))), "u": Field(.string("z"))])
        let older = Self.record("1", ["t": Self.text, "u": Field(.string("z"))])
        for record in [alone, asset, older] {
            #expect(versions.untouchedField(in: RecordOperation(.update, record)) == nil)
        }
    }

    @Test("Of a record that is gone nothing is known")
    func deleted() {
        var versions = Self.versions()
        var gone = Self.record("3", [:])
        gone.deleted = true
        versions.saved(gone)
        let both = Self.record("2", ["t": Self.text, "u": Field(.string("z"))])
        #expect(versions.untouchedField(in: RecordOperation(.update, both)) == nil)
    }
}
