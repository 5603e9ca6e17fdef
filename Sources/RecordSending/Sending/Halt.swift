import CloudKitClient
import RequestPacing
import Synchronization

/// Whether the server asked everybody to wait; shared by requests under way at the same time.
final class Halt: Sendable {
    private let state = Mutex<SendResult?>(nil)

    /// What becomes of all that was not sent for that.
    var result: SendResult? { state.withLock(\.self) }

    func note(_ reaction: ErrorReaction, _ error: CloudKitError) {
        switch reaction {
        case .retry(_, pausing: .database), .signIn:
            let result = SendResult.refused(
                .retry(after: nil, pausing: .database), code: error.word, reason: error.message, .unsent,
                error.obstacle)
            state.withLock { $0 = result }
        default: break
        }
    }
}
