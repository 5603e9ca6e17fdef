public import HTTPTypes

/// An HTTP request, before any transport has seen it.
public struct TransportRequest: Sendable {
    /// Which pool of connections a request travels in.
    ///
    /// The content host must not share connections with the API host: over one HTTP/2 connection it answers 421
    /// Misdirected Request (protocol §3.10). The courier's request hangs for minutes and would block others.
    public enum Lane: Hashable, Sendable, CaseIterable {
        case api, content, courier
        /// The content host again, over a connection that is made for this request and closed after it: what altered an
        /// answer on the way may sit on the connection.
        case freshContent
    }

    /// What is sent after the head.
    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        case stream(ByteSource)
    }

    /// Which connections carry it.
    public var lane: Lane
    /// GET or POST.
    public var method: HTTPRequest.Method
    /// Complete, with the query; may hold credentials, so it belongs in no log.
    public var url: String
    /// Without those that the transport adds itself.
    public var headers: HTTPFields
    /// What follows the head.
    public var body: Body

    /// A request with its complete URL.
    public init(
        lane: Lane, method: HTTPRequest.Method, url: String, headers: HTTPFields = [:], body: Body = .none
    ) {
        self.lane = lane
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Bytes in the body.
    public var bodyLength: Int64 {
        switch body {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .stream(let source): source.length
        }
    }
}

/// A file to send, read piece by piece while it travels, so that it is never wholly in memory.
public struct ByteSource: Sendable {
    /// In bytes; a source that turns out shorter or longer fails the request.
    public var length: Int64
    /// Reads up to `count` bytes at an offset; empty only at the end. Throws where the file is gone or was changed.
    public var read: @Sendable (_ offset: Int64, _ count: Int) async throws -> [UInt8]

    /// A source of a known length.
    public init(length: Int64, read: @escaping @Sendable (_ offset: Int64, _ count: Int) async throws -> [UInt8]) {
        self.length = length
        self.read = read
    }

    /// A source over bytes in memory, for small assets and tests.
    public init(bytes: [UInt8]) {
        self.init(length: Int64(bytes.count)) { offset, count in
            Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
    }
}

/// An HTTP answer, whatever its status.
public struct TransportResponse: Sendable {
    /// Such as 200.
    public var status: Int
    /// All headers; names compare without case.
    public var headers: HTTPFields
    /// Decompressed; empty after a download that went to its sink.
    public var body: [UInt8]

    /// An answer with its collected body.
    public init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
