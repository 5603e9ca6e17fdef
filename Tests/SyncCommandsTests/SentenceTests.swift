import Testing

@testable import SyncCommands

@Suite("A server's words between sentences")
struct SentenceTests {
    @Test(
        "Words without a full stop get one, and others none",
        arguments: [
            ("Field 'rank' is not marked sortable (uuid 3c)", "Field 'rank' is not marked sortable (uuid 3c)."),
            ("request needs authorization", "request needs authorization."),
            ("It is tried again.", "It is tried again."),
            ("It failed (no connection.)", "It failed (no connection.)"),
            ("Run `zonefolder login`", "Run `zonefolder login`."),
            ("Really?", "Really?"), ("", ""), ("'a'", "'a'."),
        ])
    func ended(text: String, ended: String) {
        #expect(Sentence.ended(text) == ended)
        #expect(Sentence.ended(ended) == ended)
    }

    @Test("What a server says and the way out are two sentences, whoever asked")
    func failures() {
        let said = "The server refused it with BAD_REQUEST: no (uuid 3c)"
        for failure in [
            CommandFailure.noIndex(said, "zonefolder schema index Note rank --data DIR"),
            .serverSays(said, server: "https://a.example"), .serverUnreachable(said, server: "https://a.example"),
            .wrongAPIToken(said, server: "https://a.example"), .wrongWebAuthToken(said, server: "https://a.example"),
            .sharedZonesUnknown(said, server: "https://a.example"), .notCompared("https://a.example", said),
            .invitationUnanswered(said, server: "https://a.example", mayBeUsed: true),
        ] {
            #expect(failure.message.contains("(uuid 3c)."), "\(failure)")
        }
    }
}
