/// A look at a path that is due at some time.
struct WaitingLook: Sendable {
    /// What the path waits for.
    enum Reason: Sendable {
        case renamed  // in place, or away within the folder
        case closed
        case settling
        case attributes
        case absence
        case requested  // by the one who looks, and not by an event

        var isPrompt: Bool { self == .renamed || self == .closed || self == .requested }
    }

    var due: Duration
    /// When it began to wait; no look is put off for ever.
    var since: Duration
    var reason: Reason
    /// Whether all below the path is looked at, too.
    var subtree: Bool

    func moved(to due: Duration) -> Self {
        var copy = self
        copy.due = due
        return copy
    }
}
