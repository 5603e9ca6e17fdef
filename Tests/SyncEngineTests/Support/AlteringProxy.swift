import CloudKitClient
import Synchronization

/// Something on the way to the server that alters what assets hold, but not how long they are.
final class AlteringProxy: CloudKitTransport {
    typealias Alteration = @Sendable ([UInt8], TransportRequest) -> [UInt8]

    private struct State {
        var downloads: Alteration?
        var uploads: Alteration?
        var lanes: [TransportRequest.Lane] = []
    }

    private let network: any CloudKitTransport
    private let state = Mutex(State())

    init(_ network: any CloudKitTransport) {
        self.network = network
    }

    /// Alters what comes down from now on; `nil`: nothing.
    func alterDownloads(_ alteration: Alteration?) {
        state.withLock { $0.downloads = alteration }
    }

    /// The same for what goes up.
    func alterUploads(_ alteration: Alteration?) {
        state.withLock { $0.uploads = alteration }
    }

    /// How assets were asked for since the last call.
    func takeLanes() -> [TransportRequest.Lane] {
        state.withLock { state in
            defer { state.lanes = [] }
            return state.lanes
        }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.lane == .content, case .stream(let source) = request.body,
            let alteration = state.withLock({ $0.uploads })
        else { return try await network.send(request) }
        var bytes: [UInt8] = []
        do {
            while bytes.count < source.length { bytes += try await source.read(Int64(bytes.count), 65_536) }
        } catch {
            throw .sourceFailed(error)
        }
        var altered = request
        altered.body = .stream(ByteSource(bytes: alteration(bytes, request)))
        return try await network.send(altered)
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        let alteration = state.withLock { state in
            state.lanes.append(request.lane)
            return state.downloads
        }
        guard let alteration else { return try await network.download(request, into: sink) }
        let whole = Mutex<[UInt8]>([])
        let response = try await network.download(request) { piece in whole.withLock { $0 += piece } }
        guard response.status == 200 else { return response }
        do {
            try await sink(alteration(whole.withLock(\.self), request))
        } catch {
            throw .sinkFailed(error)
        }
        return response
    }
}

/// A server whose checksums say nothing of the bytes, as Apple's.
struct OpaqueChecksums: CloudKitTransport {
    private let network: any CloudKitTransport
    /// Checksums of this project's making begin with the one, and those of the other beginning are none.
    private static let (known, opaque) = (#""fileChecksum":"W"#, #""fileChecksum":"A"#)

    init(_ network: any CloudKitTransport) {
        self.network = network
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        if case .bytes(let bytes) = request.body {
            request.body = .bytes(Self.replace(Self.opaque, by: Self.known, in: bytes))
        }
        var response = try await network.send(request)
        response.body = Self.replace(Self.known, by: Self.opaque, in: response.body)
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        try await network.download(request, into: sink)
    }

    private static func replace(_ old: String, by new: String, in bytes: [UInt8]) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).replacing(old, with: new).utf8)
    }
}
