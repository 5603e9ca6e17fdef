/// Whether a session is to end: what takes long asks from time to time.
package final class StopRequest {
    private var ending = Ending.none

    /// Nobody wants it yet.
    package init() {}

    /// Whether the session is to end.
    package var isMade: Bool { ending != .none }

    /// Whether the folder is to be opened again after its end.
    package var isToReload: Bool { ending == .reload }

    /// Asks for the end.
    /// - Parameter toReload: Whether it is wanted so that the folder is opened again by another configuration.
    package func make(toReload: Bool) {
        // A stop is the last word, whatever is said after it.
        ending = toReload && ending != .stop ? .reload : .stop
    }

    private enum Ending {
        case none, stop, reload
    }
}
