import CloudKitClient
import SyncModel
import SyncPlanning

/// What went well or wrong, and when it may be tried again.
extension FolderSession {
    /// Whether the database as a whole has to wait.
    var isDatabasePaused: Bool { retry.databaseResumes.map { $0 > now } ?? false }

    /// Notes that a thing went well.
    func succeeded(_ key: RetryKey) {
        switch key {
        case .account, .zone, .subscription, .databaseChanges, .zoneChanges: isOnline = true
        case .state, .record, .path: break
        }
        retry.succeeded(key, at: now)
        requestProblems[key] = nil
        if key == .subscription { pushProblem = nil }
        standstills[key] = nil
    }

    /// Notes that an action came to nothing: it is tried again at once, and with growing pauses if that repeats.
    func stoodStill(_ key: RetryKey) {
        standstills[key, default: 0] += 1
        if standstills[key]! > 2 { waitAfterFailure(key, after: nil, pausing: .item) }
    }

    /// Notes a failure and when the thing may be tried again.
    func waitAfterFailure(_ key: RetryKey, after: Duration?, pausing pause: ErrorReaction.Pause) {
        _ = retry.failed(key, after: after, pausing: pause, at: now, using: &random)
    }
}
