import CloudKitClient
import CloudKitWire
import HTTPTypes
import Testing

@Suite("Any answer that is no success becomes an error with a code")
struct CloudKitErrorTests {
    @Test(
        "Any body is survived",
        arguments: [
            "", " ", "<html><body>502 Bad Gateway</body></html>", "null", "[]", "17", "\"x\"", "{", "{}",
            #"{ "serverErrorCode": 17 }"#, #"{ "serverErrorCode": null, "reason": {} }"#, "\u{FEFF}{}", "\0\u{1}",
        ], [400, 404, 500, 502, 503, 504])
    func anyBody(body: String, status: Int) async {
        let transport = ScriptedTransport(.json(body, status: status))
        let error = await failure { () throws(CloudKitError) in try await database(transport).listZones() }
        #expect(error?.code == .http)
        #expect(error?.status == status)
    }

    @Test("Bytes that are no UTF-8 are survived too")
    func noText() async {
        let transport = ScriptedTransport(TransportResponse(status: 502, body: [0xFF, 0xFE, 0x80]))
        #expect(await failure { () throws(CloudKitError) in try await database(transport).listZones() }?.code == .http)
    }

    @Test("A 200 that is not understood is an error, never an empty result", arguments: ["", "<html>", "[]", "{"])
    func not200(body: String) async {
        let transport = ScriptedTransport(.json(body))
        let error = await failure { () throws(CloudKitError) in try await database(transport).listZones() }
        #expect(error?.code == .unexpectedAnswer)
    }

    @Test("Of the body's and the header's time to wait, the larger counts, uncapped (TN3162)")
    func retryAfter() async {
        var answer = TransportResponse.json(
            #"""
            { "uuid": "u-1", "serverErrorCode": "THROTTLED", "reason": "Database throttled, retry later",
              "retryAfter": 110207 }
            """#, status: 429)
        answer.headers[.retryAfter] = "30"
        var error = await failure { [answer] () throws(CloudKitError) in
            try await database(ScriptedTransport(answer)).listZones()
        }
        #expect(error?.code == .server(.throttled))
        #expect(error?.retryAfter == .seconds(110_207))
        #expect(error?.uuid == "u-1")
        answer.headers[.retryAfter] = "200000"
        error = await failure { [answer] () throws(CloudKitError) in
            try await database(ScriptedTransport(answer)).listZones()
        }
        #expect(error?.retryAfter == .seconds(200_000))
        #expect(error?.message.contains("Database throttled, retry later") == true)
    }

    @Test(
        "A header's time counts where the body is no JSON; a time that is none does not",
        arguments: [
            ("30", Duration.seconds(30)), ("Wed, 21 Oct 2026 07:28:00 GMT", nil), ("-1", nil), ("nan", nil),
            ("inf", nil),
            ("1e300", Duration.seconds(1e12)),
        ] as [(String, Duration?)])
    func header(text: String, expected: Duration?) async {
        let answer = TransportResponse(status: 503, headers: [.retryAfter: text], body: Array("<html>".utf8))
        let error = await failure { () throws(CloudKitError) in
            try await database(ScriptedTransport(answer)).listZones()
        }
        #expect(error?.retryAfter == expected)
    }

    @Test(
        "A save that may have been carried out says so",
        arguments: [
            (TransportResponse.json("", status: 502), true), (.json("", status: 504), true),
            (.json("", status: 503), true), (.json(#"{ "serverErrorCode": "INTERNAL_ERROR" }"#, status: 500), true),
            (.json(#"{ "serverErrorCode": "TRY_AGAIN_LATER" }"#, status: 503), false),
            (.json(#"{ "serverErrorCode": "BAD_REQUEST" }"#, status: 400), false), (.json("<html>"), true),
        ])
    func mayHaveBeenDone(answer: TransportResponse, expected: Bool) async {
        let transport = ScriptedTransport(answer)
        let error = await failure { () throws(CloudKitError) in
            try await database(transport).modifyRecords([RecordOperation(.create, Record(recordName: "a"))], in: folder)
        }
        #expect(error?.mayHaveBeenDone == expected)
        #expect(transport.requests.count == 1, "A save is never repeated unasked")
    }

    @Test("A read whose connection broke is repeated once, over a new one")
    func brokenRead() async throws {
        let transport = ScriptedTransport { _, number in
            if number == 0 { throw TransportError.connectionLost(requestMayHaveArrived: true) }
            return .json(#"{ "zones": [] }"#)
        }
        #expect(try await database(transport).listZones().isEmpty)
        let broken = ScriptedTransport { _, _ in throw TransportError.connectionLost(requestMayHaveArrived: true) }
        let error = await failure { () throws(CloudKitError) in try await database(broken).listZones() }
        #expect(error?.code == .transport(.connectionLost))
        #expect(error?.mayHaveBeenDone == false)
        #expect(broken.requests.count == 2)
    }

    @Test("A save whose connection broke is not repeated")
    func brokenSave() async {
        let transport = ScriptedTransport { _, _ in throw TransportError.connectionLost(requestMayHaveArrived: true) }
        let error = await failure { () throws(CloudKitError) in
            try await database(transport).modifyRecords([RecordOperation(.create, Record(recordName: "a"))], in: folder)
        }
        #expect(error?.mayHaveBeenDone == true)
        #expect(error?.reaction() == .lookUpAndMerge)
        #expect(transport.requests.count == 1)
    }
}
