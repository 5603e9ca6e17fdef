/// Whether a session is to end: what takes long asks from time to time.
package final class StopRequest {
    private var ending = Ending.none
    private let isStateRemoved: @Sendable () -> Bool

    /// Nobody wants it yet.
    /// - Parameter isStateRemoved: Whether the state directory was removed under the session: it ends then, for another one may have
    ///   the folder, with a state of its own.
    package init(isStateRemoved: @escaping @Sendable () -> Bool) { self.isStateRemoved = isStateRemoved }

    /// Whether the session is to end.
    package var isMade: Bool { ending != .none || isStateRemoved() }

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
