import CloudKitClient

/// How many bytes go in one request at most: fewer after such as got no answer in time, as on a slow line.
package struct RequestLimit: Sendable {
    package private(set) var bytes = Self.largest

    package init() {}

    private static let largest = ModifyBatcher().maximumBytes
    /// On the slowest of lines.
    package static let least = 20_000

    /// Takes in how a request fared.
    package mutating func note(isAnswered: Bool) {
        bytes = isAnswered ? min(Self.largest, bytes * 2) : max(Self.least, bytes / 2)
    }
}
