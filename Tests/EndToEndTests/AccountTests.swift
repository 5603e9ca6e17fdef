import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

/// What the account can be, and what `zonefolder status` makes of it. Real processes; the server fails on demand.
@Suite("The account, whatever becomes of it (S1.4 to S1.11)", .timeLimit(.minutes(30)))
struct AccountTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: String
        /// As `status --json` has it.
        var word: String
        var verdict: String
        var exitCode: Int32
        /// Part of what a person is told.
        var sentence: String
        /// Whether only a daemon's start asks: nothing later shows that somebody else is signed in, and an answer from
        /// no CloudKit server says nothing about the account that was available before.
        var isSeenAtStart = false
    }

    static let rows = [
        Row(
            testDescription: "signed out (A5)", fault: #"{"kind":"account","state":"signedOut"}"#, word: "noAccount",
            verdict: "attention", exitCode: 4, sentence: "the account or the API token was removed there."),
        Row(
            testDescription: "credentials refused", fault: #"{"kind":"account","state":"refused"}"#, word: "noAccount",
            verdict: "attention", exitCode: 4, sentence: "the account or the API token was removed there."),
        Row(
            testDescription: "access withdrawn (A2, A4)", fault: #"{"kind":"account","state":"restricted"}"#,
            word: "restricted", verdict: "attention", exitCode: 4, sentence: "The account may not use this container"),
        Row(
            testDescription: "temporarily unavailable",
            fault: #"{"kind":"account","state":"temporarilyUnavailable"}"#, word: "temporarilyUnavailable",
            verdict: "attention", exitCode: 4, sentence: "The account needs its owner's attention"),
        Row(
            testDescription: "undetermined", fault: #"{"kind":"account","state":"undetermined"}"#,
            word: "couldNotDetermine", verdict: "offline", exitCode: 3, sentence: "The server could not be asked",
            isSeenAtStart: true),
        Row(
            testDescription: "somebody else", fault: #"{"kind":"otherUser","userRecordName":"_0123"}"#,
            word: "switched",
            verdict: "attention", exitCode: 4, sentence: "Another account (_0123) is signed in", isSeenAtStart: true),
    ]

    @Test(
        "Each status has its sentence, its event and its exit code; what was edited meanwhile goes by itself",
        arguments: rows)
    func account(row: Row) async throws {
        let world = try await RealWorld(faults: true)
        let folder = try await world.addFolder("laptop")
        try folder.write(#"{"text": "before"}"#, to: "Note/a.json")
        var daemon = try folder.run()
        try await folder.untilDaemonAnswers(daemon)
        #expect(try await folder.settledVerdict() == "in-sync")
        let before = try await report(folder).json
        #expect(before.account.status == "available" && before.account.userRecordName != nil)
        let sent = try await exports(folder)

        if row.isSeenAtStart {
            daemon.terminate()
            #expect(try await daemon.ended(within: .seconds(120)) == 0)
        }
        try await world.fail(row.fault)
        if row.isSeenAtStart {
            daemon = try folder.run()
            try await folder.untilDaemonAnswers(daemon)
        }
        try folder.write(#"{"text": "meanwhile"}"#, to: "Note/b.json")
        var seen = try await report(folder)
        // The limits only end a test that has failed already.
        let deadline = ContinuousClock.now + .seconds(240)
        while seen.json.account.status != row.word, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(200))
            seen = try await report(folder)
        }
        #expect(seen.json.account.status == row.word)
        #expect(seen.json.verdict == row.verdict)
        #expect(seen.exitCode == row.exitCode)
        #expect(seen.json.reason.contains(row.sentence), "\(seen.json.reason)")
        #expect(try await RealProgram.run("status", folder.path).output.contains(row.sentence))
        let failed = try await events(folder).filter { $0.kind == "setup" && $0.succeeded == false }
        #expect(failed.last?.errorCode == row.word)
        #expect(failed.last?.errorMessage?.contains(row.sentence) == true)
        #expect(try await exports(folder) == sent, "nothing goes out meanwhile")
        #expect(folder.read("Note/b.json") == #"{"text": "meanwhile"}"#)

        try await world.stopFailing()
        // No command is given: looking at the zone is not asking the daemon for anything.
        let zone = try await WebClient(world)
        let limit = ContinuousClock.now + .seconds(240)
        while try await zone.records().count < 2, ContinuousClock.now < limit {
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(try await zone.records().count == 2)
        #expect(try await folder.settledVerdict() == "in-sync")
        #expect(daemon.isRunning)
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
    }

    struct Report: Decodable {
        struct Account: Decodable {
            var status: String
            var userRecordName: String?
        }
        var verdict: String
        var reason: String
        var account: Account
    }

    struct Event: Decodable {
        var kind: String
        var succeeded: Bool?
        var errorCode: String?
        var errorMessage: String?
    }

    private func report(_ folder: RealFolder) async throws -> (json: Report, exitCode: Int32) {
        let outcome = try await RealProgram.run("status", folder.path, "--json")
        return (try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)), outcome.status)
    }

    private func events(_ folder: RealFolder) async throws -> [Event] {
        let lines = try await RealProgram.run("events", folder.path, "--json", "--last", "1000").output
        return try lines.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }

    private func exports(_ folder: RealFolder) async throws -> Int {
        try await events(folder).count { $0.kind == "export" && $0.succeeded == true }
    }
}

extension RealWorld {
    /// Lets requests meet a fault from now on.
    func fail(_ fault: String) async throws {
        try await fail(rules: #"{"fault":\#(fault)}"#)
    }

    /// Lets requests meet a rule's fault from now on, or those of a list of rules.
    func fail(rules: String) async throws {
        try await ask(.POST, rules)
    }

    /// Withdraws every fault.
    func stopFailing() async throws {
        try await ask(.DELETE, "")
    }

    private func ask(_ method: HTTPMethod, _ body: String) async throws {
        var request = HTTPClientRequest(url: try await faultsURL())
        request.method = method
        request.body = .bytes(ByteBuffer(string: body))
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        guard response.status == .ok else { throw TestFailure("faults: \(response.status)") }
    }
}
