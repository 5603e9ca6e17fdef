import CloudKitClient
import CloudKitWire
import FolderKnowledge
public import FolderSettings
public import Logging
import StateRows
import StateStorage

/// Whether the server of another configuration is the folder's by another name.
public enum ServerComparison: Hashable, Sendable {
    /// The account is the same, and the zone is there.
    case same
    /// It is not, in words.
    case other(String)
    /// It did not say, in words.
    case unanswered(String)

    /// Asks it who is signed in, and for the zone, with the folder's credentials; nothing is changed there.
    /// - Throws: `StateError` with the code `locked` while a daemon runs, and what keeps the credentials from being used.
    public static func compare(
        _ configuration: FolderConfiguration, with directory: StateDirectory, logger: Logger
    ) async throws -> Self {
        try directory.prepare()
        let lock = try FolderLock(of: directory)
        defer { withExtendedLifetime(lock) {} }
        let known = try StateStore.look(at: directory) { try $0.facts().account }
        let session = try FolderAccount(of: directory).session
        let authority = try configuration.privateAuthority
        let transport = HTTPTransport()
        let database = CloudKitDatabase(
            configuration.databaseAddress, session: session, transport: transport.trusting(authority), logger: logger)
        let outcome = await ask(database, configuration, known: known)
        try? await transport.shutdown()  // Every answer is there; the token is what must not be lost.
        try await session.flush()
        return outcome
    }

    private static func ask(
        _ database: CloudKitDatabase, _ configuration: FolderConfiguration, known: String?
    ) async -> Self {
        let caller: Result<UserIdentity, CloudKitError>
        do throws(CloudKitError) {
            caller = .success(try await database.caller())
        } catch {
            caller = .failure(error)
        }
        switch AccountStatus(caller, known: known) {
        case .available: break
        case .switched(_, let other):
            return .other(
                "\(configuration.server) knows this sign-in as \(other), not as \(known ?? "the account of before").")
        case .noAccount: return .other("\(configuration.server) does not know this sign-in.")
        case .restricted(let reason), .temporarilyUnavailable(let reason):
            return .unanswered(reason ?? "The account may not be used there.")
        case .couldNotDetermine(let reason): return .unanswered(reason)
        }
        do throws(CloudKitError) {
            guard case .success? = try await database.lookUpZones([configuration.zoneID]).first else {
                return .other("\(configuration.server) has the account, but no zone '\(configuration.zone)'.")
            }
            return .same
        } catch {
            return .unanswered(error.message)
        }
    }
}
