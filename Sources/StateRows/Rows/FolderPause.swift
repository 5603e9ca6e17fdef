/// That a person wants no syncing of a folder for now.
public struct FolderPause: Hashable, Sendable {
    /// When it began, in milliseconds since 1970.
    public var sinceMilliseconds: Int64
    /// When it ends by itself; `nil`: only a person ends it.
    public var untilMilliseconds: Int64?

    /// How a pause stands at some moment.
    public enum Standing: Hashable, Sendable {
        /// It goes on, for so long where it ends by itself.
        case holds(Duration?)
        /// The clock shows a time before its beginning, so it was put back: the pause takes its whole time from now on.
        case beginsAnew(FolderPause)
        /// Its time is up.
        case over
    }

    /// A pause of a folder.
    public init(sinceMilliseconds: Int64, untilMilliseconds: Int64? = nil) {
        self.sinceMilliseconds = sinceMilliseconds
        self.untilMilliseconds = untilMilliseconds
    }

    /// A pause that a person asks for; one that goes on already gets another end, and keeps its beginning.
    /// - Parameters:
    ///   - length: Until it ends by itself, whole milliseconds; `nil`: only a person ends it.
    ///   - former: The last one.
    public init(at milliseconds: Int64, for length: Duration?, after former: FolderPause?) {
        sinceMilliseconds =
            if let former, case .holds = former.standing(at: milliseconds) {
                former.sinceMilliseconds
            } else {
                milliseconds
            }
        untilMilliseconds = length.map { milliseconds + Int64($0 / .milliseconds(1)) }
    }

    /// Whether it goes on.
    public func standing(at milliseconds: Int64) -> Standing {
        guard let untilMilliseconds else { return .holds(nil) }
        guard milliseconds >= sinceMilliseconds else {
            let length = untilMilliseconds - sinceMilliseconds
            return .beginsAnew(
                FolderPause(sinceMilliseconds: milliseconds, untilMilliseconds: milliseconds + length))
        }
        return milliseconds < untilMilliseconds ? .holds(.milliseconds(untilMilliseconds - milliseconds)) : .over
    }

    /// Whether it keeps the folder from being synced.
    public func isInForce(at milliseconds: Int64) -> Bool {
        standing(at: milliseconds) != .over
    }
}
