import CloudKitWire
import StateRows
import StateStorage
import SyncModel
import Testing

@testable import FolderKnowledge

@Suite("What shares allow")
struct ZoneSharingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var shares: [ZoneShare]
        var isReadOnly = false
        var parent: String?
    }

    private static func share(_ name: String, _ permission: ZoneShare.Permission?, root: String? = nil) -> ZoneShare {
        ZoneShare(name: RecordName(name), permission: permission, root: root.map { RecordName($0) })
    }

    @Test(
        "A zone is read-only where nothing in it may be changed; new records hang below what may be",
        arguments: [
            Row(testDescription: "no share is known", shares: []),
            Row(testDescription: "the zone, to write", shares: [share("cloudkit.zoneshare", .readWrite)]),
            Row(
                testDescription: "the zone, to read", shares: [share("cloudkit.zoneshare", .readOnly)], isReadOnly: true
            ),
            Row(testDescription: "a hierarchy, to write", shares: [share("s", .readWrite, root: "top")], parent: "top"),
            Row(
                testDescription: "a hierarchy, to read", shares: [share("s", .readOnly, root: "top")], isReadOnly: true),
            Row(testDescription: "only the shared record came", shares: [share("s", nil, root: "top")], parent: "top"),
            Row(testDescription: "only the share came", shares: [share("s", .readWrite)]),
            Row(
                testDescription: "one to read, two to write",
                shares: [
                    share("a", .readOnly, root: "1"), share("c", .readWrite, root: "3"),
                    share("b", .readWrite, root: "2"),
                ],
                parent: "2"),
            Row(
                testDescription: "two to read",
                shares: [share("a", .readOnly, root: "1"), share("b", .readOnly, root: "2")], isReadOnly: true),
        ])
    func allowed(_ row: Row) {
        let sharing = ZoneSharing(row.shares)
        #expect(sharing.isReadOnly == row.isReadOnly)
        #expect(sharing.parentOfNew == row.parent.map { RecordName($0) })
    }

    @Test("A share's own word counts, then what everyone may do; unknown words change nothing")
    func learnt() {
        var record = Record(recordName: "s", recordType: RecordSharing.recordType, recordChangeTag: "1")
        #expect(ZoneShare(learntFrom: record) == Self.share("s", nil))
        record.sharing = RecordSharing()
        record.sharing?.publicPermission = .readWrite
        record.sharing?.forRecord = SharedRoot(recordName: "top")
        #expect(ZoneShare(learntFrom: record) == Self.share("s", .readWrite, root: "top"))
        for (given, permission) in [
            (SharePermission.readOnly, ZoneShare.Permission.readOnly), (.none, .readOnly), (.readWrite, .readWrite),
        ] {
            record.sharing?.currentUserParticipant = ShareParticipant(permission: given)
            #expect(ZoneShare(learntFrom: record) == Self.share("s", permission, root: "top"))
        }
        record.sharing?.currentUserParticipant = ShareParticipant(permission: .unknown)
        var sharing = ZoneSharing([Self.share("s", .readOnly, root: "top")])
        sharing.put([ZoneShare(learntFrom: record)].compactMap(\.self))
        #expect(sharing.isReadOnly)
        sharing.remove([RecordName("s")])
        #expect(sharing == ZoneSharing())

        var top = Record(recordName: "top", recordType: "List", recordChangeTag: "1")
        #expect(ZoneShare(learntFrom: top) == nil)
        top.share = ShareReference(recordName: "s")
        #expect(ZoneShare(learntFrom: top) == Self.share("s", nil, root: "top"))
    }
}
