import CloudKitWire
import Testing
import WireCoding

@Suite("Messages about zones and changes (protocol §3.4, §3.5, §3.7)")
struct ZoneMessageTests {
    static let folder = ZoneID(zoneName: "Folder", ownerRecordName: "_0123ef", zoneType: "REGULAR_CUSTOM_ZONE")

    static let fixtures = [
        Fixture(
            "zones/list, answer",
            #"""
            { "zones": [
              { "zoneID": { "zoneName": "_defaultZone", "ownerRecordName": "_0123ef", "zoneType": "DEFAULT_ZONE" }, "atomic": false },
              { "zoneID": { "zoneName": "Folder", "ownerRecordName": "_0123ef", "zoneType": "REGULAR_CUSTOM_ZONE" },
                "syncToken": "HwoECAEY", "atomic": true } ] }
            """#,
            ZonesResponse(zones: [
                .success(
                    Zone(
                        zoneID: ZoneID(
                            zoneName: "_defaultZone", ownerRecordName: "_0123ef", zoneType: "DEFAULT_ZONE"),
                        atomic: false)),
                .success(Zone(zoneID: folder, syncToken: "HwoECAEY", atomic: true)),
            ])),
        Fixture(
            "zones/lookup, request", #"{ "zones": [ { "zoneName": "Folder" }, { "zoneName": "Nope" } ] }"#,
            ZonesLookupRequest(zones: [ZoneID(zoneName: "Folder"), ZoneID(zoneName: "Nope")])),
        Fixture(
            "zones/lookup, answer",
            #"{ "zones": [ { "zoneID": { "zoneName": "Nope" }, "serverErrorCode": "ZONE_NOT_FOUND", "reason": "Zone 'Nope' does not exist" } ] }"#,
            {
                var error = ErrorDictionary(.zoneNotFound, reason: "Zone 'Nope' does not exist")
                error.zoneID = ZoneID(zoneName: "Nope")
                return ZonesResponse(zones: [.failure(error)])
            }()),
        Fixture(
            "zones/modify, request",
            #"""
            { "operations": [ { "operationType": "create", "zone": { "zoneID": { "zoneName": "Folder" } } },
                              { "operationType": "delete", "zone": { "zoneID": { "zoneName": "Old" } } } ] }
            """#,
            ZonesModifyRequest(operations: [
                ZoneOperation(.create, ZoneID(zoneName: "Folder")), ZoneOperation(.delete, ZoneID(zoneName: "Old")),
            ])),
        Fixture(
            "zones/modify, answer", #"{ "zones": [ { "zoneID": { "zoneName": "Old" }, "deleted": true } ] }"#,
            ZonesResponse(zones: [.success(Zone(zoneID: ZoneID(zoneName: "Old"), deleted: true))])),
        Fixture("changes/database, first request", "{}", DatabaseChangesRequest()),
        Fixture(
            "changes/database, request", #"{ "syncToken": "AQAAAWk", "resultsLimit": 10 }"#,
            DatabaseChangesRequest(syncToken: "AQAAAWk", resultsLimit: 10)),
        Fixture(
            "changes/database, answer",
            #"""
            { "zones": [ { "zoneID": { "zoneName": "Folder", "ownerRecordName": "_0123ef", "zoneType": "REGULAR_CUSTOM_ZONE" },
                           "syncToken": "AQAAAAA" },
                         { "zoneID": { "zoneName": "Gone", "ownerRecordName": "_0123ef" }, "deleted": true } ],
              "syncToken": "AQAAAWl", "moreComing": false }
            """#,
            DatabaseChangesResponse(
                zones: [
                    ChangedZone(zoneID: folder, syncToken: "AQAAAAA"),
                    ChangedZone(zoneID: ZoneID(zoneName: "Gone", ownerRecordName: "_0123ef"), deleted: true),
                ], syncToken: "AQAAAWl", moreComing: false)),
        Fixture(
            "changes/zone, request",
            #"{ "zones": [ { "zoneID": { "zoneName": "Folder" }, "syncToken": "HwoECAEY", "resultsLimit": 200 } ] }"#,
            ZoneChangesRequest(zones: [
                ZoneChangesQuery(zoneID: ZoneID(zoneName: "Folder"), syncToken: "HwoECAEY", resultsLimit: 200)
            ])),
        Fixture(
            "changes/zone, answer",
            #"""
            { "zones": [ { "zoneID": { "zoneName": "Folder", "ownerRecordName": "_0123ef" },
                "syncToken": "HwoECAIY", "moreComing": true,
                "records": [ { "recordName": "Note/c", "deleted": true } ] },
              { "zoneID": { "zoneName": "Gone" }, "serverErrorCode": "ZONE_NOT_FOUND" } ] }
            """#,
            {
                var error = ErrorDictionary(.zoneNotFound)
                error.zoneID = ZoneID(zoneName: "Gone")
                return ZoneChangesResponse(zones: [
                    .success(
                        ZoneChanges(
                            zoneID: ZoneID(zoneName: "Folder", ownerRecordName: "_0123ef"), syncToken: "HwoECAIY",
                            moreComing: true, records: [.success(RecordMessageTests.gone)])),
                    .failure(error),
                ])
            }()),
    ]

    @Test("Each message is read and written as described", arguments: fixtures)
    func fixture(_ fixture: Fixture) throws {
        try fixture.check()
    }

    @Test("Keys at the top of changes/zone are defaults; a zone's own key wins")
    func defaults() throws {
        let request: ZoneChangesRequest = try decode(
            #"""
            { "zones": [ { "zoneID": { "zoneName": "A" } },
                         { "zoneID": { "zoneName": "B" }, "syncToken": "b", "resultsLimit": 5, "desiredKeys": [],
                           "desiredRecordTypes": ["X"], "reverse": false, "numbersAsStrings": false } ],
              "syncToken": "t", "resultsLimit": 50, "desiredKeys": ["k"], "desiredRecordTypes": ["T"], "reverse": true,
              "numberAsStrings": true }
            """#)
        var (a, b) = (
            ZoneChangesQuery(zoneID: ZoneID(zoneName: "A"), syncToken: "t", resultsLimit: 50),
            ZoneChangesQuery(zoneID: ZoneID(zoneName: "B"), syncToken: "b", resultsLimit: 5)
        )
        (a.desiredKeys, a.desiredRecordTypes, a.reverse, a.numbersAsStrings) = (["k"], ["T"], true, true)
        (b.desiredKeys, b.desiredRecordTypes, b.reverse, b.numbersAsStrings) = ([], ["X"], false, false)
        #expect(request.zones == [a, b])
        #expect(try decode(text(request), as: ZoneChangesRequest.self) == request)
    }

    @Test("An empty token stays one, for the server to decide on")
    func emptyToken() throws {
        #expect(try decode(#"{"syncToken":""}"#, as: DatabaseChangesRequest.self).syncToken == "")
        let request: ZoneChangesRequest = try decode(#"{"zones":[{"zoneID":{},"syncToken":""}],"syncToken":"t"}"#)
        #expect(request.zones == [ZoneChangesQuery(zoneID: ZoneID(zoneName: "_defaultZone"), syncToken: "")])
    }

    @Test("A missing or null moreComing is false", arguments: ["", #","moreComing":null"#])
    func moreComing(_ rest: String) throws {
        #expect(!(try decode(#"{"zones":[],"syncToken":"t"\#(rest)}"#, as: DatabaseChangesResponse.self).moreComing))
        #expect(!(try decode(#"{"zoneID":{},"records":[],"syncToken":"t"\#(rest)}"#, as: ZoneChanges.self).moreComing))
    }

    @Test("A page without its token is refused")
    func missingToken() {
        #expect(throws: WireError("missing required field 'syncToken'")) {
            try decode(#"{"zoneID":{},"records":[]}"#, as: ZoneChanges.self)
        }
        #expect(throws: WireError("zones[1]: 'resultsLimit' must be an integer")) {
            try decode(#"{"zones":[{"zoneID":{}},{"zoneID":{},"resultsLimit":1.5}]}"#, as: ZoneChangesRequest.self)
        }
    }

    @Test("zones/lookup takes the nested form as well")
    func nestedZoneID() throws {
        #expect(
            try decode(#"{"zones":[{"zoneID":{"zoneName":"A"}}]}"#, as: ZonesLookupRequest.self)
                == ZonesLookupRequest(zones: [ZoneID(zoneName: "A")]))
    }
}
