import Testing
import WireCoding

@testable import CloudKitServer

/// SQLite takes what stands before a NUL for the whole text.
@Suite("Names with a NUL character")
struct CutNameTests {
    @Test(
        "They are refused wherever a request has them, and never taken for what stands before the NUL",
        arguments: [
            ("zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"F\u0000x"}}}]}"#),
            ("zones/lookup", #"{"zones":[{"zoneName":"F\u0000"}]}"#),
            ("zones/lookup", #"{"zones":[{"zoneName":"F","ownerRecordName":"__defaultOwner__\u0000"}]}"#),
            ("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"F\u00001"}},{"zoneID":{"zoneName":"F\u00002"}}]}"#),
            ("records/lookup", #"{"zoneID":{"zoneName":"F"},"records":[{"recordName":"a\u0000b"}]}"#),
            (
                "records/lookup",
                #"{"zoneID":{"zoneName":"F"},"records":[{"recordName":"a"}],"desiredKeys":["t\u0000"]}"#
            ),
            (
                "records/modify",
                #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"forceDelete","record":{"recordName":"a\u0000"}}]}"#
            ),
            (
                "records/modify",
                #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"create","record":{"recordType":"Note\u0000","fields":{}}}]}"#
            ),
            (
                "records/modify",
                #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"create","record":{"recordType":"Note","fields":{"t\u0000":{"value":"x"}}}}]}"#
            ),
            (
                "records/modify",
                #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"create","record":{"recordType":"Note","fields":{"r":{"value":{"recordName":"a\u0000","action":"VALIDATE"},"type":"REFERENCE"}}}}]}"#
            ),
            (
                "subscriptions/modify",
                #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s\u0000two","subscriptionType":"zone","zoneID":{"zoneName":"F"}}}]}"#
            ),
            ("subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s\u0000two"}]}"#),
        ])
    func names(operation: String, body: String) async throws {
        try await withServer { server in
            try await server.check([
                .zone("F"), .note("a"),
                .post(
                    "subscriptions/modify",
                    #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"F"}}}]}"#
                ),
                .refused(operation, body, 400, "BAD_REQUEST", "<has holds a NUL character>"),
                .lookup("a", #"{"recordName":"a","recordType":"Note"}"#),
                .post("subscriptions/list", "{}", 200, #"{"subscriptions":"<1 items>"}"#),
            ])
        }
    }

    @Test("A container's name that has one leads nowhere")
    func path() async throws {
        try await withServer { server in
            try await server.check([
                .init(
                    operation: "/database/1/\(TestServer.container)%00x/development/private/zones/list", body: "{}",
                    status: 404, answer: #"{"serverErrorCode":"NOT_FOUND"}"#)
            ])
        }
    }

    @Test("A field's value may have one, and what only looks like one is none")
    func values() async throws {
        try RequestNames.check(Array(#"{"zoneName":"F\\u0000","x":"\u0000"}"#.utf8))
        #expect(throws: WireError.self) { try RequestNames.check(Array(#"{"zoneName":"F\\\u0000"}"#.utf8)) }
        try await withServer { server in
            try await server.check([
                .zone("F"), .note("a", #"{"t":{"value":"x\u0000y","type":"STRING"}}"#),
                .lookup("a", #"{"fields":{"t":{"value":"x\u0000y"}}}"#),
            ])
        }
    }
}
