import CloudKitWire
import Testing

@testable import SyncCommands

@Suite("Who takes part in a share, after `zonefolder share`")
struct ShareChangeTests {
    /// A share with its owner, somebody who has accepted, and somebody who has not.
    private static let existing: RecordSharing = {
        var owner = ShareParticipant(permission: .readWrite)
        (owner.participantID, owner.kind, owner.givenName) = ("1", .owner, "ada")
        var bob = ShareParticipant(inviting: UserLookupInfo(emailAddress: "bob@example.com"), permission: .readOnly)
        (bob.participantID, bob.kind, bob.acceptance) = ("2", .user, .accepted)
        var cleo = ShareParticipant(inviting: UserLookupInfo(phoneNumber: "5550100"), permission: .readOnly)
        (cleo.participantID, cleo.kind, cleo.acceptance) = ("3", .user, .invited)
        var sharing = RecordSharing()
        sharing.participants = [owner, bob, cleo]
        sharing.publicPermission = SharePermission.none
        return sharing
    }()

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var change: ShareChange
        /// Lookup or ID, and permission, of everyone in the list that is sent; `nil`: none is sent.
        var expected: [String]?
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "opening alone gives everyone again, also who has not accepted yet",
            change: ShareChange(open: .readWrite), expected: ["1 READ_WRITE", "2 READ_ONLY", "3 READ_ONLY"]),
        Case(
            name: "what is open already leaves the list alone", change: ShareChange(open: SharePermission.none),
            expected: nil),
        Case(
            name: "who is invited is added",
            change: ShareChange(invite: ["dora@example.com", "_0f"], allow: .readWrite),
            expected: [
                "1 READ_WRITE", "2 READ_ONLY", "3 READ_ONLY", "dora@example.com READ_WRITE", "_0f READ_WRITE",
            ]),
        Case(
            name: "who is there already gets the new permission",
            change: ShareChange(invite: ["bob@example.com"], allow: .readWrite),
            expected: ["1 READ_WRITE", "2 READ_WRITE", "3 READ_ONLY"]),
        Case(
            name: "who is taken out is missing", change: ShareChange(remove: ["5550100"]),
            expected: ["1 READ_WRITE", "2 READ_ONLY"]),
    ]

    @Test("Who is invited once more, without a word on what they may, goes on with that")
    func invitedAgain() throws {
        var sharing = Self.existing
        sharing.participants = try ShareChange(invite: ["bob@example.com"], allow: .readWrite).applied(to: sharing)
            .participants
        let again = try ShareChange(invite: ["bob@example.com"]).applied(to: sharing)
        #expect(again.participants?.map(\.permission) == [.readWrite, .readWrite, .readOnly])
    }

    @Test("The list that is sent holds everyone who stays", arguments: cases)
    func lists(_ example: Case) throws {
        let sharing = try example.change.applied(to: Self.existing)
        #expect(
            sharing.participants?.map { one in
                let name = one.participantID ?? one.lookupInfo?.emailAddress ?? one.lookupInfo?.userRecordName ?? "?"
                return "\(name) \(one.permission?.rawValue ?? "?")"
            } == example.expected)
        #expect(sharing.publicPermission == example.change.open && sharing.createShortGUID == nil)
    }

    @Test("The owner cannot be taken out, and who is not there either", arguments: ["ada", "nobody@example.com"])
    func noParticipant(name: String) {
        #expect(throws: CommandFailure.self) { try ShareChange(remove: [name]).applied(to: Self.existing) }
    }

    @Test("A new share asks for a short GUID")
    func newShare() throws {
        let sharing = try ShareChange(open: .readOnly).applied(to: nil)
        #expect(sharing.createShortGUID == true && sharing.participants == nil)
    }

    @Test("Everyone is named by what they are known by, with what they may do")
    func text() {
        var share = Record(recordName: "s", recordType: RecordSharing.recordType)
        share.sharing = Self.existing
        #expect(
            ShareText.lines(of: share) == [
                "Only those who are invited may read it.", "    ada: the owner", "    bob@example.com: reads only",
                "    5550100: reads only, has not accepted yet",
            ])
    }

    @Test("Who is known by a user record name alone is somebody, and by all of it only where one has to type it")
    func nameless() throws {
        let (ada, eve) = ("_83b1c86b62ca384bab48c5a30ad36986", "_fef7e9c5863741eb2076709fd10e9050")
        var owner = ShareParticipant(permission: .readWrite)
        (owner.kind, owner.userRecordName) = (.owner, ada)
        var guest = ShareParticipant(inviting: UserLookupInfo(userRecordName: eve), permission: .readOnly)
        (guest.kind, guest.acceptance) = (.user, .accepted)
        var named = ShareParticipant(permission: .readWrite)
        (named.kind, named.acceptance, named.userRecordName) = (.user, .accepted, "_0")
        (named.givenName, named.familyName) = ("Bob", "Bell")
        var share = Record(recordName: "s", recordType: RecordSharing.recordType)
        var sharing = RecordSharing()
        sharing.participants = [owner, guest, named]
        share.sharing = sharing
        #expect(
            ShareText.lines(of: share).dropFirst() == [
                "    somebody (_83b1c8…): the owner", "    somebody (\(eve)): reads only",
                "    Bob Bell: reads and changes",
            ])
        // By what is shown, they are taken out.
        for shown in [eve, "Bob Bell"] {
            #expect(try ShareChange(remove: [shown]).applied(to: sharing).participants?.count == 2)
        }
    }
}
