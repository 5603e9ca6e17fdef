import NIOCore

/// A connection that came, and is closed where nobody takes it any more, as one that comes while the listener ends.
///
/// A `NIOAsyncChannel` in its place would end the process: it must not go without having been used.
final class Arrival: Sendable {
    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    deinit { channel.close(promise: nil) }

    /// The connection, which is read from now on; asked for once.
    func connection() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let connection = try await channel.eventLoop.submit { [channel] in
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }.get()
        try? await channel.setOption(.autoRead, value: true).get()
        return connection
    }
}
