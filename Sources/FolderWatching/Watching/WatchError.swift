/// Why a folder cannot be watched at all.
public struct WatchError: Error, Hashable, CustomStringConvertible {
    /// What to branch on.
    public enum Code: Hashable, Sendable {
        case noInotify, descriptorTooHigh, descriptorNotFound
    }

    /// What to branch on.
    public var code: Code
    /// What is wrong and the way out, for a person.
    public var message: String
    /// The message.
    public var description: String { message }

    static func noInotify(errno: Int32) -> Self {
        Self(
            code: .noInotify,
            message: "The kernel gives no inotify instance (errno \(errno)). If other programs hold them all, raise "
                + "the limit: sysctl fs.inotify.max_user_instances=1024")
    }

    static func descriptorTooHigh(_ descriptor: Int32) -> Self {
        Self(
            code: .descriptorTooHigh,
            message: "The inotify descriptor is \(descriptor), and libinotifytools needs one below 1024. "
                + "Start watching before other files and connections are opened.")
    }

    static func descriptorNotFound() -> Self {
        Self(
            code: .descriptorNotFound,
            message: "The inotify descriptor could not be found in /proc/self/fd. Mount /proc and start again.")
    }
}
