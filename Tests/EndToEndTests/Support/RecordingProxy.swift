import NIOCore
import NIOPosix
import Synchronization

/// Stands between programs and their server, passes every byte on as it comes, and keeps what was said.
///
/// A side that hangs up takes the other along, so neither can tell that somebody listens.
final class RecordingProxy: Sendable {
    /// The URL to reach the server by.
    let url: String
    private let recording: WireRecording
    private let relaying: Task<Void, any Error>

    /// Listens on a free port.
    init(to serverURL: String) async throws {
        guard let match = serverURL.wholeMatch(of: /http:\/\/(.+):(\d+)/), let port = Int(match.2) else {
            throw TestFailure("no server's URL: \(serverURL)")
        }
        let host = String(match.1)
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try Self.asynchronous(channel) }
            }
        guard let ownPort = listener.channel.localAddress?.port else { throw TestFailure("the proxy has no port") }
        url = "http://127.0.0.1:\(ownPort)"
        let recording = WireRecording()
        self.recording = recording
        relaying = Task {
            try await withThrowingDiscardingTaskGroup { group in
                try await listener.executeThenClose { connections in
                    for try await connection in connections {
                        // A connection that breaks is the business of those who talk over it.
                        group.addTask { try? await Self.relay(connection, to: host, port, recording) }
                    }
                }
            }
        }
    }

    deinit {
        relaying.cancel()
    }

    /// What was said so far, in the order in which the requests came.
    var exchanges: [WireExchange] { recording.exchanges }

    /// What was said after a moment that ``mark`` gave.
    func exchanges(since mark: Int) -> [WireExchange] { Array(exchanges.dropFirst(mark)) }

    /// A moment to count from.
    var mark: Int { exchanges.count }

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private static func asynchronous(_ channel: any Channel) throws -> Connection {
        try NIOAsyncChannel(wrappingChannelSynchronously: channel)
    }

    private static func relay(
        _ connection: Connection, to host: String, _ port: Int, _ recording: WireRecording
    ) async throws {
        let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try asynchronous(channel) }
            }
        let conversation = WireConversation(in: recording)
        try await connection.executeThenClose { requests, answersOut in
            try await server.executeThenClose { answers, requestsOut in
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for try await bytes in requests {
                            conversation.client(said: bytes.readableBytesView)
                            try await requestsOut.write(bytes)
                        }
                    }
                    group.addTask {
                        for try await bytes in answers {
                            conversation.server(said: bytes.readableBytesView)
                            try await answersOut.write(bytes)
                        }
                    }
                    try await group.next()
                    group.cancelAll()
                }
            }
        }
    }
}
