import CloudKitWire
import Testing
import WireCoding

@Suite("Messages about records (protocol §3.1, §3.2)")
struct RecordMessageTests {
    static let stamp = RecordStamp(timestamp: 1_790_000_000_123, userRecordName: "_0123ef", deviceID: "2")

    static var saved: Record {
        var record = Record(
            recordName: "Note/a", recordType: "Note", recordChangeTag: "1e", fields: ["title": Field(.string("One"))])
        (record.created, record.modified, record.deleted) = (stamp, stamp, false)
        return record
    }

    static var gone: Record {
        var record = Record(recordName: "Note/c")
        record.deleted = true
        return record
    }

    static var conflict: ErrorDictionary {
        var error = ErrorDictionary(.conflict, reason: "client oplock error updating record")
        (error.recordName, error.uuid) = ("Note/b", "41c9")
        return error
    }

    static let fixtures = [
        Fixture(
            "records/modify, request",
            #"""
            { "zoneID": { "zoneName": "Folder" }, "atomic": false,
              "operations": [
                { "operationType": "create",
                  "record": { "recordName": "Note/a", "recordType": "Note", "fields": { "title": { "value": "One" } } } },
                { "operationType": "update",
                  "record": { "recordName": "Note/b", "recordType": "Note", "recordChangeTag": "1c",
                              "fields": { "old": { "value": null }, "rank": { "value": 7, "type": "INT64" } } } },
                { "operationType": "forceDelete", "record": { "recordName": "Note/c" } } ] }
            """#,
            RecordsModifyRequest(
                operations: [
                    RecordOperation(
                        .create,
                        Record(
                            recordName: "Note/a", recordType: "Note",
                            fields: ["title": Field(.untyped(json: Array(#""One""#.utf8)))])),
                    RecordOperation(
                        .update,
                        Record(
                            recordName: "Note/b", recordType: "Note", recordChangeTag: "1c",
                            fields: ["rank": Field(.int64(7)), "old": Field(nil)])),
                    RecordOperation(.forceDelete, Record(recordName: "Note/c")),
                ], zoneID: ZoneID(zoneName: "Folder"), atomic: false)),
        Fixture(
            "records/modify, answer",
            #"""
            { "records": [
                { "recordName": "Note/a", "recordType": "Note", "recordChangeTag": "1e", "pluginFields": {},
                  "fields": { "title": { "value": "One", "type": "STRING" } },
                  "created":  { "timestamp": 1790000000123, "userRecordName": "_0123ef", "deviceID": "2" },
                  "modified": { "timestamp": 1790000000123, "userRecordName": "_0123ef", "deviceID": "2" },
                  "deleted": false },
                { "recordName": "Note/b", "serverErrorCode": "CONFLICT",
                  "reason": "client oplock error updating record", "uuid": "41c9" },
                { "recordName": "Note/c", "deleted": true } ], "syncToken": "AQ==" }
            """#,
            {
                var response = RecordsResponse(records: [.success(saved), .failure(conflict), .success(gone)])
                response.syncToken = "AQ=="
                return response
            }(),
            written:
                ##"{"records":[{"recordName":"Note/a","recordType":"Note","recordChangeTag":"1e","fields":{"title":{"value":"One","type":"STRING"}},"created":{"timestamp":1790000000123,"userRecordName":"_0123ef","deviceID":"2"},"modified":{"timestamp":1790000000123,"userRecordName":"_0123ef","deviceID":"2"},"deleted":false},{"recordName":"Note/b","serverErrorCode":"CONFLICT","reason":"client oplock error updating record","uuid":"41c9"},{"recordName":"Note/c","deleted":true}],"syncToken":"AQ=="}"##
        ),
        Fixture(
            "records/lookup, request",
            #"{ "zoneID": { "zoneName": "Folder" }, "desiredKeys": [], "numbersAsStrings": true, "records": [ { "recordName": "Note/b" }, { "recordName": "Nope" } ] }"#,
            {
                var request = RecordsLookupRequest(
                    recordNames: ["Note/b", "Nope"], zoneID: ZoneID(zoneName: "Folder"), desiredKeys: [])
                request.numbersAsStrings = true
                return request
            }()),
        Fixture(
            "a record with a parent and a share",
            #"{"recordName":"a","fields":{"f":{"value":[],"type":"STRING_LIST","isEncrypted":true}},"zoneID":{"zoneName":"Z"},"parent":{"recordName":"p"},"share":{"recordName":"s"}}"#,
            {
                var record = Record(recordName: "a", fields: ["f": Field(.stringList([]), isEncrypted: true)])
                (record.zoneID, record.parent, record.share) = (
                    ZoneID(zoneName: "Z"), "p", ShareReference(recordName: "s")
                )
                return record
            }()),
    ]

    @Test("Each message is read and written as described", arguments: fixtures)
    func fixture(_ fixture: Fixture) throws {
        try fixture.check()
    }

    @Test("A live record without fields says so; a tombstone and a mere name have none")
    func emptyFields() throws {
        #expect(text(Record(recordName: "a", recordType: "T")) == #"{"recordName":"a","recordType":"T","fields":{}}"#)
        #expect(text(Record(recordName: "a")) == #"{"recordName":"a"}"#)
        #expect(text(Self.gone) == #"{"recordName":"Note/c","deleted":true}"#)
        #expect(
            try decode(#"{"recordName":"a","recordType":null,"fields":null,"deleted":true}"#, as: Record.self).fields
                .isEmpty)
    }

    @Test("Fields are written in one order, whatever order they were put in")
    func fieldOrder() {
        let names = (0..<50).map { "f\($0)" }
        let one = Record(fields: Dictionary(uniqueKeysWithValues: names.map { ($0, Field(.int64(1))) }))
        let other = Record(fields: Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, Field(.int64(1))) }))
        #expect(text(one) == text(other))
    }

    @Test("An entry is an error by its serverErrorCode alone")
    func itemResults() throws {
        let response: RecordsResponse = try decode(
            #"{"records":[{"serverErrorCode":"SOME_NEW_CODE","retryAfter":"30","redirectUrl":"https://a.example/"},{"recordName":"a","serverErrorCode":null}]}"#
        )
        var error = ErrorDictionary(ServerErrorCode(rawValue: "SOME_NEW_CODE"))
        (error.retryAfter, error.redirectURL) = (30, "https://a.example/")
        #expect(response.records == [.failure(error), .success(Record(recordName: "a"))])
    }

    @Test(
        "What is wrong is named, with the way there",
        arguments: [
            ("[]", "expected a JSON object"),
            (
                "{",
                "the body is no JSON (line 1, column 2: The text ends where a key in double quotation marks was expected.)"
            ),
            ("{}", "missing required field 'operations'"),
            (#"{"operations":{}}"#, "'operations' must be a list"),
            (#"{"operations":[1]}"#, "operations[0]: expected a JSON object"),
            (#"{"operations":[{}]}"#, "operations[0]: missing required field 'operationType'"),
            (
                #"{"operations":[{"operationType":"erase"}]}"#,
                "operations[0]: 'operationType' must be one of create, update, replace, forceUpdate, forceReplace, delete, forceDelete"
            ),
            (#"{"operations":[{"operationType":"create"}]}"#, "operations[0]: missing required field 'record'"),
            (
                #"{"operations":[{"operationType":"create","record":{"recordName":7}}]}"#,
                "operations[0]: record: 'recordName' must be a string"
            ),
            (
                #"{"operations":[{"operationType":"create","record":{"fields":{"n":{"value":"x","type":"INT64"}}}}]}"#,
                "operations[0]: record: fields: n: a value of type INT64 must be an integer of 64 bits"
            ),
            (#"{"operations":[],"atomic":"yes"}"#, "'atomic' must be true or false"),
            (#"{"operations":[],"zoneID":"Folder"}"#, "'zoneID' must be an object"),
            (#"{"operations":[],"zoneID":{"zoneName":1}}"#, "zoneID: 'zoneName' must be a string"),
            (#"{"operations":[],"desiredKeys":["a",1]}"#, "'desiredKeys' must be a list of strings"),
        ])
    func refusals(_ source: String, message: String) throws {
        let error = try #require(throws: WireError.self) { try decode(source, as: RecordsModifyRequest.self) }
        #expect(error.message == message)
    }

    @Test("Names that differ only in Unicode form are not taken for one in silence")
    func unicodeForms() throws {
        #expect(throws: WireError("fields: two keys 'e\u{301}' differ only in their Unicode form")) {
            try decode("{\"fields\":{\"\u{E9}\":null,\"e\u{301}\":null}}", as: Record.self)
        }
    }
}
