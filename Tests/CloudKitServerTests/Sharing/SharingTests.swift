import CloudKitServer
import Testing

@Suite("Shares and the shared database (protocol §1, §3.1, §3.12, §4)")
struct SharingTests {
    @Test("A zone that is open to everyone is read by whoever has its short GUID, and written once that is allowed")
    func openZone() async throws {
        try await withSharing { world in
            try await world.plant([("a", nil), ("b", nil)])
            let share = try await world.share(
                "create", #""publicPermission":"READ_ONLY","fields":{"cloudkit.title":{"value":"My notes"}}"#)
            #expect(share["participants"][0]["type"].string == "OWNER")
            let guid = try #require(share["shortGUID"].string)
            #expect(guid.utf8.count == 23)

            let resolved = try await world.ask(world.bob, "resolve", guid, "")
            #expect(resolved["shortGUID"]["value"].string == guid && resolved["databaseScope"].string == "SHARED")
            #expect(resolved["share"]["fields"]["cloudkit.title"]["value"].string == "My notes")
            #expect(resolved["ownerIdentity"]["nameComponents"]["givenName"].string == "ada")
            #expect(resolved["participantStatus"].string == "INVITED" && resolved["rootRecordName"].isAbsent)
            #expect(try await world.shared(world.bob, "zones/list")["zones"].count == 0)

            let accepted = try await world.ask(world.bob, guid)
            #expect(accepted["participantStatus"].string == "ACCEPTED")
            #expect(accepted["participantType"].string == "PUBLIC_USER")
            #expect(accepted["participantPermission"].string == "READ_ONLY")
            let zones = try await world.shared(world.bob, "zones/list")["zones"]
            #expect(zones[0]["zoneID"]["ownerRecordName"].string == world.ada.user.userRecordName)
            let changed = try await world.shared(world.bob, "changes/database")
            #expect(changed["zones"][0]["zoneID"]["zoneName"].string == "Folder")
            let (names, token) = try await world.changes(world.bob)
            #expect(names == ["a", "b", "cloudkit.zoneshare"])

            let edit = #""recordName":"a","fields":{"text":{"value":"bob's"}}"#
            let refused = try await world.modify(world.bob, "forceUpdate", edit + #","recordType":"Note""#)
            #expect(refused["serverErrorCode"].string == "ACCESS_DENIED")
            let tag = try await world.ada.post(
                "records/lookup", #"{"zoneID":{"zoneName":"Folder"},"records":[{"recordName":"cloudkit.zoneshare"}]}"#)[
                    "records"][0]["recordChangeTag"].string
            _ = try await world.share("update", #""publicPermission":"READ_WRITE","recordChangeTag":"\#(tag ?? "")""#)
            #expect(try await world.changes(world.bob, since: token).names == ["cloudkit.zoneshare"])
            let saved = try await world.modify(world.bob, "forceUpdate", edit + #","recordType":"Note""#)
            #expect(saved["modified"]["userRecordName"].string == world.bob.user.userRecordName)
            #expect(saved["created"]["userRecordName"].string == world.ada.user.userRecordName)
            let seen = try await world.ada.changes()
            #expect(
                seen["records"].items.contains { $0["fields"]["text"]["value"].string == "bob's" }, "\(seen.text)")
        }
    }

    @Test("Who is invited comes in by the address that is their name; nobody else learns that there is a share")
    func invitation() async throws {
        try await withSharing { world in
            try await world.plant([("a", nil)])
            let share = try await world.share(
                "create",
                #""participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"bob@example.com"}},"permission":"READ_WRITE"},{"userIdentity":{"lookupInfo":{"emailAddress":"stranger@example.com"}}}]"#
            )
            #expect(share["publicPermission"].string == "NONE")
            #expect(
                share["participants"].items.map { $0["acceptanceStatus"].string } == ["ACCEPTED", "INVITED", "INVITED"])
            let guid = try #require(share["shortGUID"].string)
            for operation in ["resolve", "accept"] {
                let refused = try await world.ask(world.cleo, operation, guid, "")
                let unknown = try await world.ask(world.cleo, operation, "0AAAAAAAAAAAAAAAAAAAAAA", "")
                #expect(
                    refused["serverErrorCode"].string == "NOT_FOUND" && refused["shortGUID"]["value"].string == guid)
                #expect(refused["reason"].string == unknown["reason"].string)
            }
            #expect(try await world.ask(world.bob, guid)["participantType"].string == "USER")
            #expect(try await world.modify(world.bob, "forceDelete", #""recordName":"a""#)["deleted"].bool == true)
            // Twice is once.
            #expect(try await world.ask(world.bob, guid)["participantStatus"].string == "ACCEPTED")
            #expect(try await world.ask(world.ada, guid)["databaseScope"].string == "PRIVATE")
        }
    }

    @Test("Whoever is taken out, leaves, or loses share or zone is told that the zone is gone", arguments: 0..<5)
    func end(way: Int) async throws {
        try await withSharing { world in
            try await world.plant([("a", nil)])
            let share = try await world.share("create", #""publicPermission":"READ_ONLY""#)
            let guid = try #require(share["shortGUID"].string)
            _ = try await world.ask(world.bob, guid)
            let database = try #require(try await world.shared(world.bob, "changes/database")["syncToken"].string)
            let tag = try await world.ask(world.bob, guid)["share"]["recordChangeTag"].string ?? ""
            let name = "cloudkit.zoneshare"
            switch way {
            case 0: _ = try await world.share("update", #""participants":[],"recordChangeTag":"\#(tag)""#)
            case 1: _ = try await world.share("update", #""publicPermission":"NONE","recordChangeTag":"\#(tag)""#)
            case 2:
                _ = try await world.ada.modify(
                    #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#)
            case 3: _ = try await world.modify(world.bob, "forceDelete", #""recordName":"\#(name)""#)
            default:
                _ = try await world.ada.post(
                    "zones/modify",
                    #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"Folder"}}}]}"#)
            }
            let changed = try await world.shared(world.bob, "changes/database", #"{"syncToken":"\#(database)"}"#)
            #expect(changed["zones"].count == 1 && changed["zones"][0]["deleted"].bool == true, "\(changed.text)")
            let gone = try await world.modify(world.bob, "forceUpdate", #""recordName":"a","recordType":"Note""#)
            #expect(gone["serverErrorCode"].string == "ZONE_NOT_FOUND")
            #expect(try await world.shared(world.bob, "zones/list")["zones"].count == 0)
            if way < 4 {
                // What Ada has is untouched.
                #expect(try await world.ada.changes()["records"].items.contains { $0["recordName"].string == "a" })
            }
        }
    }

    @Test(
        "Who leaves can come back: whoever was invited, and whoever came by the link of an open share",
        arguments: [true, false])
    func leaveAndReturn(isInvited: Bool) async throws {
        try await withSharing { world in
            try await world.plant([("a", nil)])
            let who =
                #""participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"bob@example.com"}},"permission":"READ_WRITE"}]"#
            let share = try await world.share("create", isInvited ? who : #""publicPermission":"READ_WRITE""#)
            let guid = try #require(share["shortGUID"].string)
            func participants() async throws -> [String?] {
                try await world.ask(world.ada, guid)["share"]["participants"].items.map {
                    $0["acceptanceStatus"].string
                }
            }
            for _ in 0..<2 {
                #expect(try await world.ask(world.bob, guid)["participantPermission"].string == "READ_WRITE")
                #expect(try await world.shared(world.bob, "zones/list")["zones"].count == 1)
                #expect(try await participants() == ["ACCEPTED", "ACCEPTED"])
                let left = try await world.modify(world.bob, "forceDelete", #""recordName":"cloudkit.zoneshare""#)
                #expect(left["deleted"].bool == true)
                #expect(try await world.shared(world.bob, "zones/list")["zones"].count == 0)
                #expect(try await participants() == (isInvited ? ["ACCEPTED", "INVITED"] : ["ACCEPTED"]))
            }
        }
    }

    @Test("Of a hierarchy only what hangs below its root is seen, in lookups, queries and the feed")
    func hierarchy() async throws {
        try await withSharing { world in
            try await world.plant([
                ("root", nil), ("leaf", "root"), ("other", nil), ("deep", "leaf"), ("far", "other"),
            ])
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE""#)
            let metadata = try await world.ask(
                world.bob, "accept", try #require(share["shortGUID"].string), #","shouldFetchRootRecord":true"#)
            #expect(metadata["rootRecordName"].string == "root")
            #expect(metadata["rootRecord"]["fields"]["text"]["value"].string == "root")
            #expect(metadata["rootRecord"]["share"]["recordName"].string == "s")
            var (names, token) = try await world.changes(world.bob)
            #expect(names.sorted() == ["deep", "leaf", "root", "s"])
            let found = try await world.shared(
                world.bob, "records/lookup",
                #"{"zoneID":\#(world.zone),"records":[{"recordName":"leaf"},{"recordName":"other"}]}"#)["records"]
            #expect(found[0]["fields"]["text"]["value"].string == "leaf")
            #expect(found[1]["serverErrorCode"].string == "NOT_FOUND")
            let queried = try await world.shared(
                world.bob, "records/query",
                #"{"zoneID":\#(world.zone),"query":{"recordType":"Note","filterBy":[{"comparator":"NOT_EQUALS","fieldName":"text","fieldValue":{"value":"x"}}]}}"#
            )
            #expect(
                queried["records"].items.map { $0["recordName"].string } == ["deep", "leaf", "root"], "\(queried.text)")

            // Branches that move in and out come and go whole, with their tags as they were.
            let far = try await world.ada.modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"other","parent":{"recordName":"root"}}}"#
            )
            #expect(far["records"][0]["serverErrorCode"].isAbsent)
            (names, token) = try await world.changes(world.bob, since: token)
            #expect(names.sorted() == ["far", "other"])
            _ = try await world.ada.modify(
                #"{"operationType":"forceReplace","record":{"recordType":"Note","recordName":"leaf"}}"#)
            (names, token) = try await world.changes(world.bob, since: token)
            #expect(names.sorted() == ["-deep", "-leaf"])
            _ = try await world.ada.modify(
                #"{"operationType":"forceDelete","record":{"recordName":"other"}},{"operationType":"forceDelete","record":{"recordName":"far"}}"#
            )
            (names, token) = try await world.changes(world.bob, since: token)
            #expect(names.sorted() == ["-far", "-other"])
        }
    }

    @Test("In a hierarchy a participant adds below what is shared, moves nothing out, and keeps the root")
    func participantsWrites() async throws {
        try await withSharing { world in
            try await world.plant([("root", nil), ("leaf", "root"), ("other", nil)])
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_WRITE""#)
            let guid = try #require(share["shortGUID"].string)
            _ = try await world.ask(world.bob, guid)
            func code(_ kind: String, _ record: String) async throws -> String? {
                try await world.modify(world.bob, kind, record)["serverErrorCode"].string
            }
            let note = #","recordType":"Note""#
            #expect(try await code("create", #""recordName":"new""# + note) == "ACCESS_DENIED")
            #expect(
                try await code("create", #""recordName":"new","parent":{"recordName":"other"}"# + note)
                    == "ACCESS_DENIED")
            #expect(try await code("create", #""recordName":"new","parent":{"recordName":"leaf"}"# + note) == nil)
            #expect(
                try await code("forceUpdate", #""recordName":"new","parent":{"recordName":"other"}"# + note)
                    == "ACCESS_DENIED")
            #expect(try await code("forceReplace", #""recordName":"leaf""# + note) == "ACCESS_DENIED")
            #expect(try await code("forceUpdate", #""recordName":"root""# + note) == nil)
            #expect(try await code("forceDelete", #""recordName":"root""#) == "ACCESS_DENIED")
            #expect(try await code("forceUpdate", #""recordName":"other""# + note) == "ACCESS_DENIED")
            // What is out of sight is not there, and says nothing of itself.
            #expect(try await code("forceDelete", #""recordName":"other""#) == nil)
            #expect(try await code("update", #""recordName":"other","recordChangeTag":"1""#) == "NOT_FOUND")
            #expect(try await code("update", #""recordName":"nowhere","recordChangeTag":"1""#) == "NOT_FOUND")
            // What is wrong with the tag is said first, in the words of everywhere.
            #expect(try await code("update", #""recordName":"leaf","recordChangeTag":"zz""#) == "CONFLICT")
            #expect(try await code("replace", #""recordName":"leaf","recordChangeTag":"zz""#) == "CONFLICT")
            #expect(try await code("create", #""recordName":"leaf""# + note) == "CONFLICT")
            #expect(try await code("forceDelete", #""recordName":"leaf""#) == "VALIDATING_REFERENCE_ERROR")
            let mine = #""recordName":"t","recordType":"cloudkit.share","forRecord":{"recordName":"new"}"#
            #expect(try await code("create", mine) == "ACCESS_DENIED")
            // The root goes only with its owner, and the share goes with it.
            #expect(try await code("forceDelete", #""recordName":"new""#) == nil)
            #expect(try await code("forceDelete", #""recordName":"leaf""#) == nil)
            _ = try await world.ada.modify(#"{"operationType":"forceDelete","record":{"recordName":"root"}}"#)
            #expect(try await world.shared(world.bob, "zones/list")["zones"].count == 0)
            let rest = try await world.ada.changes()["records"].items.filter { $0["deleted"].bool != true }
            #expect(rest.map { $0["recordName"].string } == ["other"])
        }
    }

    @Test(
        "What cannot be shared says why",
        arguments: [
            (#""recordName":"s","forRecord":{"recordName":"nope"}"#, "NOT_FOUND", "no such record exists to share"),
            (#""recordName":"s""#, "BAD_REQUEST", "forRecord"),
            (#""recordName":"s","forRecord":{"recordName":"a","recordChangeTag":"zz"}"#, "CONFLICT", "oplock"),
            (#""recordName":"s","forRecord":{"recordName":"shared"}"#, "BAD_REQUEST", "shared already"),
            (#""recordName":"s","forRecord":{"recordName":"below"}"#, "BAD_REQUEST", "shared already"),
            (#""recordName":"s","forRecord":{"recordName":"above"}"#, "BAD_REQUEST", "shared already"),
            (#""recordName":"cloudkit.zoneshare""#, "BAD_REQUEST", "shared already"),
            (#""recordName":"s","forRecord":{"recordName":"a"},"publicPermission":"ALL""#, "BAD_REQUEST", "Unknown"),
            (
                #""recordName":"s","forRecord":{"recordName":"a"},"participants":[{"permission":"READ_ONLY"}]"#,
                "BAD_REQUEST", "lookupInfo"
            ),
            (
                #""recordName":"s","forRecord":{"recordName":"a"},"participants":[{"userIdentity":{"lookupInfo":{"emailAddress":"x@y"}},"permission":"NONE"}]"#,
                "BAD_REQUEST", "permission"
            ),
        ])
    func refusals(record: String, code: String, words: String) async throws {
        try await withSharing { world in
            try await world.plant([("a", nil), ("above", nil), ("shared", "above"), ("below", "shared")])
            #expect(
                try await world.share("create", "first", #""forRecord":{"recordName":"shared"}"#)["serverErrorCode"]
                    .isAbsent)
            let before = try await world.ada.changes().text
            let reply = try await world.ada.modify(
                #"{"operationType":"create","record":{"recordType":"cloudkit.share",\#(record)}}"#)
            #expect(reply["records"][0]["serverErrorCode"].string == code, "\(reply.text)")
            #expect(reply["records"][0]["reason"].string?.contains(words) == true, "\(reply.text)")
            #expect(try await world.ada.changes().text == before)
        }
    }

    @Test("A record cannot be above itself", arguments: ["a", "b", "c"])
    func circles(parent: String) async throws {
        try await withSharing { world in
            try await world.plant([("a", nil), ("b", "a"), ("c", "b")])
            let reply = try await world.ada.modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a","parent":{"recordName":"\#(parent)"}}}"#
            )
            #expect(reply["records"][0]["serverErrorCode"].string == "BAD_REQUEST")
        }
    }

    @Test("In the shared database a zone is named with its owner, made by nobody, and watched as a database")
    func sharedDatabase() async throws {
        try await withSharing { world in
            let reason = "zoneID needs to have ownerRecordName field for calls to sharedb"
            for (operation, body) in [
                ("records/lookup", #"{"zoneID":{"zoneName":"Folder"},"records":[{"recordName":"a"}]}"#),
                ("records/lookup", #"{"records":[{"recordName":"a"}]}"#),
                ("records/modify", #"{"zoneID":{"zoneName":"Folder"},"operations":[]}"#),
                ("records/changes", #"{"zoneID":{"zoneName":"Folder"}}"#),
                ("assets/upload", #"{"zoneID":{"zoneName":"Folder"},"tokens":[]}"#),
            ] {
                let reply = try await world.shared(world.bob, operation, body)
                #expect(reply.status == 400 && reply.reason == reason, "\(operation): \(reply.text)")
            }
            let entry = try await world.shared(
                world.bob, "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Folder"}}]}"#)["zones"][0]
            #expect(entry["reason"].string == reason)
            let made = try await world.shared(
                world.bob, "zones/modify",
                #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"New"}}}]}"#)
            #expect(made.status == 400)
            let subscriptions = try await world.shared(
                world.bob, "subscriptions/modify",
                #"""
                {"operations":[
                {"operationType":"create","subscription":{"subscriptionID":"d","subscriptionType":"database"}},
                {"operationType":"create","subscription":{"subscriptionID":"z","subscriptionType":"zone","zoneID":{"zoneName":"Folder"}}},
                {"operationType":"create","subscription":{"subscriptionID":"q","subscriptionType":"query","query":{"recordType":"Note"}}}]}
                """#)["subscriptions"]
            #expect(subscriptions.items.map { $0["serverErrorCode"].string } == [nil, "BAD_REQUEST", "BAD_REQUEST"])
        }
    }

    @Test("Pushes cross: the owner's save tells participants' databases, a participant's save the owner's zone")
    func pushes() async throws {
        try await withSharing { world in
            try await world.plant([("a", nil)])
            let share = try await world.share("create", #""publicPermission":"READ_WRITE""#)
            let guid = try #require(share["shortGUID"].string)
            _ = try await world.ask(world.bob, guid)
            _ = try await world.shared(
                world.bob, "subscriptions/modify",
                #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"shared-changes","subscriptionType":"database"}}]}"#
            )
            _ = try await world.ada.post(
                "subscriptions/modify",
                #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"mine","subscriptionType":"zone","zoneID":{"zoneName":"Folder"}}}]}"#
            )
            let (toBob, toAda) = (try await world.courier(world.bob), try await world.courier(world.ada))
            _ = try await world.ada.modify(
                #"{"operationType":"forceUpdate","record":{"recordType":"Note","recordName":"a"}}"#)
            let toldBob = try await world.bob.sendRaw("GET", toBob, nil)["ck"]
            #expect(toldBob["met"]["sid"].string == "shared-changes" && toldBob["met"]["dbs"].int == 3)
            #expect(toldBob["ckuserid"].string == world.bob.user.userRecordName)
            #expect(try await world.ada.sendRaw("GET", toAda, nil)["ck"]["fet"]["sid"].string == "mine")
            _ = try await world.modify(world.bob, "forceUpdate", #""recordType":"Note","recordName":"a""#)
            let toldAda = try await world.ada.sendRaw("GET", toAda, nil)["ck"]
            #expect(toldAda["fet"]["dbs"].int == 2)
            #expect(toldAda["fet"]["zoid"].string == world.ada.user.userRecordName)
        }
    }

    @Test("Whoever may join sees the record that is shared before they do, and no more of it than they ask for")
    func rootRecord() async throws {
        try await withSharing { world in
            try await world.plant([("above", nil), ("root", "above"), ("below", "root")])
            let invitation = #"{"userIdentity":{"lookupInfo":{"emailAddress":"bob@example.com"}}}"#
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"participants":[\#(invitation)]"#)
            let guid = try #require(share["shortGUID"].string)
            let wanted = #","shouldFetchRootRecord":true"#

            let seen = try await world.ask(world.bob, "resolve", guid, wanted)
            #expect(seen["participantStatus"].string == "INVITED")
            #expect(seen["rootRecord"]["recordName"].string == "root" && seen["rootRecord"]["parent"].isAbsent)
            #expect(seen["rootRecord"]["fields"]["text"]["value"].string == "root")
            let bare = try await world.ask(world.bob, "resolve", guid, wanted + #","rootRecordDesiredKeys":[]"#)
            #expect(bare["rootRecord"]["recordName"].string == "root" && bare["rootRecord"]["fields"].text == "{}")
            #expect(try await world.ask(world.bob, "resolve", guid)["rootRecord"].isAbsent)
            #expect(
                try await world.ask(world.bob, "resolve", guid, #","shouldFetchRootRecord":false"#)["rootRecord"]
                    .isAbsent)
            // Looking is not joining, and who was not invited sees nothing.
            #expect(try await world.shared(world.bob, "zones/list")["zones"].count == 0)
            let stranger = try await world.ask(world.cleo, "resolve", guid, wanted)
            #expect(stranger["serverErrorCode"].string == "NOT_FOUND" && stranger["rootRecord"].isAbsent)
            #expect(try await world.ask(world.bob, "accept", guid, wanted)["rootRecord"]["recordName"].string == "root")
        }
    }

    @Test("A link that is open to everyone shows its record to everyone who has it")
    func rootRecordOfLink() async throws {
        try await withSharing { world in
            try await world.plant([("root", nil)])
            let share = try await world.share(
                "create", "s", #""forRecord":{"recordName":"root"},"publicPermission":"READ_ONLY""#)
            let guid = try #require(share["shortGUID"].string)
            let seen = try await world.ask(
                world.cleo, "resolve", guid, #","shouldFetchRootRecord":true,"rootRecordDesiredKeys":["text","none"]"#)
            #expect(seen["rootRecord"]["fields"]["text"]["value"].string == "root")
        }
    }
}
