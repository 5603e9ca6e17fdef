import NIOCore
import NIOPosix
import NIOSSL

/// A connection with TLS: no library makes another one in its place.
enum SecureConnection {
    /// Connects to a server on this machine for which an authority vouches; lets the connection end afterwards.
    static func with<Value>(
        _ url: String, _ authority: TestAuthority, _ body: (Conversation) async throws -> Value
    ) async throws -> Value {
        guard let port = url.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw TestFailure("no port: \(url)")
        }
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .file(authority.file)
        let context = try NIOSSLContext(configuration: configuration)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil))
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { answers, requests in
            try await body(Conversation(channel: channel.channel, answers: answers, requests: requests))
        }
    }

    /// Requests and answers on a connection.
    final class Conversation {
        private let channel: any Channel
        private var answers: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private let requests: NIOAsyncChannelOutboundWriter<ByteBuffer>

        init(
            channel: any Channel, answers: NIOAsyncChannelInboundStream<ByteBuffer>,
            requests: NIOAsyncChannelOutboundWriter<ByteBuffer>
        ) {
            self.channel = channel
            self.answers = answers.makeAsyncIterator()
            self.requests = requests
        }

        /// Asks for nothing in particular, and gives the answer's first words.
        func ask() async throws -> String {
            try await requests.write(ByteBuffer(string: "GET /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
            var text = ""
            // The answer has a body of some bytes after its head.
            while !text.contains("\r\n\r\n{") {
                guard let more = try await answers.next() else {
                    throw TestFailure("the connection was closed: \(text)")
                }
                text += String(buffer: more)
            }
            return String(text.prefix(12))
        }

        /// Takes nothing any more of what the server says, its goodbye included.
        func stopListening() async throws {
            try await channel.setOption(.autoRead, value: false).get()
        }

        /// The serial number of the certificate that the server showed; known once something was answered.
        var serial: [UInt8] {
            get async throws {
                guard let certificate = try await channel.nioSSL_peerCertificate().get() else {
                    throw TestFailure("no certificate was shown")
                }
                return certificate.serialNumber
            }
        }
    }
}
