import GRDB
import Testing

@testable import CloudKitServer

@Suite("What people who share a zone cannot do to each other")
struct SharingGuardTests {
    private func reference(_ target: String, _ action: String, zone: String? = nil) -> String {
        let zone = zone.map { #","zoneID":\#($0)"# } ?? ""
        return
            #""fields":{"ref":{"value":{"recordName":"\#(target)","action":"\#(action)"\#(zone)},"type":"REFERENCE"}}"#
    }

    @Test(
        "A reference with an action stays in the shared zone, whoever's the other zone is",
        arguments: ["VALIDATE", "DELETE_SELF"])
    func referencesStay(action: String) async throws {
        try await withSharing { world in
            try await world.plant([("a", nil)])
            let share = try await world.share("create", #""publicPermission":"READ_WRITE""#)
            let guid = try #require(share["shortGUID"].string)
            _ = try await world.ask(world.bob, guid)
            // Cleo's zone, which Bob may only read.
            try await world.cleo.makeZone("Cleos")
            _ = try await world.cleo.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"t"}}"#, zone: "Cleos")
            let cleos = try await world.cleo.modify(
                #"{"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"cloudkit.zoneshare","publicPermission":"READ_ONLY"}}"#,
                zone: "Cleos")
            let cleosGUID = try #require(cleos["records"][0]["shortGUID"].string)
            _ = try await world.ask(world.bob, cleosGUID)
            let zone = #"{"zoneName":"Cleos","ownerRecordName":"\#(world.cleo.user.userRecordName)"}"#
            let refused = try await world.modify(
                world.bob, "create", #""recordName":"x","recordType":"Note","# + reference("t", action, zone: zone))
            #expect(refused["serverErrorCode"].string == "ACCESS_DENIED", "\(refused.text)")
            let gone = try await world.cleo.modify(
                #"{"operationType":"forceDelete","record":{"recordName":"t"}}"#, zone: "Cleos")
            #expect(gone["records"][0]["deleted"].bool == true)
            #expect(try await world.changes(world.bob).names == ["a", "cloudkit.zoneshare"])
        }
    }

    @Test("A participant edits a record that refers to another zone of its owner, without touching that reference")
    func keptReferences() async throws {
        try await withSharing { world in
            try await world.ada.makeZone("Work")
            _ = try await world.ada.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"t"}}"#, zone: "Work")
            let made = try await world.ada.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"x",\#(reference("t", "DELETE_SELF", zone: #"{"zoneName":"Work"}"#))}}"#
            )
            #expect(made["records"][0]["serverErrorCode"].isAbsent, "\(made.text)")
            let share = try await world.share("create", #""publicPermission":"READ_WRITE""#)
            let guid = try #require(share["shortGUID"].string)
            _ = try await world.ask(world.bob, guid)
            let saved = try await world.modify(
                world.bob, "forceUpdate", #""recordName":"x","recordType":"Note","fields":{"text":{"value":"y"}}"#)
            #expect(saved["fields"]["text"]["value"].string == "y", "\(saved.text)")
            // And it still goes with its target, which Bob's feed tells.
            let token = try await world.changes(world.bob).token
            let database = try #require(try await world.shared(world.bob, "changes/database")["syncToken"].string)
            _ = try await world.ada.modify(
                #"{"operationType":"forceDelete","record":{"recordName":"t"}}"#, zone: "Work")
            let changed = try await world.shared(world.bob, "changes/database", #"{"syncToken":"\#(database)"}"#)
            #expect(changed["zones"].items.map { $0["zoneID"]["zoneName"].string } == ["Folder"])
            #expect(try await world.changes(world.bob, since: token).names == ["-x"])
        }
    }

    @Test("A shared root that goes with a record of another zone is told to those who saw it")
    func cascadeOverZones() async throws {
        try await withSharing { world in
            try await world.ada.makeZone("Work")
            _ = try await world.ada.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"t"}}"#, zone: "Work")
            _ = try await world.ada.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"root",\#(reference("t", "DELETE_SELF", zone: #"{"zoneName":"Work"}"#))}}"#
            )
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE""#)
            let guid = try #require(share["shortGUID"].string)
            _ = try await world.ask(world.bob, guid)
            let database = try #require(try await world.shared(world.bob, "changes/database")["syncToken"].string)
            _ = try await world.ada.modify(
                #"{"operationType":"forceDelete","record":{"recordName":"t"}}"#, zone: "Work")
            let changed = try await world.shared(world.bob, "changes/database", #"{"syncToken":"\#(database)"}"#)
            #expect(changed["zones"][0]["deleted"].bool == true, "\(changed.text)")
            #expect(try await world.shared(world.bob, "zones/list")["zones"].count == 0)
        }
    }

    /// Bob may write below `root`; `other` and what is below it is none of his business.
    private func withHierarchy(_ body: @Sendable (SharingWorld) async throws -> Void) async throws {
        try await withSharing { world in
            try await world.plant([("root", nil), ("leaf", "root"), ("other", nil), ("secret", "other")])
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE""#)
            let guid = try #require(share["shortGUID"].string)
            _ = try await world.ask(world.bob, guid)
            try await body(world)
        }
    }

    @Test("A participant's reference brings the root down with nothing")
    func rootStays() async throws {
        try await withHierarchy { world in
            let made = try await world.modify(
                world.bob, "create", #""recordName":"new","recordType":"Note","parent":{"recordName":"root"}"#)
            #expect(made["serverErrorCode"].isAbsent, "\(made.text)")
            let bound = try await world.modify(
                world.bob, "forceUpdate", #""recordName":"root","recordType":"Note","# + reference("new", "DELETE_SELF")
            )
            #expect(bound["serverErrorCode"].isAbsent, "\(bound.text)")
            let refused = try await world.modify(world.bob, "forceDelete", #""recordName":"new""#)
            #expect(refused["serverErrorCode"].string == "ACCESS_DENIED", "\(refused.text)")
            #expect(try await world.changes(world.bob).names.sorted() == ["leaf", "new", "root", "s"])
        }
    }

    @Test("Who makes a record of a deleted one's name does not draw in what was below it")
    func orphansStayHidden() async throws {
        try await withHierarchy { world in
            // As data of earlier servers has it: they let a parent be deleted.
            try await world.ada.server.store.writer.write { db in
                try db.execute(sql: "UPDATE records SET type = NULL, fields = NULL WHERE name = 'other'")
            }
            let refused = try await world.modify(
                world.bob, "create", #""recordName":"other","recordType":"Note","parent":{"recordName":"root"}"#)
            #expect(refused["serverErrorCode"].string == "ACCESS_DENIED", "\(refused.text)")
            #expect(try await world.changes(world.bob).names.sorted() == ["leaf", "root", "s"])
        }
    }

    @Test("References tell nothing of hidden records, and bind none", arguments: ["VALIDATE", "DELETE_SELF"])
    func referencesAreBlind(action: String) async throws {
        try await withHierarchy { world in
            var answers: [String] = []
            for target in ["other", "nowhere"] {
                let refused = try await world.modify(
                    world.bob, "create",
                    #""recordName":"x","recordType":"Note","parent":{"recordName":"root"},"#
                        + reference(target, action))
                #expect(refused["serverErrorCode"].string == "VALIDATING_REFERENCE_ERROR", "\(refused.text)")
                answers.append(refused.description.replacing(target, with: "…"))
            }
            #expect(answers[0] == answers[1])
        }
    }

    @Test("All zones of a shared database are asked page by page, in whatever order they were accepted")
    func pagesOverZones() async throws {
        try await withSharing { world in
            try await world.plant([("a", nil), ("b", nil)])
            try await world.cleo.makeZone("Cleos")
            for name in ["c", "d"] {
                _ = try await world.cleo.modify(
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)","fields":{"text":{"value":"x"}}}}"#,
                    zone: "Cleos")
            }
            let cleos = try await world.cleo.modify(
                #"{"operationType":"create","record":{"recordType":"cloudkit.share","recordName":"cloudkit.zoneshare","publicPermission":"READ_ONLY"}}"#,
                zone: "Cleos")
            let adas = try await world.share("create", #""publicPermission":"READ_ONLY""#)
            // The younger zone first.
            for share in [cleos["records"][0], adas] {
                let guid = try #require(share["shortGUID"].string)
                _ = try await world.ask(world.bob, guid)
            }
            var found: [String] = []
            var marker = ""
            for _ in 0..<6 {
                let page = try await world.shared(
                    world.bob, "records/query",
                    #"{"zoneWide":true,"resultsLimit":1\#(marker),"query":{"recordType":"Note","filterBy":[{"comparator":"NOT_EQUALS","fieldName":"text","fieldValue":{"value":"?"}}]}}"#
                )
                found += page["records"].items.compactMap { $0["recordName"].string }
                guard let next = page["continuationMarker"].string else { break }
                marker = #","continuationMarker":"\#(next)""#
            }
            #expect(found == ["a", "b", "c", "d"])
        }
    }

    @Test("Whoever has not accepted sees of the others the owner alone")
    func strangersAmongThemselves() async throws {
        try await withSharing { world in
            let invited = ["bob@example.com", "cleo@example.com"].map {
                #"{"userIdentity":{"lookupInfo":{"emailAddress":"\#($0)"}}}"#
            }.joined(separator: ",")
            let share = try await world.share("create", #""participants":[\#(invited)]"#)
            // Not even the owner is told who the server knows.
            #expect(
                share["participants"].items.map { $0["userIdentity"]["userRecordName"].string }.dropFirst() == [
                    nil, nil,
                ])
            let guid = try #require(share["shortGUID"].string)
            let seen = try await world.ask(world.bob, "resolve", guid, "")
            #expect(seen["share"]["participants"].count == 2 && !seen.description.contains("cleo"), "\(seen.text)")
            let joined = try await world.ask(world.bob, guid)
            #expect(joined["share"]["participants"].count == 3)
            #expect(
                joined["share"]["currentUserParticipant"]["userIdentity"]["nameComponents"]["givenName"].string
                    == "bob@example.com")
        }
    }

    @Test("What was shared once is not opened by the old short GUID when it is shared anew")
    func newShortGUID() async throws {
        try await withSharing { world in
            try await world.plant([("root", nil)])
            func share() async throws -> String? {
                try await world.share(
                    "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_ONLY""#)["shortGUID"]
                    .string
            }
            let old = try #require(try await share())
            _ = try await world.ada.modify(#"{"operationType":"forceDelete","record":{"recordName":"s"}}"#)
            let new = try #require(try await share())
            #expect(old != new)
            #expect(try await world.ask(world.bob, old)["serverErrorCode"].string == "NOT_FOUND")
            #expect(try await world.ask(world.bob, new)["participantStatus"].string == "ACCEPTED")
        }
    }

    @Test("However often one share is asked for, the answer stays within its budget, and says what is left out")
    func answerBudget() async throws {
        try await withSharing { world in
            let long = String(repeating: "x", count: 900_000)
            let saved = try await world.ada.modify(
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"root","fields":{"text":{"value":"\#(long)"}}}}"#
            )
            #expect(saved["records"][0]["serverErrorCode"].isAbsent)
            let share = try await world.share("create", "s", #""forRecord":{"recordName":"root"}"#)
            let guid = try #require(share["shortGUID"].string)
            let one = #"{"value":"\#(guid)","shouldFetchRootRecord":true}"#
            let reply = try await world.ada.send(
                "POST", "/database/1/\(TestServer.container)/development/public/records/resolve",
                #"{"shortGUIDs":[\#(Array(repeating: one, count: 200).joined(separator: ","))]}"#)
            #expect(reply.status == 200 && reply.body.count < 20_000_000)
            let roots = reply["results"].items.count { !$0["rootRecord"].isAbsent }
            #expect(roots > 0 && roots < 200 && reply["results"].count == 200)
        }
    }

    @Test("What a participant of a record's share saves tells its owner that it came through that share")
    func origin() async throws {
        try await withSharing { world in
            try await world.plant([("root", nil)])
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE""#)
            _ = try await world.ask(world.bob, try #require(share["shortGUID"].string))
            let (ada, bob) = (world.ada.user.userRecordName, world.bob.user.userRecordName)
            func seen(_ name: String) async throws -> TestJSON {
                try await world.ada.post(
                    "records/lookup", #"{"zoneID":{"zoneName":"Folder"},"records":[{"recordName":"\#(name)"}]}"#)[
                        "records"][0]
            }
            let stamp = #"{"timestamp":1,"userRecordName":"\#(ada)"}"#
            let forged = #","created":\#(stamp),"modified":\#(stamp)"#
            let note = #","recordType":"Note"\#(forged)"#
            for (name, parent) in [("between", "root"), ("below", "between")] {
                let made = try await world.modify(
                    world.bob, "create", #""recordName":"\#(name)","parent":{"recordName":"\#(parent)"}"# + note)
                #expect(made["serverErrorCode"].isAbsent, "\(made.text)")
            }
            let edited = try await world.modify(
                world.bob, "forceUpdate", #""recordName":"root","fields":{"text":{"value":"bob's"}}"# + note)
            #expect(edited["serverErrorCode"].isAbsent, "\(edited.text)")
            let root = try await seen("root")
            #expect(root["share"]["recordName"].string == "s" && root["parent"].isAbsent, "\(root.text)")
            #expect(root["created"]["userRecordName"].string == ada)
            #expect(root["modified"]["userRecordName"].string == bob)
            let below = try await seen("below")
            #expect(below["created"]["userRecordName"].string == bob && below["share"].isAbsent, "\(below.text)")
            // Nor is it cut off by taking away what it hangs below.
            _ = try await world.modify(world.bob, "forceDelete", #""recordName":"between""#)
            let left = try await seen("below")
            #expect(left["parent"]["recordName"].string == "between", "\(left.text)")
        }
    }
}
