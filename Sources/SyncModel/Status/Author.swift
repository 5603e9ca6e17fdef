/// By whom a change was made.
public enum Author: Hashable, Sendable {
    /// The person at this folder.
    case person
    /// Another device or app, by the name under which the server knows it; `nil` where the server does not say.
    case device(String?)
    /// Somebody else, by their user record name, and the device or app, by the name under which the server knows it; `nil`
    /// where the server does not say.
    case other(user: String, device: String?)
    /// Another device, or somebody with whom the zone is shared: the server does not say by whom.
    case unknown
    /// Both sides: the values were merged.
    case merge
    /// A version taken back from history.
    case restore
}
