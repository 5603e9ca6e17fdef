import CloudKitClient
import FolderSettings
import RequestPacing
import SyncTiming
import Synchronization

/// A transport that is as slow as a person wants it, so that others on the same line get their share.
///
/// Once it is released, nothing waits any more, and what is being sent in pieces breaks off: at its pace it could go on for
/// hours, and a folder that is closed, or opened again with another pace, waits for its end.
struct PacedTransport: CloudKitTransport {
    /// The largest piece that is charged at once: at the slowest rate each second brings one.
    private static let piece = TransferLimits.slowest

    let transport: any CloudKitTransport
    private let clock: SessionClock
    private let meters: Meters

    /// - Returns: The transport as it is where there is no limit.
    static func pacing(
        _ transport: any CloudKitTransport, by limits: TransferLimits, clock: SessionClock
    ) -> any CloudKitTransport {
        limits == TransferLimits() ? transport : Self(transport: transport, limits: limits, clock: clock)
    }

    init(transport: any CloudKitTransport, limits: TransferLimits, clock: SessionClock) {
        self.transport = transport
        self.clock = clock
        meters = Meters(limits)
    }

    /// Lets go of what waits; there is no way back.
    func release() { meters.release() }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let paced = try await begun(request)
        let response: TransportResponse
        do {
            response = try await transport.send(paced)
        } catch {
            if meters.isReleased, case .stream = request.body { throw .cancelled(requestMayHaveArrived: false) }
            throw error
        }
        // What came is here already: the next one waits for it.
        if request.lane != .courier { _ = meters.take(response.body.count, of: \.download, at: clock.steady()) }
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        let paced = try await begun(request)
        return try await transport.download(paced) { [meters, clock] bytes in
            try await sink(bytes)
            try await meters.rest(meters.take(bytes.count, of: \.download, at: clock.steady()), on: clock)
        }
    }

    func trusting(_ authority: PrivateAuthority?) -> any CloudKitTransport {
        Self(transport: transport.trusting(authority), clock: clock, meters: meters)
    }

    private init(transport: any CloudKitTransport, clock: SessionClock, meters: Meters) {
        self.transport = transport
        self.clock = clock
        self.meters = meters
    }

    /// Waits for the request's turn; a stream's pieces wait for theirs.
    private func begun(_ request: TransportRequest) async throws(TransportError) -> TransportRequest {
        guard request.lane != .courier else { return request }
        var paced = request
        var wait = meters.take(1, of: \.requests, at: clock.steady())
        switch request.body {
        case .none: break
        case .bytes(let bytes): wait = max(wait, meters.take(bytes.count, of: \.upload, at: clock.steady()))
        case .stream(let source):
            paced.body = .stream(
                ByteSource(length: source.length) { [meters, clock] offset, count in
                    let bytes = try await source.read(offset, meters.limitsUpload ? min(count, Self.piece) : count)
                    try await meters.rest(meters.take(bytes.count, of: \.upload, at: clock.steady()), on: clock)
                    guard !meters.isReleased else { throw CancellationError() }
                    return bytes
                })
        }
        do {
            try await meters.rest(wait, on: clock)
        } catch {
            throw .cancelled()
        }
        return paced
    }

    /// What is used so far, by all requests of a folder.
    private final class Meters: Sendable {
        struct Values {
            var upload: Allowance?
            var download: Allowance?
            var requests: Allowance?
        }

        private let values: Mutex<Values>
        private let released = Mutex(false)
        let limitsUpload: Bool

        var isReleased: Bool { released.withLock(\.self) }

        init(_ limits: TransferLimits) {
            values = Mutex(
                Values(
                    upload: limits.uploadBytes.map(Allowance.init), download: limits.downloadBytes.map(Allowance.init),
                    requests: limits.requests.map(Allowance.init)))
            limitsUpload = limits.uploadBytes != nil
        }

        func release() { released.withLock { $0 = true } }

        /// Waits, until it is released at the latest.
        func rest(_ wait: Duration, on clock: SessionClock) async throws {
            var left = wait
            while left > .zero, !isReleased {
                let part = min(left, .seconds(1))
                try await clock.sleep(part)
                left -= part
            }
        }

        func take(
            _ amount: Int, of part: any WritableKeyPath<Values, Allowance?> & Sendable, at now: Duration
        ) -> Duration {
            values.withLock { $0[keyPath: part]?.take(amount, at: now) ?? .zero }
        }
    }
}
