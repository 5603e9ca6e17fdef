package import CloudKitClient
import CloudKitWire
import FolderKnowledge
import Logging
import RequestPacing
import SessionCore

/// Failures of requests: what each asks for.
extension ZoneAccess {
    /// Notes that a request failed, and gives `false` for the caller to stop with.
    func wait(for key: RetryKey, after error: CloudKitError) -> Bool {
        logger.info("A request failed", metadata: ["error": "\(error)"])
        let reaction = error.reaction(attempts: setbacks.failures(of: key))
        if error.isSilence || error.obstacle == .credentials {
            setbacks.noteSilence(error)
        } else {
            setbacks.noteAnswer()
            if case .retry(_, pausing: .database) = reaction { setbacks.notePause(error.message) }
        }
        doubtAccount(after: reaction, reason: error.reason)
        events.noteFailure(
            of: key, reaction, code: error.word, message: error.message, isAccountKnown: account.status != nil)
        return wait(for: key, after: reaction, reason: error.reason, by: error.obstacle)
    }

    /// Asks for the account again, before anything else, where a refusal may be due to it (S1.10).
    package func doubtAccount(after reaction: ErrorReaction, reason: String?) {
        switch reaction {
        case .hold(.noPermission): account.doubt()
        // A 503 that names the account is no matter of the service's load (protocol §7.5).
        case .retry(_, pausing: .database) where reason?.lowercased().contains("account") == true: account.doubt()
        default: break
        }
    }

    /// Notes that the server refused the one thing that a request was about, and gives `false` for the caller to stop with.
    func wait(for key: RetryKey, after reaction: ErrorReaction, refusing error: ErrorDictionary) -> Bool {
        events.noteFailure(
            of: key, reaction, code: error.serverErrorCode.rawValue,
            message: error.reason ?? error.serverErrorCode.rawValue, isAccountKnown: account.status != nil)
        return wait(for: key, after: reaction, reason: error.reason)
    }

    /// Notes what a failure asks for, and gives `false` for the caller to stop with.
    /// - Parameter reason: The server's words.
    func wait(
        for key: RetryKey, after reaction: ErrorReaction, reason: String? = nil, by obstacle: RetryObstacle = .server
    ) -> Bool {
        switch reaction {
        case .retry(let after, let pause): setbacks.failed(key, after: after, pausing: pause, for: obstacle)
        case .signIn: credentialsWereRefused()
        case .recreate(.zone):
            zoneIsGone()
            setbacks.failed(key)
        case .hold(let hold):
            if key == .subscription {
                setbacks.notePushRefusal(
                    [hold.reason, reason.map { "(\($0))" }].compactMap(\.self).joined(separator: " "))
            } else {
                setbacks.noteRefusal(
                    of: key, .refused(hold, asking: key, zone: knowledge.zoneID.zoneName, reason: reason))
            }
            setbacks.failed(key, atLeast: .seconds(60))
        case .refetch, .lookUpAndMerge, .split, .recreate, .done: setbacks.failed(key)
        }
        return false
    }
}
