import CloudKitClient
import Synchronization

/// Counts a folder's requests and their bytes since its daemon began.
final class TrafficMeter: Sendable {
    private let traffic = Mutex(StatusReport.Traffic())

    var current: StatusReport.Traffic { traffic.withLock(\.self) }

    func note(_ request: RequestObservation) {
        traffic.withLock { traffic in
            traffic.requests += 1
            traffic.sentBytes += request.requestBytes
            traffic.receivedBytes += request.responseBytes
            switch request.status {
            case nil: traffic.unanswered += 1
            case .some(200..<300): break
            case .some: traffic.refused += 1
            }
        }
    }
}

extension StatusReport {
    /// Requests to the server since the daemon began, the courier's and repeated ones included.
    public struct Traffic: Codable, Hashable, Sendable {
        public var requests: Int64 = 0
        /// Those whose answer was no success.
        public var refused: Int64 = 0
        /// Those without a complete answer.
        public var unanswered: Int64 = 0
        public var sentBytes: Int64 = 0
        public var receivedBytes: Int64 = 0

        /// None yet.
        public init() {}
    }
}
