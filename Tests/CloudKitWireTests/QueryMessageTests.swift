import Testing

@testable import CloudKitQueries
@testable import CloudKitWire
@testable import WireCoding

@Suite("Messages of queries, deprecated feeds and users (protocol §3.3, §3.6, §3.7, §3.9)")
struct QueryMessageTests {
    @Test("A query is read and written again, key by key")
    func query() throws {
        let text =
            #"{"zoneID":{"zoneName":"Folder"},"query":{"recordType":"Note","filterBy":["#
            + #"{"comparator":"GREATER_THAN","fieldName":"rank","fieldValue":{"value":3,"type":"INT64"}},"#
            + #"{"comparator":"IN","systemFieldName":"recordName","fieldValue":{"value":["a"],"type":"STRING_LIST"}}],"#
            + #""sortBy":[{"systemFieldName":"modifiedTimestamp","ascending":false}]},"#
            + #""resultsLimit":50,"continuationMarker":"MS4y","desiredKeys":["title"],"numbersAsStrings":true}"#
        let request = try RecordsQueryRequest.decode(Array(text.utf8))
        #expect(request.query.filters[0].field == .user("rank"))
        #expect(request.query.filters[1].field == .system(.recordName))
        #expect(request.query.sorts == [QuerySort(.system(.modifiedTimestamp), ascending: false)])
        #expect(String(decoding: request.encoded(), as: UTF8.self) == text)
    }

    @Test("A system field may be named as schemas name it", arguments: SystemField.allCases)
    func systemNames(field: SystemField) throws {
        let sort = try QuerySort.decode(Array(#"{"fieldName":"\#(field.schemaName)"}"#.utf8))
        #expect(sort.field == .system(field))
        #expect(sort.ascending)
    }

    @Test(
        "What is missing or wrong is named with the way there",
        arguments: [
            (#"{}"#, "missing required field 'query'"),
            (#"{"query":{}}"#, "query: missing required field 'recordType'"),
            (
                #"{"query":{"recordType":"T","filterBy":[{"comparator":"EQUALS","fieldValue":{"value":1}}]}}"#,
                "query: filterBy[0]: missing required field 'fieldName'"
            ),
            (
                #"{"query":{"recordType":"T","filterBy":[{"comparator":"EQUALS","fieldName":"a","fieldValue":{}}]}}"#,
                "query: filterBy[0]: fieldValue: missing required field 'value'"
            ),
            (
                #"{"query":{"recordType":"T","sortBy":[{"fieldName":"a","ascending":1}]}}"#,
                "query: sortBy[0]: 'ascending' must be true or false"
            ),
        ])
    func mistakes(text: String, message: String) {
        #expect(throws: WireError(message)) { try RecordsQueryRequest.decode(Array(text.utf8)) }
    }

    @Test("A page without a marker is the last one")
    func pages() throws {
        let last = try RecordsQueryResponse.decode(Array(#"{"records":[]}"#.utf8))
        #expect(last.continuationMarker == nil)
        let text = #"{"records":[{"recordName":"a"}],"continuationMarker":"x"}"#
        let page = try RecordsQueryResponse.decode(Array(text.utf8))
        #expect(String(decoding: page.encoded(), as: UTF8.self) == text)
    }

    @Test("The deprecated feeds have their own keys")
    func feeds() throws {
        let zones = try ZonesChangesResponse.decode(
            Array(#"{"zones":[{"zoneID":{"zoneName":"A"},"deleted":true}],"metaSyncToken":"t"}"#.utf8))
        #expect(zones.metaSyncToken == "t" && !zones.moreComing)
        let records = try RecordsChangesResponse.decode(
            Array(#"{"records":[],"syncToken":"t","moreComing":true}"#.utf8))
        #expect(records.syncToken == "t" && records.moreComing)
        let request = ZonesChangesRequest(metaSyncToken: "t", resultsLimit: 5)
        #expect(String(decoding: request.encoded(), as: UTF8.self) == #"{"metaSyncToken":"t","resultsLimit":5}"#)
    }

    @Test("Users are looked for by address, number or record name")
    func users() throws {
        let text = #"{"lookupInfos":[{"emailAddress":"a@b"},{"phoneNumber":"1"},{"userRecordName":"_0"}]}"#
        let request = try UsersDiscoverRequest.decode(Array(text.utf8))
        #expect(String(decoding: request.encoded(), as: UTF8.self) == text)
        var identity = UserIdentity(userRecordName: "_0", givenName: "Ada")
        identity.lookupInfo = UserLookupInfo(emailAddress: "a@b")
        #expect(try UserIdentity.decode(identity.encoded()) == identity)
    }
}
