/// What is good news for those who wait for the network.
package enum NetworkNews: Int, Comparable, Sendable {
    /// A request was answered, after others had not been.
    case answered
    /// A server can be reached that could not, or a link came up: what was pushed meanwhile may be lost.
    case returned

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
