/// How fast a folder may use the network; `nil`: as fast as it goes.
public struct TransferLimits: Hashable, Sendable {
    /// The slowest that can be asked for, in bytes a second: below it a connection would look as if it stood still.
    public static let slowest = 10_000

    /// Bytes a second to the server, over all uploads of the folder.
    public var uploadBytes: Int?
    /// Bytes a second from the server, over all downloads of the folder.
    public var downloadBytes: Int?
    /// Requests a second; the courier's, which waits for pushes, is none.
    public var requests: Int?

    /// No limit at all.
    public init() {}
}
