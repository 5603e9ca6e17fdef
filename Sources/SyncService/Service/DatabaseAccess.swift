public import CloudKitClient
import CloudKitQueries
public import FolderControl
import FolderKnowledge
public import FolderSettings
public import Logging
import ProblemSentences
import StateRows
import StateStorage
import SyncTiming
import ZoneFetching

/// Makes requests with a folder's credentials: through its daemon where one runs, else on its own.
///
/// One is made for each command, and closed at its end.
public actor DatabaseAccess {
    private struct Alone {
        let lock: FolderLock
        let session: WebAuthSession
        let transport: HTTPTransport
        let database: CloudKitDatabase
    }

    private let directory: StateDirectory
    private let logger: Logger
    /// From the first request that found no daemon on. Holds the folder's lock meanwhile, so that no daemon starts and uses
    /// the same token.
    private var alone: Alone?

    /// Opens nothing yet.
    public init(to directory: StateDirectory, logger: Logger) {
        self.directory = directory
        self.logger = logger
    }

    /// The body of the server's 200.
    /// - Throws: An error whose description tells a person why there is none.
    public func call(_ call: DatabaseCall) async throws -> String {
        if let alone { return try await alone.database.make(call) }
        do {
            return try await ControlClient(for: directory).call(call)
        } catch let error as ControlError where error.code == .notRunning {
            return try await openAlone().database.make(call)
        }
    }

    /// Notes in the folder that its account took itself out of the share of its zone, so that `status` says so.
    /// - Throws: An error whose description tells a person why that is not noted.
    public func noteLeft() async throws {
        if alone == nil {
            do {
                return try await ControlClient(for: directory).noteLeft()
            } catch let error as ControlError where error.code == .notRunning {
                _ = try openAlone()
            }
        }
        let configuration = try FolderConfiguration(of: directory)
        let store = try StateStore(of: directory)
        try store.loseZone(ZoneKey(name: configuration.zone, owner: configuration.owner), .left)
        try store.updateProblems(
            set: [.folder: .zoneLeft(configuration.zoneID)], now: SessionClock.system.milliseconds)
        try store.close()
    }

    /// Ends what the calls needed.
    /// - Throws: `StateError` where the newest web auth token could not be stored: the server may have voided the stored one.
    public func close() async throws {
        guard let alone else { return }
        self.alone = nil
        try? await alone.transport.shutdown()  // Every answer is there; the token is what must not be lost.
        try await alone.session.flush()
        withExtendedLifetime(alone.lock) {}
    }

    private func openAlone() throws -> Alone {
        try directory.prepare()
        let lock = try FolderLock(of: directory)
        let configuration = try FolderConfiguration(of: directory)
        let session = try FolderAccount(of: directory).session
        let authority = try configuration.privateAuthority
        let transport = HTTPTransport()
        let database = CloudKitDatabase(
            configuration.databaseAddress, session: session, transport: transport.trusting(authority), logger: logger)
        let opened = Alone(lock: lock, session: session, transport: transport, database: database)
        alone = opened
        return opened
    }
}

extension FolderConfiguration {
    /// The database that the folder's zone is in.
    public var databaseAddress: DatabaseAddress {
        DatabaseAddress(
            container: container, environment: environment == .production ? .production : .development,
            scope: databaseScope, baseURL: server)
    }

    var databaseScope: DatabaseAddress.Scope {
        switch database {
        case .private: .private
        case .shared: .shared
        }
    }

    /// The pushes that are about the folder.
    var pushFilter: PushFilter {
        PushFilter(
            container: container, scope: databaseScope,
            subscriptionIDs: Set([subscription.subscriptionID].compactMap(\.self)))
    }
}
