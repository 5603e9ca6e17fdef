package import SyncModel
package import SyncTiming

/// What keeps the server from doing what it is asked, as far as the last requests told.
///
/// Each trouble ends with what disproves it: silence and distrust with any answer, a refusal with the same request's success,
/// the wish to be left alone with the first success once its time is over.
package struct ServerTrouble: Sendable {
    /// Why no request was answered since the last one that was.
    package private(set) var silence: Silence?
    /// Why the server is not believed to be the server; asked again as any server that is not reached.
    package private(set) var distrust: Problem?
    /// Why this machine cannot keep the sign-in, so that nothing is asked of the server.
    package private(set) var unkeptSignIn: Problem?
    /// Why the server wants no requests of this database for now, in its words.
    package private(set) var pause: String?
    /// Why the server makes no subscription, so that no push comes.
    package private(set) var pushRefusal: String?
    /// What keeps the zone as a whole from being synced, by the request that was refused.
    private var refusals: [RetryKey: Problem] = [:]
    /// What keeps a fetch from its end though the server answers, by the request.
    private var hindrances: [RetryKey: Problem] = [:]

    // MARK: Silence

    /// Notes that a request was not answered by the server.
    /// - Parameter distrust: Set where what answered is not believed to be it.
    mutating func noteSilence(because cause: String, distrust: Problem?, now: SteadyInstant) {
        silence = Silence(since: silence?.since ?? now, last: now, cause: cause)
        self.distrust = distrust
    }

    /// Notes that the server answered, whatever it said.
    mutating func noteAnswer() {
        silence = nil
        distrust = nil
        unkeptSignIn = nil
    }

    /// Notes that the sign-in cannot be kept here.
    mutating func noteUnkeptSignIn(_ problem: Problem) { unkeptSignIn = problem }

    // MARK: Refusals

    /// Notes that the server asks to be left alone for a while.
    mutating func notePause(_ reason: String) {
        pause = reason
    }

    /// Notes that a request was refused that all others wait for.
    mutating func noteRefusal(of key: RetryKey, _ problem: Problem) {
        refusals[key] = problem
    }

    /// Notes that the server makes no subscription: everything goes on without it.
    mutating func notePushRefusal(_ reason: String) {
        pushRefusal = reason
    }

    /// Notes that a request, or an action, was done.
    /// - Parameter isPaused: Whether the server is still to be left alone.
    mutating func noteSuccess(of key: RetryKey, isPaused: Bool) {
        switch key {
        case .account, .zone, .subscription, .databaseChanges, .zoneChanges: noteAnswer()
        case .state, .record, .path: break
        }
        unkeptSignIn = nil
        if !isPaused { pause = nil }
        refusals[key] = nil
        if key == .subscription { pushRefusal = nil }
    }

    /// Whether something was refused that all else waits for.
    package var hasRefusals: Bool { !refusals.isEmpty }

    /// What a person is told of all files together.
    package var problem: Problem? { distrust ?? unkeptSignIn ?? Self.sorted(refusals).first }

    // MARK: Fetches that come to no end

    /// Notes why a fetch comes to no end, though the server answers.
    mutating func noteHindrance(of key: RetryKey, _ problem: Problem) {
        hindrances[key] = problem
    }

    /// Notes that a fetch came to its end, or that there is nothing to fetch any more.
    mutating func endHindrance(of key: RetryKey) {
        hindrances[key] = nil
    }

    /// In an order that does not change.
    package var allHindrances: [Problem] { Self.sorted(hindrances) }

    private static func sorted(_ problems: [RetryKey: Problem]) -> [Problem] {
        problems.sorted { "\($0.key)" < "\($1.key)" }.map(\.value)
    }
}

/// Requests that get no answer.
package struct Silence: Hashable, Sendable {
    /// Since when none was answered.
    package var since: SteadyInstant
    /// When the last one was not.
    package var last: SteadyInstant
    /// In words for people.
    package var cause: String
}
