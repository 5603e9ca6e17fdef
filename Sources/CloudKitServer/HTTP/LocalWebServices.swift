import CloudKitWire
import Foundation
package import HTTPTypes
package import Logging

/// The protocol without a network: requests in, answers out, on one thread and in memory where the store is.
///
/// It does what ``WebServicesServer`` does with a request whose body has arrived; assets are kept in memory. For a simulation,
/// which hands in time, randomness and faults.
package final class LocalWebServices: Sendable {
    package let store: RecordStore
    private let assets: LocalAssets
    private let logger: Logger
    private let baseURL: String

    /// What a request has besides its path: all that matters of HTTP here.
    package struct Answer {
        package var status: Int
        package var headers: HTTPFields
        package var body: [UInt8]
    }

    /// - Parameter baseURL: What the URLs in answers begin with.
    package init(
        baseURL: String, surroundings: StoreSurroundings, settings: RecordStore.Settings = .init(), logger: Logger,
        pushes: @escaping @Sendable ([Push]) -> Void
    ) throws {
        let assets = LocalAssets()
        self.assets = assets
        self.logger = logger
        self.baseURL = baseURL
        store = try RecordStore(
            inMemoryWith: surroundings, settings: settings, holdsAsset: { sha256, _ in assets.holds(sha256) },
            pushes: pushes)
    }

    /// - Parameter target: Path and query of the URL.
    package func answer(_ target: String, _ body: [UInt8], under faults: [Fault] = []) throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1)
        let uuid = store.surroundings.uuid()
        guard let path = parts.first, let named = RequestTarget(path: String(path)) else {
            return Answer(.error(.noHandler(target), uuid: uuid))
        }
        switch named {
        case .database, .device:
            let call = OperationCall(
                store: store, logger: logger, target: named, query: queryParameters(parts.count > 1 ? parts[1] : ""),
                body: body, baseURL: baseURL, uuid: uuid)
            return Answer(call.perform(under: faults).0)
        case .assetUpload:
            guard let upload = store.assetUpload(at: target) else { return Answer(.plain(403, "")) }
            let hash = assets.keep(body)
            return Answer(.json(store.receive(upload, sha256: hash, size: Int64(body.count))))
        case .assetDownload:
            guard let asset = try store.asset(at: target), let bytes = assets.bytes(asset.sha256) else {
                return Answer(.plain(410, ""))
            }
            let altered = AnswerFaults(faults, operation: named.name, now: store.surroundings.now()).content(bytes)
            return Answer(status: 200, headers: [:], body: altered)
        case .courier, .signIn, .invitation: return Answer(.plain(404, ""))
        }
    }

    /// The operation that a path names, as faults know it; `nil` for one that leads nowhere.
    package static func operation(of target: String) -> String? {
        RequestTarget(path: String(target.prefix { $0 != "?" }))?.name
    }
}

extension LocalWebServices.Answer {
    fileprivate init(_ answer: Answer) {
        self.init(status: answer.status, headers: answer.headers, body: answer.body)
    }
}
