import ProblemSentences
import SyncModel
import SyncTiming
import Testing

@testable import SessionCore

@Suite("What keeps the server from doing what it is asked")
struct ServerTroubleTests {
    /// What disproves a trouble.
    enum End: Sendable {
        case answer
        case success(of: RetryKey, isPaused: Bool)
        case hindrance(of: RetryKey)
    }

    /// One way in which troubles end, and what is left of them.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let end: End
        var isSilent = true
        var isLeftAlone = true
        var hasPushes = false
        var isRefused = true
        var isHindered = true

        init(_ name: String, _ end: End, _ adjust: (inout Row) -> Void = { _ in }) {
            testDescription = name
            self.end = end
            adjust(&self)
        }
    }

    @Test(
        "Each trouble ends with what disproves it",
        arguments: [
            Row("any answer", .answer) { $0.isSilent = false },
            Row("the refused request is done", .success(of: .zone, isPaused: true)) {
                ($0.isSilent, $0.isRefused) = (false, false)
            },
            Row("another request is done", .success(of: .databaseChanges, isPaused: true)) { $0.isSilent = false },
            Row("one is done after the pause", .success(of: .databaseChanges, isPaused: false)) {
                ($0.isSilent, $0.isLeftAlone) = (false, false)
            },
            Row("the subscription is made", .success(of: .subscription, isPaused: true)) {
                ($0.isSilent, $0.hasPushes) = (false, true)
            },
            Row("a file is sent", .success(of: .path(FolderPath("a.txt")!), isPaused: true)),
            Row("the state is stored", .success(of: .state, isPaused: true)),
            Row("a page comes of a fetch without an end", .success(of: .zoneChanges, isPaused: true)) {
                $0.isSilent = false
            },
            Row("the fetch comes to its end", .hindrance(of: .zoneChanges)) { $0.isHindered = false },
            Row("another fetch comes to its end", .hindrance(of: .databaseChanges)),
        ])
    func ends(_ row: Row) {
        var trouble = ServerTrouble()
        let problem = Problem(.serverRefused, message: "refused", remedy: "")
        trouble.noteSilence(because: "no route", distrust: .untrusted("a name"), now: SteadyInstant.at(1))
        trouble.notePause("busy")
        trouble.notePushRefusal("no")
        trouble.noteRefusal(of: .zone, problem)
        trouble.noteHindrance(of: .zoneChanges, problem)
        switch row.end {
        case .answer: trouble.noteAnswer()
        case .success(let key, let isPaused): trouble.noteSuccess(of: key, isPaused: isPaused)
        case .hindrance(let key): trouble.endHindrance(of: key)
        }
        #expect((trouble.silence != nil) == row.isSilent && (trouble.distrust != nil) == row.isSilent)
        #expect((trouble.pause != nil) == row.isLeftAlone)
        #expect((trouble.pushRefusal == nil) == row.hasPushes)
        #expect(trouble.hasRefusals == row.isRefused)
        #expect(trouble.allHindrances == (row.isHindered ? [problem] : []))
    }

    @Test(
        "Silence lasts from the first request without an answer to the last one, and distrust only as long as it is told"
    )
    func silence() {
        var trouble = ServerTrouble()
        trouble.noteSilence(because: "1", distrust: .untrusted("a name"), now: SteadyInstant.at(1))
        trouble.noteSilence(because: "2", distrust: nil, now: SteadyInstant.at(5))
        #expect(trouble.silence == Silence(since: SteadyInstant.at(1), last: SteadyInstant.at(5), cause: "2"))
        #expect(trouble.distrust == nil && trouble.problem == nil)
    }
}
