import CloudKitClient
import CloudKitWire
import SyncEngine
import Synchronization

/// A network on which a script answers, and that remembers what was asked.
final class ScriptedNetwork: CloudKitTransport {
    typealias Script = @Sendable (_ operation: String, _ body: String) throws(TransportError) -> TransportResponse

    private let script: Mutex<Script>
    private let asked = Mutex<[String]>([])

    init(_ script: @escaping Script) {
        self.script = Mutex(script)
    }

    /// Answers by another script from now on.
    func follow(_ script: @escaping Script) {
        self.script.withLock { $0 = script }
    }

    /// The bodies sent since the last call.
    func takeBodies() -> [String] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var body = ""
        if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
        asked.withLock { $0.append(body) }
        return try script.withLock { $0 }(FaultyNetwork.operation(of: request), body)
    }

    func download(
        _ request: TransportRequest, into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(TransportError) -> TransportResponse {
        throw .unreachable("nothing is downloaded here")
    }

    /// The private database, asked over this network.
    var database: CloudKitDatabase {
        CloudKitDatabase(
            DatabaseAddress(container: EngineWorld.container, environment: .development, scope: .private),
            session: WebAuthSession(apiToken: "api", store: InMemoryTokenStore(WebAuthToken("token"))),
            transport: self, logger: EngineWorld.quiet)
    }
}

extension TransportResponse {
    /// A page of `changes/database` that names zones, one that is gone with a `-` before its name.
    static func page(_ zones: String..., token: String, moreComing: Bool = false) -> Self {
        let named = zones.map { zone in
            zone.hasPrefix("-")
                ? #"{"zoneID": {"zoneName": "\#(zone.dropFirst())"}, "deleted": true}"#
                : #"{"zoneID": {"zoneName": "\#(zone)"}, "syncToken": "z"}"#
        }
        let text =
            #"{"zones": [\#(named.joined(separator: ", "))], "syncToken": "\#(token)", "moreComing": \#(moreComing)}"#
        return Self(status: 200, body: Array(text.utf8))
    }

    /// A refusal of the whole request.
    static func refusal(_ code: String, status: Int) -> Self {
        Self(status: status, body: Array(#"{"serverErrorCode": "\#(code)", "reason": "as told", "uuid": "u"}"#.utf8))
    }
}
