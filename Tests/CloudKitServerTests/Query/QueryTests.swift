import CloudKitServer
import Testing

/// `records/query`: what each comparator finds, in which order, and page by page (protocol §3.3).
@Suite("Queries (protocol §3.3)")
struct QueryTests {
    static let notes = [
        ##"""
        "a","fields":{"title":{"value":"One"},"rank":{"value":1},"ratio":{"value":0.5},"tags":{"value":["red","blue"]},
        "due":{"value":1000,"type":"TIMESTAMP"},"place":{"value":{"latitude":52.52,"longitude":13.405}},
        "data":{"value":"AAE=","type":"BYTES"},"near":{"value":{"recordName":"b","action":"NONE"}}}
        """##,
        ##"""
        "b","fields":{"title":{"value":"Two"},"rank":{"value":2},"ratio":{"value":-1.5},"tags":{"value":["red"]},
        "due":{"value":3000,"type":"TIMESTAMP"},"place":{"value":{"latitude":48.857,"longitude":2.352}},
        "data":{"value":"AAI=","type":"BYTES"}}
        """##,
        ##""c","fields":{"title":{"value":"Twenty crème Brûlée"},"rank":{"value":9007199254740993},"tags":{"value":[],"type":"STRING_LIST"}}"##,
        ##""d","fields":{}"##,
    ]

    /// Saves the notes, which give the type its fields, and lets everything be asked.
    private func fill(_ server: TestServer) async throws {
        try await server.makeZone()
        let operations = Self.notes.map {
            #"{"operationType":"create","record":{"recordType":"Note","recordName":\#($0)}}"#
        }
        let saved = try await server.modify(operations.joined(separator: ","))
        #expect(saved["records"].items.allSatisfy { $0["serverErrorCode"].isAbsent }, "\(saved.text)")
        try server.allowQueries(
            of: "Note", bySystemFields: ["___recordID", "___createTime", "___modTime", "___createdBy"])
    }

    private func query(_ server: TestServer, _ query: String, _ more: String = "") async throws -> TestServer.Reply {
        try await server.post(
            "records/query",
            #"{"zoneID":{"zoneName":"Folder"},"query":{"recordType":"Note"\#(query)}\#(more)}"#)
    }

    private static let inZone = #","zoneID":{"zoneName":"Folder"}"#

    @Test(
        "Each comparator finds the records that it describes; NOT_ finds exactly the others",
        arguments: [
            (#""EQUALS","fieldName":"title","fieldValue":{"value":"One","type":"STRING"}"#, "a"),
            (#""EQUALS","fieldName":"title","fieldValue":{"value":"one"}"#, ""),
            (#""NOT_EQUALS","fieldName":"title","fieldValue":{"value":"One"}"#, "bcd"),
            (#""EQUALS","fieldName":"rank","fieldValue":{"value":9007199254740993,"type":"INT64"}"#, "c"),
            (#""EQUALS","fieldName":"ratio","fieldValue":{"value":0.5}"#, "a"),
            (#""EQUALS","fieldName":"tags","fieldValue":{"value":["red","blue"],"type":"STRING_LIST"}"#, "a"),
            (
                ##""EQUALS","fieldName":"near","fieldValue":{"value":{"recordName":"b"\##(inZone)},"type":"REFERENCE"}"##,
                "a"
            ),
            (#""LESS_THAN","fieldName":"rank","fieldValue":{"value":2}"#, "a"),
            (#""LESS_THAN_OR_EQUALS","fieldName":"rank","fieldValue":{"value":2}"#, "ab"),
            (#""GREATER_THAN","fieldName":"rank","fieldValue":{"value":9007199254740992}"#, "c"),
            (#""GREATER_THAN_OR_EQUALS","fieldName":"ratio","fieldValue":{"value":-1.5}"#, "ab"),
            (#""GREATER_THAN","fieldName":"due","fieldValue":{"value":1000,"type":"TIMESTAMP"}"#, "b"),
            (#""LESS_THAN","fieldName":"title","fieldValue":{"value":"Tw"}"#, "a"),
            (#""IN","fieldName":"title","fieldValue":{"value":["One","Two"],"type":"STRING_LIST"}"#, "ab"),
            (#""NOT_IN","fieldName":"title","fieldValue":{"value":["One","Two"],"type":"STRING_LIST"}"#, "cd"),
            (#""BEGINS_WITH","fieldName":"title","fieldValue":{"value":"Tw"}"#, "bc"),
            (#""NOT_BEGINS_WITH","fieldName":"title","fieldValue":{"value":"Tw"}"#, "ad"),
            (#""CONTAINS_ALL_TOKENS","fieldName":"title","fieldValue":{"value":"BRULEE creme"}"#, "c"),
            (#""CONTAINS_ALL_TOKENS","fieldName":"title","fieldValue":{"value":"brulee two"}"#, ""),
            (#""CONTAINS_ANY_TOKENS","fieldName":"title","fieldValue":{"value":"brulee two"}"#, "bc"),
            (#""CONTAINS_ANY_TOKENS","fieldName":"title","fieldValue":{"value":"brul"}"#, ""),
            (#""CONTAINS_ANY_TOKENS","fieldName":"tags","fieldValue":{"value":"Blue"}"#, "a"),
            (#""LIST_CONTAINS","fieldName":"tags","fieldValue":{"value":"red"}"#, "ab"),
            (#""NOT_LIST_CONTAINS","fieldName":"tags","fieldValue":{"value":"red"}"#, "cd"),
            (
                #""LIST_CONTAINS_ALL","fieldName":"tags","fieldValue":{"value":["blue","red"],"type":"STRING_LIST"}"#,
                "a"
            ),
            (#""NOT_LIST_CONTAINS_ALL","fieldName":"tags","fieldValue":{"value":["blue","red"]}"#, "bcd"),
            (#""NOT_LIST_CONTAINS_ANY","fieldName":"tags","fieldValue":{"value":["blue","x"]}"#, "bcd"),
            (#""LIST_MEMBER_BEGINS_WITH","fieldName":"tags","fieldValue":{"value":"bl"}"#, "a"),
            (#""NOT_LIST_MEMBER_BEGINS_WITH","fieldName":"tags","fieldValue":{"value":"bl"}"#, "bcd"),
            (
                #""NEAR","fieldName":"place","distance":500000,"fieldValue":{"value":{"latitude":52.4,"longitude":13}}"#,
                "a"
            ),
            (
                #""NEAR","fieldName":"place","distance":900000,"fieldValue":{"value":{"latitude":52.4,"longitude":13}}"#,
                "ab"
            ),
            (
                #""EQUALS","systemFieldName":"recordName","fieldValue":{"value":{"recordName":"b"},"type":"REFERENCE"}"#,
                "b"
            ),
            (#""EQUALS","systemFieldName":"recordName","fieldValue":{"value":"b"}"#, "b"),
            (#""IN","fieldName":"___recordID","fieldValue":{"value":["b","d"],"type":"STRING_LIST"}"#, "bd"),
            (#""IN","systemFieldName":"recordName","fieldValue":{"value":["b","d"]}"#, "bd"),
            (#""NOT_IN","systemFieldName":"recordName","fieldValue":{"value":[{"recordName":"b"}]}"#, "acd"),
            (#""EQUALS","fieldName":"tags","fieldValue":{"value":[],"type":"STRING_LIST"}"#, "c"),
            (
                #""GREATER_THAN","systemFieldName":"createdTimestamp","fieldValue":{"value":1,"type":"TIMESTAMP"}"#,
                "abcd"
            ),
        ])
    func comparators(filter: String, found: String) async throws {
        try await withServer { server in
            try await fill(server)
            let reply = try await query(server, #","filterBy":[{"comparator":\#(filter)}]"#)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["records"].items.compactMap { $0["recordName"].string }.joined() == found, "\(reply.text)")
            #expect(reply["continuationMarker"].isAbsent)
        }
    }

    @Test("All filters must hold, and a single one need not be a list")
    func filters() async throws {
        try await withServer { server in
            try await fill(server)
            let first = #"{"comparator":"LIST_CONTAINS","fieldName":"tags","fieldValue":{"value":"red"}}"#
            let second = #"{"comparator":"EQUALS","fieldName":"rank","fieldValue":{"value":2}}"#
            let both = try await query(server, #","filterBy":[\#(first),\#(second)]"#)
            #expect(both["records"].items.map { $0["recordName"].string } == ["b"])
            let one = try await query(server, #","filterBy":\#(second)"#)
            #expect(one["records"].items.map { $0["recordName"].string } == ["b"])
        }
    }

    @Test(
        "Results come in the order asked for; what lacks the field comes first, and last where it goes down",
        arguments: [
            (#"{"fieldName":"rank"}"#, "dabc"), (#"{"fieldName":"rank","ascending":false}"#, "cbad"),
            (#"{"fieldName":"title"}"#, "dacb"), (#"{"fieldName":"ratio"}"#, "cdba"),
            (#"{"systemFieldName":"recordName","ascending":false}"#, "dcba"),
            (#"{"fieldName":"ratio","ascending":false},{"systemFieldName":"recordName","ascending":false}"#, "abdc"),
            (#"{"fieldName":"place","ascending":false,"relativeLocation":{"latitude":52.4,"longitude":13}}"#, "bacd"),
        ])
    func orders(sort: String, names: String) async throws {
        try await withServer { server in
            try await fill(server)
            let whole = try await query(server, #","sortBy":[\#(sort)]"#)
            #expect(whole["records"].items.compactMap { $0["recordName"].string }.joined() == names, "\(whole.text)")
            // And the same page by page.
            var (found, marker) = ("", "")
            repeat {
                let page = try await query(server, #","sortBy":[\#(sort)]"#, #","resultsLimit":1\#(marker)"#)
                found += page["records"].items.compactMap { $0["recordName"].string }.joined()
                marker = page["continuationMarker"].string.map { #","continuationMarker":"\#($0)""# } ?? ""
            } while !marker.isEmpty && found.count < 10
            #expect(found == names)
        }
    }

    @Test("Records that come and go between two pages neither hide nor repeat another one")
    func pagesWhileChanging() async throws {
        try await withServer { server in
            try await fill(server)
            let first = try await query(server, "", #","resultsLimit":2"#)
            #expect(first["records"].items.compactMap { $0["recordName"].string } == ["a", "b"])
            _ = try await server.modify(
                #"{"operationType":"forceDelete","record":{"recordName":"b"}},"#
                    + #"{"operationType":"create","record":{"recordType":"Note","recordName":"aa","fields":{}}}"#)
            let marker = try #require(first["continuationMarker"].string)
            let second = try await query(server, "", #","resultsLimit":2,"continuationMarker":"\#(marker)""#)
            #expect(second["records"].items.compactMap { $0["recordName"].string } == ["c", "d"])
        }
    }

    @Test("A marker serves its own query only")
    func foreignMarker() async throws {
        try await withServer { server in
            try await fill(server)
            let marker = try #require(try await query(server, "", #","resultsLimit":1"#)["continuationMarker"].string)
            let other = try await query(
                server, #","sortBy":[{"fieldName":"rank"}]"#, #","continuationMarker":"\#(marker)""#)
            #expect(other.status == 400)
            #expect(other.code == "BAD_REQUEST")
            #expect(try await query(server, "", #","continuationMarker":"x""#).status == 400)
        }
    }

    @Test(
        "A marker serves its query, however the next request says it",
        arguments: [
            // As CloudKit JS asks for the next page.
            ("", #","numbersAsStrings":false,"zoneWide":false"#),
            (#","numbersAsStrings":true"#, #","desiredKeys":["title"],"resultsLimit":3"#),
            (#","zoneWide":true"#, ""),
        ])
    func sameRequest(first: String, next: String) async throws {
        try await withServer { server in
            try await fill(server)
            let page = try await query(server, "", #","resultsLimit":1\#(first)"#)
            let marker = try #require(page["continuationMarker"].string)
            let rest = try await query(server, "", #","continuationMarker":"\#(marker)"\#(next)"#)
            #expect(rest["records"].items.compactMap { $0["recordName"].string } == ["b", "c", "d"], "\(rest.text)")
        }
    }

    @Test(
        "A marker serves its query, however its filters and sorts are said",
        arguments: [
            (
                #","filterBy":[{"comparator":"NOT_EQUALS","fieldName":"rank","fieldValue":{"value":7,"type":"INT64"}},{"comparator":"NOT_EQUALS","fieldName":"title","fieldValue":{"value":"x"}}]"#,
                #","filterBy":[{"comparator":"NOT_EQUALS","fieldName":"title","fieldValue":{"value":"x","type":"STRING"}},{"comparator":"NOT_EQUALS","fieldName":"rank","fieldValue":{"value":"7","type":"INT64"}}]"#
            ),
            (
                #","filterBy":[{"comparator":"NOT_IN","fieldName":"title","fieldValue":{"value":["x","y"],"type":"STRING_LIST"}}]"#,
                #","filterBy":{"comparator":"NOT_IN","fieldName":"title","fieldValue":{"value":["y","x","x"]}}"#
            ),
            (
                #","sortBy":[{"systemFieldName":"recordName","ascending":true}]"#,
                #","filterBy":[],"sortBy":[{"fieldName":"___recordID"}]"#
            ),
        ])
    func sameQuery(first: String, next: String) async throws {
        try await withServer { server in
            try await fill(server)
            let page = try await query(server, first, #","resultsLimit":1"#)
            let marker = try #require(page["continuationMarker"].string, "\(page.text)")
            let rest = try await query(server, next, #","continuationMarker":"\#(marker)""#)
            #expect(rest["records"].items.compactMap { $0["recordName"].string } == ["b", "c", "d"], "\(rest.text)")
        }
    }

    @Test("A zone is the same with its owner and without, and the default zone without any")
    func sameZone() async throws {
        try await withServer { server in
            try await fill(server)
            let notes = Self.notes.map {
                #"{"operationType":"create","record":{"recordType":"Note","recordName":\#($0)}}"#
            }
            _ = try await server.post("records/modify", #"{"operations":[\#(notes.joined(separator: ","))]}"#)
            let zones = [
                ("", #""zoneID":{"zoneName":"_defaultZone"},"#),
                (
                    #""zoneID":{"zoneName":"Folder"},"#,
                    #""zoneID":{"zoneName":"Folder","ownerRecordName":"\#(server.user.userRecordName)","zoneType":"REGULAR_CUSTOM_ZONE"},"#
                ),
            ]
            for (first, next) in zones {
                let page = try await server.post(
                    "records/query", #"{\#(first)"query":{"recordType":"Note"},"resultsLimit":3}"#)
                let marker = try #require(page["continuationMarker"].string, "\(page.text)")
                let rest = try await server.post(
                    "records/query", #"{\#(next)"query":{"recordType":"Note"},"continuationMarker":"\#(marker)"}"#)
                #expect(rest["records"].items.compactMap { $0["recordName"].string } == ["d"], "\(rest.text)")
            }
        }
    }

    @Test(
        "A marker serves no query that finds others, or in another order",
        arguments: [
            (#","sortBy":[{"fieldName":"rank"}]"#, #","sortBy":[{"fieldName":"rank","ascending":false}]"#),
            (#","sortBy":[{"fieldName":"rank"}]"#, #","sortBy":[{"fieldName":"ratio"}]"#),
            (
                #","filterBy":[{"comparator":"NOT_EQUALS","fieldName":"rank","fieldValue":{"value":7}}]"#,
                #","filterBy":[{"comparator":"NOT_EQUALS","fieldName":"rank","fieldValue":{"value":8}}]"#
            ),
            (#","filterBy":[{"comparator":"NOT_EQUALS","fieldName":"rank","fieldValue":{"value":7}}]"#, ""),
        ])
    func otherQuery(first: String, next: String) async throws {
        try await withServer { server in
            try await fill(server)
            let page = try await query(server, first, #","resultsLimit":1"#)
            let marker = try #require(page["continuationMarker"].string, "\(page.text)")
            let rest = try await query(server, next, #","continuationMarker":"\#(marker)""#)
            #expect(rest.status == 400, "\(rest.text)")
        }
    }

    @Test("Without a zone the default zone is asked; zoneWide asks all and names each record's zone")
    func zones() async throws {
        try await withServer { server in
            try await fill(server)
            let here = try await server.post("records/query", #"{"query":{"recordType":"Note"}}"#)
            #expect(here["records"].count == 0)
            let all = try await server.post("records/query", #"{"zoneWide":true,"query":{"recordType":"Note"}}"#)
            #expect(all["records"].count == 4)
            #expect(all["records"][0]["zoneID"]["zoneName"].string == "Folder")
            let gone = try await server.post(
                "records/query", #"{"zoneID":{"zoneName":"Nope"},"query":{"recordType":"Note"}}"#)
            #expect(gone.status == 404)
            #expect(gone.code == "ZONE_NOT_FOUND")
        }
    }

    @Test("Only the fields asked for come back, and numbers as strings where asked")
    func views() async throws {
        try await withServer { server in
            try await fill(server)
            let reply = try await query(server, "", #","desiredKeys":["rank"],"numbersAsStrings":true"#)
            #expect(reply["records"][2]["fields"].text == #"{"rank":{"value":"9007199254740993","type":"INT64"}}"#)
        }
    }

    @Test(
        "What a query may not ask is refused in the service's words",
        arguments: [
            (#""recordType":"Nope""#, 404, "NOT_FOUND", "Did not find record type: Nope"),
            (#""recordType":"Bare""#, 400, "BAD_REQUEST", "Field 'recordName' is not marked queryable"),
            (filter("EQUALS", "nope", #""x""#), 400, "BAD_REQUEST", "Unknown field 'nope'"),
            (filter("EQUALS", "plain", #""x""#), 400, "BAD_REQUEST", "Field 'plain' is not marked queryable"),
            (filter("LESS_THAN", "plain", #""x""#), 400, "BAD_REQUEST", "Field 'plain' is not marked sortable"),
            (
                filter("CONTAINS_ALL_TOKENS", "plain", #""x""#), 400, "BAD_REQUEST",
                "Field 'plain' is not marked searchable"
            ),
            (filter("EQUALS", "title", "1"), 400, "BAD_REQUEST", "Invalid value, expected type STRING."),
            (filter("IN", "title", #""x""#), 400, "BAD_REQUEST", "BadRequestException: Unexpected input"),
            (
                filter("CONTAINS_ALL_TOKENS", "title", #"" - !""#), 400, "BAD_REQUEST",
                "Invalid value: CONTAINS_ALL_TOKENS needs something to look for"
            ),
            (filter("CONTAINS_ANY_TOKENS", "title", #""""#), 400, "BAD_REQUEST", nil),
            (
                filter("LIST_CONTAINS_ALL", "tags", "[]"), 400, "BAD_REQUEST",
                "Invalid value: LIST_CONTAINS_ALL needs something to look for"
            ),
            (filter("NOT_LIST_CONTAINS_ANY", "tags", "[]"), 400, "BAD_REQUEST", nil),
            (filter("NOT_IN", "title", "[]"), 400, "BAD_REQUEST", nil),
            (filter("NEAR", "title", #""x""#), 400, "BAD_REQUEST", nil),
            (filter("LIST_CONTAINS", "title", #""x""#), 400, "BAD_REQUEST", nil),
            (filter("WRONG", "title", #""x""#), 400, "BAD_REQUEST", nil),
            (
                filter("EQUALS", "near", #"{"recordName":"b"},"type":"REFERENCE""#), 400, "BAD_REQUEST",
                "could not decode reference object"
            ),
            (
                #""recordType":"Note","sortBy":[{"fieldName":"plain"}]"#, 400, "BAD_REQUEST",
                "Field 'plain' is not marked sortable"
            ),
            (#""recordType":"Note","sortBy":[{"fieldName":"place"}]"#, 400, "BAD_REQUEST", nil),
            (
                #""recordType":"Note","filterBy":[{"comparator":"EQUALS","fieldName":"title"}]"#, 400, "BAD_REQUEST",
                "BadRequestException: query: filterBy[0]: missing required field 'fieldValue'"
            ),
        ])
    func refusals(query: String, status: Int, code: String, reason: String?) async throws {
        try await withServer { server in
            try await fill(server)
            _ = try await server.modify(
                #"{"operationType":"create","record":{"recordType":"Bare","recordName":"x","fields":{}}},"#
                    + #"{"operationType":"create","record":{"recordType":"Note","recordName":"p","fields":{"plain":{"value":"x"}}}}"#
            )
            try server.forbidQueries(of: "Note", by: "plain")
            let reply = try await server.post(
                "records/query", #"{"zoneID":{"zoneName":"Folder"},"query":{\#(query)}}"#)
            #expect(reply.status == status, "\(reply.text)")
            #expect(reply.code == code)
            if let reason { #expect(reply.reason == reason) }
        }
    }

    @Test("A query that would ask too much of each record is refused")
    func limits() async throws {
        try await withServer { server in
            try await fill(server)
            let sort = #"{"fieldName":"rank"}"#
            let filter = #"{"comparator":"EQUALS","fieldName":"rank","fieldValue":{"value":2}}"#
            func values(_ count: Int) -> String {
                let list = Array(repeating: "1", count: count).joined(separator: ",")
                return
                    #","filterBy":{"comparator":"IN","fieldName":"rank","fieldValue":{"value":[\#(list)],"type":"INT64_LIST"}}"#
            }
            #expect(try await query(server, values(250)).status == 200)
            #expect(try await query(server, values(251)).status == 400)
            #expect(try await query(server, #","sortBy":[\#(sort),\#(sort)]"#).status == 400)
            let many = Array(repeating: filter, count: 33).joined(separator: ",")
            #expect(try await query(server, #","filterBy":[\#(many)]"#).status == 400)
        }
    }

    private static func filter(_ comparator: String, _ field: String, _ value: String) -> String {
        #""recordType":"Note","filterBy":[{"comparator":"\#(comparator)","fieldName":"\#(field)","fieldValue":{"value":\#(value)}}]"#
    }

    @Test("All records of a type in the default zone are found page by page, each once (S3.17)")
    func all() async throws {
        try await withServer { server in
            let operations = (0..<57).map {
                #"{"operationType":"create","record":{"recordType":"Note","recordName":"n\#(100 + $0)","fields":{}}}"#
            }
            _ = try await server.post("records/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
            try server.allowQueries(of: "Note", bySystemFields: ["___recordID"])
            var names: [String] = []
            var marker = ""
            repeat {
                let next = marker.isEmpty ? "" : #","continuationMarker":"\#(marker)""#
                let page = try await server.post(
                    "records/query", #"{"query":{"recordType":"Note"},"resultsLimit":20\#(next)}"#)
                names += page["records"].items.compactMap { $0["recordName"].string }
                marker = page["continuationMarker"].string ?? ""
            } while !marker.isEmpty && names.count < 200
            #expect(names.count == 57 && Set(names).count == 57)
        }
    }

    @Test("More than 200 results come in pages of 200, whatever limit is asked for")
    func limit() async throws {
        try await withServer { server in
            try await server.makeZone()
            for start in [0, 200] {
                let operations = (start..<start + 200).map {
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"n\#(1000 + $0)","fields":{}}}"#
                }
                _ = try await server.modify(operations.joined(separator: ","))
            }
            try server.allowQueries(of: "Note", bySystemFields: ["___recordID"])
            let page = try await query(server, "", #","resultsLimit":1000"#)
            #expect(page["records"].count == 200)
            let marker = try #require(page["continuationMarker"].string)
            let rest = try await query(server, "", #","continuationMarker":"\#(marker)""#)
            #expect(rest["records"].count == 200)
            #expect(rest["continuationMarker"].isAbsent)
        }
    }
}
