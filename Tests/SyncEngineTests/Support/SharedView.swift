import CloudKitClient
import Foundation
import Synchronization

/// The shared database as a participant sees it, made of the owner's private one: the server is asked for that, and what
/// sharing adds is put into its answers.
final class SharedView: CloudKitTransport {
    private struct State {
        var shares: [String] = []
        var isShared = true
        var isLossNamed = true
        var owner = ""
        var bodies: [String] = []
    }

    private let network: any CloudKitTransport
    private let state = Mutex(State())

    init(_ network: any CloudKitTransport, owner: String) {
        self.network = network
        state.withLock { $0.owner = owner }
    }

    /// The records about sharing, as JSON, that every page of the zone names from now on.
    func share(_ records: String...) {
        state.withLock { $0.shares = records }
    }

    /// Whether the owner shares the zone.
    /// - Parameter isNamed: Whether `changes/database` says so where not.
    func setShared(_ isShared: Bool, isNamed: Bool = true) {
        state.withLock { state in
            state.isShared = isShared
            state.isLossNamed = isNamed
        }
    }

    /// The bodies of `records/modify` since the last call.
    func takeSaves() -> [String] {
        state.withLock { state in
            defer { state.bodies = [] }
            return state.bodies
        }
    }

    /// A share of the whole zone, with what the caller may do.
    static func zoneShare(_ permission: String) -> String {
        share("cloudkit.zoneshare", permission)
    }

    static func share(_ name: String, _ permission: String) -> String {
        #"{"recordName": "\#(name)", "recordType": "cloudkit.share", "recordChangeTag": "\#(permission)", "#
            + #""fields": {"title": {"value": "Ours"}}, "publicPermission": "NONE", "#
            + #""currentUserParticipant": {"type": "USER", "permission": "\#(permission)"}}"#
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.url.contains("/shared/"), case .bytes(let bytes) = request.body else {
            var request = request
            request.url = request.url.replacing("/shared/", with: "/private/")
            let response = try await network.send(request)
            let isList = FaultyNetwork.operation(of: request) == "zones/list"
            return isList && !isShared ? TransportResponse(status: 200, body: Array(#"{"zones": []}"#.utf8)) : response
        }
        let (isShared, shares, owner) = state.withLock { ($0.isShared, $0.shares, $0.owner) }
        let operation = FaultyNetwork.operation(of: request)
        let body = String(decoding: bytes, as: UTF8.self)
        if operation == "records/modify" { state.withLock { $0.bodies.append(body) } }
        var own = request
        own.url = request.url.replacing("/shared/", with: "/private/")
        own.body = .bytes(Array(body.replacing(#","ownerRecordName":"\#(owner)""#, with: "").utf8))
        let response = try await network.send(own)
        guard operation.hasPrefix("changes/"), response.status == 200 else { return response }
        return TransportResponse(
            status: 200, headers: response.headers,
            body: Self.altered(
                response.body, operation: operation, isLost: !isShared && (isLossNamed || operation == "changes/zone"),
                shares: shares, owner: owner))
    }

    private var isShared: Bool { state.withLock(\.isShared) }
    private var isLossNamed: Bool { state.withLock(\.isLossNamed) }

    private static func altered(
        _ body: [UInt8], operation: String, isLost: Bool, shares: [String], owner: String
    ) -> [UInt8] {
        let zoneID = ["zoneName": "Notes", "ownerRecordName": owner]
        guard var json = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            var zones = json["zones"] as? [[String: Any]]
        else { return body }
        switch operation {
        case "changes/database" where isLost: zones = [["zoneID": zoneID, "deleted": true]]
        case "changes/zone" where isLost:
            zones = [["zoneID": zoneID, "serverErrorCode": "ZONE_NOT_FOUND", "reason": "not shared"]]
        case "changes/zone":
            var records = zones[0]["records"] as? [Any] ?? []
            records += shares.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
            zones[0]["records"] = records
        default: break
        }
        json["zones"] = zones
        return (try? JSONSerialization.data(withJSONObject: json)).map(Array.init) ?? body
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        try await network.download(request, into: sink)
    }
}

/// One's own zone in which something is shared: every page of its feed names a share that allows to look only.
final class FeedWithShare: CloudKitTransport {
    private let network: any CloudKitTransport

    init(_ network: any CloudKitTransport) {
        self.network = network
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var response = try await network.send(request)
        guard FaultyNetwork.operation(of: request) == "changes/zone" else { return response }
        let text = String(decoding: response.body, as: UTF8.self)
        let isEmpty = text.contains(#""records":[]"#)
        let share = SharedView.zoneShare("READ_ONLY") + (isEmpty ? "" : ",")
        response.body = Array(text.replacing(#""records":["#, with: #""records":["# + share).utf8)
        return response
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        try await network.download(request, into: sink)
    }
}
