import Testing

@Suite("The spelling of numbers (protocol §3.5)")
struct NumberSpellingTests {
    @Test("Numbers are spelt as the request wants them of each zone, whatever it wants of the others")
    func numbers() async throws {
        let note =
            #"{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":{"n":{"value":7,"type":"INT64"}}}}"#
        try await withServer { server in
            try await server.check([
                .zone("F", "G"), .modify(note),
                .post("records/modify", #"{"zoneID":{"zoneName":"G"},"operations":[\#(note)]}"#),
                .post(
                    "changes/zone",
                    #"{"zones":[{"zoneID":{"zoneName":"F"},"numbersAsStrings":true},{"zoneID":{"zoneName":"G"}}]}"#,
                    200,
                    #"{"zones":[{"records":[{"fields":{"n":{"value":"7"}}}]},{"records":[{"fields":{"n":{"value":7}}}]}]}"#
                ),
            ])
        }
    }
}
