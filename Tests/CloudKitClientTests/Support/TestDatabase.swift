import CloudKitClient
import CloudKitWire
import Logging

let testAddress = DatabaseAddress(
    container: "iCloud.example", environment: .development, scope: .private, baseURL: "http://server.example:8080/")

let folder = ZoneID(zoneName: "Folder")

/// A database over a scripted server, signed in with the token `t0`.
func database(
    _ transport: ScriptedTransport, store: any WebAuthTokenStore = InMemoryTokenStore(WebAuthToken("t0")),
    onRequest: RequestObserver? = nil, address: DatabaseAddress = testAddress
) -> CloudKitDatabase {
    CloudKitDatabase(
        address, session: WebAuthSession(apiToken: "0123abcd", store: store), transport: transport,
        logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }), onRequest: onRequest,
        now: { .zero })
}

/// The error that a call throws, or `nil` where it throws none.
func failure<Value>(_ call: () async throws(CloudKitError) -> Value) async -> CloudKitError? {
    do {
        _ = try await call()
        return nil
    } catch {
        return error
    }
}
