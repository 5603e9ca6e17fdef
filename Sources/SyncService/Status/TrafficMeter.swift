import CloudKitClient
import FolderControl
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
