import CloudKitClient
import CloudKitWire
import HTTPTypes
import Testing

@testable import WireCoding

@Suite("Records (protocol §3.1, §3.2)")
struct RecordRequestTests {
    @Test("records/modify: not atomic unless asked for, one result for each operation")
    func modify() async throws {
        let transport = ScriptedTransport(
            .json(
                #"""
                { "records": [
                    { "recordName": "Note/a", "recordType": "Note", "recordChangeTag": "1e", "pluginFields": {},
                      "fields": { "title": { "value": "One", "type": "STRING" } },
                      "created":  { "timestamp": 1790000000123, "userRecordName": "_0123", "deviceID": "2" },
                      "deleted": false },
                    { "recordName": "Note/b", "serverErrorCode": "CONFLICT",
                      "reason": "client oplock error updating record", "uuid": "41c9" },
                    { "recordName": "Note/c", "deleted": true } ] }
                """#))
        let results = try await database(transport).modifyRecords(
            [
                RecordOperation(.create, Record(recordName: "Note/a", recordType: "Note")),
                RecordOperation(.update, Record(recordName: "Note/b", recordChangeTag: "1c")),
                RecordOperation(.forceDelete, Record(recordName: "Note/c")),
            ], in: folder)
        let request = transport.requests[0]
        #expect(request.method == .post && request.lane == .api)
        #expect(request.url.contains("/1/iCloud.example/development/private/records/modify?ckAPIToken=0123abcd"))
        let sent = try RecordsModifyRequest.decode(Array(request.text.utf8))
        #expect(sent.atomic == false)
        #expect(sent.zoneID == folder)
        #expect(sent.operations.map(\.kind) == [.create, .update, .forceDelete])
        guard case .success(let saved) = results[0], case .failure(let error) = results[1],
            case .success(let gone) = results[2]
        else {
            Issue.record("\(results)")
            return
        }
        #expect(saved.recordChangeTag == "1e")
        #expect(error.reaction(of: .recordsModify, recordKind: .update) == .lookUpAndMerge)
        #expect(gone.deleted == true)
    }

    @Test("Results out of order find their records; a missing one is an error, no success")
    func order() async throws {
        let transport = ScriptedTransport(
            .json(#"{ "records": [ { "recordName": "c", "deleted": true }, { "recordName": "a", "deleted": true } ] }"#)
        )
        let operations = ["a", "b", "c"].map { RecordOperation(.forceDelete, Record(recordName: $0)) }
        let results = try await database(transport).modifyRecords(operations, in: folder)
        guard case .success(let first) = results[0], case .failure(let second) = results[1],
            case .success(let third) = results[2]
        else {
            Issue.record("\(results)")
            return
        }
        #expect(first.recordName == "a" && third.recordName == "c")
        #expect(second.serverErrorCode == .unexpectedServerResponse && second.recordName == "b")
    }

    @Test("records/lookup: 450 names are three requests, results in order")
    func lookup() async throws {
        let transport = ScriptedTransport { request, _ in
            let names = try RecordsLookupRequest.decode(Array(request.text.utf8)).recordNames
            #expect(names.count <= 200)
            let records = names.map { #"{ "recordName": "\#($0)", "serverErrorCode": "NOT_FOUND" }"# }
            return .json("{ \"records\": [ \(records.joined(separator: ",")) ] }")
        }
        let names = (0..<450).map { "n\($0)" }
        let results = try await database(transport).lookUpRecords(names, in: folder)
        #expect(transport.requests.count == 3)
        let found = results.map { result -> String? in
            guard case .failure(let error) = result else { return nil }
            return error.recordName
        }
        #expect(found == names)
    }

    @Test(
        "records/lookup: what an answer had no room for is asked for again, as long as answers bring something",
        arguments: [(room: 60, requests: 4), (room: 0, requests: 1)])
    func fullAnswers(room: Int, requests: Int) async throws {
        let transport = ScriptedTransport { request, _ in
            let names = try RecordsLookupRequest.decode(Array(request.text.utf8)).recordNames
            let records = names.enumerated().map { index, name in
                let error = index < room ? #""NOT_FOUND""# : #""TRY_AGAIN_LATER","retryAfter":0"#
                return #"{ "recordName": "\#(name)", "serverErrorCode": \#(error) }"#
            }
            return .json("{ \"records\": [ \(records.joined(separator: ",")) ] }")
        }
        let names = (0..<200).map { "n\($0)" }
        let results = try await database(transport).lookUpRecords(names, in: folder)
        #expect(transport.requests.count == requests)
        let errors = results.compactMap { result -> ErrorDictionary? in
            if case .failure(let error) = result { error } else { nil }
        }
        #expect(errors.map(\.recordName) == names)
        #expect(errors.allSatisfy { $0.serverErrorCode == (room > 0 ? .notFound : .tryAgainLater) })
    }
}
