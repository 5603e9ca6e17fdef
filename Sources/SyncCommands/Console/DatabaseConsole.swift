import CloudKitClient
import CloudKitWire
import SyncEngine

/// Makes a console command's requests.
struct DatabaseConsole {
    enum Caller {
        case folder(DatabaseAccess)
        case address(DatabaseAddress, apiToken: String, TokenFile)
        case serverKey(DatabaseAddress, ServerKeySession)
    }

    let scope: DatabaseAddress.Scope
    let caller: Caller
    /// The zone that a folder stands for.
    let folderZone: String?

    /// The zone that a command means: the named one, else the folder's, else the default zone.
    func zone(_ name: String?, owner: String?) -> ZoneID {
        ZoneID(zoneName: name ?? folderZone ?? ZoneID.defaultZoneName, ownerRecordName: owner)
    }

    func call<Answer: WireValue>(
        _ operation: CloudKitOperation, _ message: (some WireValue)?, as: Answer.Type = Answer.self
    ) async throws -> Answer {
        let body: [UInt8]
        switch caller {
        case .folder(let access):
            let call = DatabaseCall(
                database: scope.rawValue, operation: operation.rawValue,
                body: message.map { String(decoding: $0.encoded(), as: UTF8.self) })
            body = Array(try await access.call(call).utf8)
        case .address(let address, let apiToken, let tokenFile):
            let session = WebAuthSession(apiToken: apiToken, store: tokenFile)
            body = try await Self.once { transport in
                CloudKitDatabase(address, session: session, transport: transport, logger: ProgramLog.silent)
            } call: {
                try await $0.call(operation, body: message?.encoded())
            }
        case .serverKey(let address, let key):
            body = try await Self.once { transport in
                CloudKitDatabase(address, serverKey: key, transport: transport, logger: ProgramLog.silent)
            } call: {
                try await $0.call(operation, body: message?.encoded())
            }
        }
        return try Answer.decode(body)
    }

    /// One request over a transport of its own.
    private static func once(
        _ database: (HTTPTransport) -> CloudKitDatabase, call: (CloudKitDatabase) async throws -> [UInt8]
    ) async throws -> [UInt8] {
        let transport = HTTPTransport()
        let outcome: Result<[UInt8], any Error>
        do { outcome = .success(try await call(database(transport))) } catch { outcome = .failure(error) }
        try await transport.shutdown()
        return try outcome.get()
    }
}

/// The body of a GET.
let noBody: ZonesLookupRequest? = nil
