import CloudKitClient
import ProblemSentences
import RemoteZone
import SyncModel
import SyncPlanning

/// What went well or wrong, and when it may be tried again.
extension FolderSession {
    /// Whether the database as a whole has to wait.
    var isDatabasePaused: Bool { retry.databaseResumes.map { $0 > now } ?? false }

    /// Whether the server cannot be reached: nothing is asked of it until it can, and one try is made for all folders.
    var isServerAway: Bool { environment.network?.isAway(server) ?? false }

    /// Whether the last request was answered, and the next one makes sense.
    var isOnline: Bool { trouble.silence == nil && !isServerAway }

    /// Notes that a thing went well.
    func succeeded(_ key: RetryKey) {
        trouble.noteSuccess(of: key, isPaused: isDatabasePaused)
        retry.succeeded(key, at: now)
    }

    /// Notes that a request was not answered by the server.
    func noteSilence(_ error: CloudKitError) {
        // A server that is not trusted is no network that is away: a person has to see to it.
        let distrust: Problem? = error.code == .transport(.untrusted) ? .untrusted(error.message) : nil
        trouble.noteSilence(because: error.reason ?? error.message, distrust: distrust, now: now)
    }

    /// Lets what waits for the network be tried again, where there is news of it.
    func takeNetworkNews() {
        switch inbox.news.takeNetworkNews() {
        case nil: break
        case .answered: retry.networkAnswered()
        case .returned:
            retry.networkReturned()
            // What was pushed meanwhile may be lost.
            oweDatabaseFetch()
        }
    }

    /// Notes that an action came to nothing: it is tried again at once, and with growing pauses if that repeats.
    func stoodStill(_ key: RetryKey, for obstacle: RetryObstacle = .server) {
        retry.cameToNothing(key, for: obstacle, at: now, using: &random)
    }

    /// Notes a failure and when the thing may be tried again.
    func waitAfterFailure(
        _ key: RetryKey, after: Duration?, atLeast least: Duration? = nil, pausing pause: ErrorReaction.Pause,
        for obstacle: RetryObstacle = .server
    ) {
        _ = retry.failed(
            key, after: after, atLeast: least, pausing: pause, for: obstacle, at: now, using: &random)
    }
}
