import CloudKitClient
import CloudKitWire
import HTTPTypes
import Testing

@testable import WireCoding

@Suite("Zones and their changes (protocol §3.4, §3.5, §3.7)")
struct ZoneRequestTests {
    @Test("zones/list is a GET without a body")
    func listZones() async throws {
        let transport = ScriptedTransport(
            .json(
                #"""
                { "zones": [
                  { "zoneID": { "zoneName": "_defaultZone", "ownerRecordName": "_0", "zoneType": "DEFAULT_ZONE" } },
                  { "zoneID": { "zoneName": "Folder", "ownerRecordName": "_0" }, "syncToken": "HwoE", "atomic": true } ] }
                """#))
        let zones = try await database(transport).listZones()
        #expect(zones.count == 2)
        #expect(transport.requests[0].method == .get)
        #expect(transport.requests[0].bodyLength == 0)
    }

    @Test("An acknowledged delete is a success whatever its shape")
    func modifyZones() async throws {
        let transport = ScriptedTransport(
            .json(#"{ "zones": [ { "zoneID": { "zoneName": "Folder" } }, { "zoneID": { "zoneName": "Old" } } ] }"#))
        let results = try await database(transport).modifyZones([
            ZoneOperation(.create, folder), ZoneOperation(.delete, ZoneID(zoneName: "Old")),
        ])
        #expect(results.allSatisfy { if case .success = $0 { true } else { false } })
    }

    @Test("changes/database: the first request has no token, the next the last one")
    func databaseChanges() async throws {
        let transport = ScriptedTransport(.json(#"{ "zones": [], "syncToken": "AQAA", "moreComing": false }"#))
        let database = database(transport)
        let first = try await database.databaseChanges(since: nil)
        _ = try await database.databaseChanges(since: first.syncToken)
        let sent = try transport.requests.map { try DatabaseChangesRequest.decode(Array($0.text.utf8)).syncToken }
        #expect(sent == [nil, "AQAA"])
    }

    @Test("An empty token never replaces a good one (reliability.md §3)")
    func emptyTokens() async throws {
        let ofDatabase = ScriptedTransport(.json(#"{ "zones": [], "syncToken": "", "moreComing": false }"#))
        let error = await failure { () throws(CloudKitError) in
            try await database(ofDatabase).databaseChanges(since: "t")
        }
        #expect(error?.code == .unexpectedAnswer)
        let ofZone = ScriptedTransport(
            .json(#"{ "zones": [ { "zoneID": { "zoneName": "Folder" }, "syncToken": "", "records": [] } ] }"#))
        var pages: [ItemResult<ZoneChanges>] = []
        let zoneError = await failure { () throws(CloudKitError) in
            pages = try await database(ofZone).zoneChanges([ZoneChangesQuery(zoneID: folder, syncToken: "t")])
        }
        // Refused as a whole or for that zone: both keep the token that was sent.
        #expect(zoneError != nil || pages.allSatisfy { if case .failure = $0 { true } else { false } })
    }

    @Test(
        "A bad token is the zone's error, and is dropped",
        arguments: ["Unknown sync continuation type", "Invalid continuation format"])
    func badToken(reason: String) async throws {
        let transport = ScriptedTransport(
            .json(
                #"""
                { "zones": [ { "zoneID": { "zoneName": "Folder" }, "serverErrorCode": "BAD_REQUEST",
                               "reason": "\#(reason)", "syncToken": "" } ] }
                """#))
        let pages = try await database(transport).zoneChanges([ZoneChangesQuery(zoneID: folder, syncToken: "t")])
        guard case .failure(let error) = pages[0] else {
            Issue.record("\(pages)")
            return
        }
        #expect(error.reaction(of: .zoneChanges, hadToken: true) == .refetch)
    }

    @Test("One zone's error leaves the other zones' pages (S0.25)")
    func zonesApart() async throws {
        let transport = ScriptedTransport(
            .json(
                #"""
                { "zones": [
                  { "zoneID": { "zoneName": "Gone" }, "serverErrorCode": "ZONE_NOT_FOUND", "reason": "no such zone" },
                  { "zoneID": { "zoneName": "Folder" }, "syncToken": "t2", "moreComing": true,
                    "records": [ { "recordName": "Note/c", "deleted": true } ] } ] }
                """#))
        let pages = try await database(transport).zoneChanges([
            ZoneChangesQuery(zoneID: ZoneID(zoneName: "Gone")), ZoneChangesQuery(zoneID: folder, syncToken: "t1"),
        ])
        guard case .failure(let error) = pages[0], case .success(let page) = pages[1] else {
            Issue.record("\(pages)")
            return
        }
        #expect(error.reaction(of: .zoneChanges) == .recreate(.zone))
        #expect(page.moreComing && page.records.count == 1)
    }
}
