import CloudKitWire
import Testing

@testable import WireCoding

/// Shares as records and as `records/resolve` and `records/accept` speak of them (protocol §3.1, §3.12, §4).
@Suite("Share messages")
struct ShareMessageTests {
    static let fixtures: [Fixture] = [
        Fixture(
            "a request to share a hierarchy with one person",
            #"""
            {"recordType":"cloudkit.share","fields":{},
             "forRecord":{"recordName":"root","recordChangeTag":"1e"},"publicPermission":"NONE",
             "participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"ada@example.com"}},"permission":"READ_ONLY"}]}
            """#,
            {
                var sharing = RecordSharing()
                sharing.forRecord = SharedRoot(recordName: "root", recordChangeTag: "1e")
                sharing.publicPermission = SharePermission.none
                sharing.participants = [
                    ShareParticipant(inviting: UserLookupInfo(emailAddress: "ada@example.com"), permission: .readOnly)
                ]
                return share(nil, sharing)
            }()),
        Fixture(
            "a share of a whole zone, as an answer has it",
            #"""
            {"recordName":"cloudkit.zoneshare","recordType":"cloudkit.share","fields":{},"shortGUID":"0abc",
             "publicPermission":"READ_WRITE",
             "participants":[{"participantId":"p1","userIdentity":{"userRecordName":"_1","nameComponents":{"givenName":"Ada"}},
               "type":"OWNER","acceptanceStatus":"ACCEPTED","permission":"READ_WRITE"}],
             "currentUserParticipant":{"participantId":"p2","userIdentity":{"userRecordName":"_2"},"type":"PUBLIC_USER",
               "acceptanceStatus":"ACCEPTED","permission":"READ_ONLY"}}
            """#,
            {
                var owner = ShareParticipant(permission: .readWrite)
                (owner.participantID, owner.userRecordName, owner.givenName) = ("p1", "_1", "Ada")
                (owner.kind, owner.acceptance) = (.owner, .accepted)
                var caller = ShareParticipant(permission: .readOnly)
                (caller.participantID, caller.userRecordName) = ("p2", "_2")
                (caller.kind, caller.acceptance) = (.publicUser, .accepted)
                var sharing = RecordSharing()
                sharing.shortGUID = "0abc"
                sharing.publicPermission = .readWrite
                sharing.participants = [owner]
                sharing.currentUserParticipant = caller
                return share(RecordSharing.zoneWideShareName, sharing)
            }()),
        Fixture(
            "a record that is shared",
            #"""
            {"recordName":"root","share":{"recordName":"s","zoneID":{"zoneName":"Z","ownerRecordName":"_1"}},
             "createShortGUID":true}
            """#,
            {
                var record = Record(recordName: "root")
                record.share = ShareReference(
                    recordName: "s", zoneID: ZoneID(zoneName: "Z", ownerRecordName: "_1"))
                record.sharing = RecordSharing()
                record.sharing?.createShortGUID = true
                return record
            }()),
        Fixture(
            "a short GUID inside a stable URL, and words that are still to come",
            #"""
            {"recordName":"s","stableUrl":{"shortGUID":"0abc","displayedHostname":"www.example.com"},
             "publicPermission":"READ_ALOUD"}
            """#,
            {
                var record = Record(recordName: "s")
                record.sharing = RecordSharing()
                record.sharing?.shortGUID = "0abc"
                record.sharing?.publicPermission = .unknown
                return record
            }(), written: #"{"recordName":"s","shortGUID":"0abc","publicPermission":"UNKNOWN"}"#),
        Fixture(
            "a request for two shares",
            #"{"shortGUIDs":[{"value":"0abc"},{"value":"0def","shouldFetchRootRecord":true,"rootRecordDesiredKeys":["t"]}]}"#,
            SharesRequest(shortGUIDs: [
                ShortGUID("0abc"), ShortGUID("0def", shouldFetchRootRecord: true, rootRecordDesiredKeys: ["t"]),
            ])),
        Fixture(
            "an answer with a share and one that there is not",
            #"""
            {"results":[
             {"shortGUID":{"value":"0abc"},"containerIdentifier":"iCloud.example","environment":"development",
              "databaseScope":"SHARED","zoneID":{"zoneName":"Z","ownerRecordName":"_1"},"rootRecordName":"root",
              "ownerIdentity":{"userRecordName":"_1"},"participantStatus":"INVITED","participantPermission":"READ_ONLY",
              "participantType":"USER"},
             {"shortGUID":{"value":"0def"},"serverErrorCode":"NOT_FOUND","reason":"short GUID not found"}]}
            """#,
            {
                var found = ShareMetadata(
                    shortGUID: ShortGUID("0abc"), container: "iCloud.example", environment: "development",
                    databaseScope: "SHARED", zoneID: ZoneID(zoneName: "Z", ownerRecordName: "_1"))
                found.rootRecordName = "root"
                found.ownerIdentity = UserIdentity(userRecordName: "_1")
                found.participantStatus = .invited
                found.participantPermission = .readOnly
                found.participantType = .user
                var missing = ErrorDictionary(.notFound, reason: "short GUID not found")
                missing.shortGUID = ShortGUID("0def")
                return SharesResponse(results: [.success(found), .failure(missing)])
            }()),
    ]

    private static func share(_ name: String?, _ sharing: RecordSharing) -> Record {
        var record = Record(recordName: name, recordType: RecordSharing.recordType)
        record.sharing = sharing
        return record
    }

    @Test("Each message is read and written as described", arguments: fixtures)
    func fixture(_ fixture: Fixture) throws {
        try fixture.check()
    }

    @Test("A bare short GUID is taken as one, too")
    func bareShortGUID() throws {
        let answer = try SharesResponse.decode(
            Array(#"{"results":[{"shortGUID":"0def","serverErrorCode":"NOT_FOUND"}]}"#.utf8))
        guard case .failure(let error)? = answer.results.first else { throw TestFailure() }
        #expect(error.shortGUID == ShortGUID("0def"))
    }

    private struct TestFailure: Error {}
}
