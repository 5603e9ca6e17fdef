import FolderControl
import SyncTiming

/// Those who wait for a session: until it has settled, until the folder was looked at or the server was asked after them
/// what changed, or until the cycle that goes on has come to its end.
///
/// Nobody waits for what will not come: who is answered so is told that it did not, and why is the session's to say.
struct SessionWaiters: Sendable {
    /// Somebody who wants to hear how the folder stands once it has settled.
    struct Question: Sendable {
        /// When it began to wait.
        let asked: SteadyInstant
        /// Whether it gives up by itself.
        let isLimited: Bool
        let daemon: StatusReport.Daemon
        let watch: @Sendable () -> StatusReport.Watch?
    }

    /// Somebody's wait, by its number.
    enum Wait: Sendable {
        case settling(Int), look(Int), fetch(Int), rest(Int)
    }

    private var forSettling = Waiters<Question, StatusReport>()
    private var forLook = Waiters<Void, Bool>()
    private var forFetch = Waiters<Void, Bool>()
    private var forRest = Waiters<Void, Bool>()

    // MARK: Until the folder has settled

    mutating func waitForSettling(
        _ question: Question, _ continuation: CheckedContinuation<StatusReport, Never>
    ) -> Int {
        forSettling.add(question, continuation)
    }

    /// Answers those whose wait is over.
    /// - Parameters:
    ///   - isOver: Whether all that can be done is done. It is not asked for where nobody waits.
    ///   - isSilent: Whether the server was tried after a moment and gave no answer: who has no limit waits no longer then.
    mutating func answer(
        isOver: @autoclosure () -> Bool, isSilent: (SteadyInstant) -> Bool, report: (Question) -> StatusReport
    ) {
        guard !forSettling.isEmpty else { return }
        let isOver = isOver()
        forSettling.answer(where: { isOver || !$0.isLimited && isSilent($0.asked) }, with: report)
    }

    // MARK: Until the folder was looked at

    mutating func waitForLook(_ continuation: CheckedContinuation<Bool, Never>) -> Int {
        forLook.add((), continuation)
    }

    /// Answers those who wait for a look, where what they owed is done, or will not be.
    /// - Parameters:
    ///   - isDone: Not asked for where nobody waits, as the other one.
    ///   - isHopeless: Whether nothing is looked at any more.
    mutating func finishLook(isDone: @autoclosure () -> Bool, isHopeless: @autoclosure () -> Bool) {
        guard !forLook.isEmpty else { return }
        let isDone = isDone()
        guard isDone || isHopeless() else { return }
        forLook.answer(where: { _ in true }, with: { isDone })
    }

    // MARK: Until the server was asked what changed

    /// Whether somebody waits for a fetch.
    var isFetchAwaited: Bool { !forFetch.isEmpty }

    mutating func waitForFetch(_ continuation: CheckedContinuation<Bool, Never>) -> Int {
        forFetch.add((), continuation)
    }

    /// Answers those who wait for a fetch, where what they owed is done, or will not be.
    /// - Parameter isHopeless: Not asked for where nobody waits.
    mutating func finishFetch(isDone: Bool, isHopeless: @autoclosure () -> Bool) {
        guard !forFetch.isEmpty, isDone || isHopeless() else { return }
        forFetch.answer(where: { _ in true }, with: { isDone })
    }

    // MARK: Until the cycle is over

    mutating func waitForRest(_ continuation: CheckedContinuation<Bool, Never>) -> Int {
        forRest.add((), continuation)
    }

    mutating func rest() {
        forRest.answer(where: { _ in true }, with: { true })
    }

    // MARK: In vain

    /// Answers somebody whom nobody has answered yet.
    mutating func giveUp(_ wait: Wait, report: (Question) -> StatusReport) {
        switch wait {
        case .settling(let number): forSettling.answer(number, with: report)
        case .look(let number): forLook.answer(number, with: { false })
        case .fetch(let number): forFetch.answer(number, with: { false })
        case .rest(let number): forRest.answer(number, with: { false })
        }
    }
}
