public import CloudKitClient
import CloudKitWire
public import Logging
public import StateStorage

/// Makes requests with a folder's credentials: through its daemon where one runs, else on its own.
public struct DatabaseAccess: Sendable {
    private let directory: StateDirectory
    private let logger: Logger

    /// Opens nothing yet.
    public init(to directory: StateDirectory, logger: Logger) {
        self.directory = directory
        self.logger = logger
    }

    /// The body of the server's 200.
    /// - Throws: An error whose description tells a person why there is none.
    public func call(_ call: DatabaseCall) async throws -> String {
        do {
            return try await ControlClient(for: directory).call(call)
        } catch let error as ControlError where error.code == .notRunning {
            return try await callAlone(call)
        }
    }

    /// Holds the folder's lock meanwhile, so that no daemon starts and uses the same token.
    private func callAlone(_ call: DatabaseCall) async throws -> String {
        let lock = try FolderLock(of: directory)
        defer { withExtendedLifetime(lock) {} }
        let configuration = try FolderConfiguration(of: directory)
        let account = try FolderAccount(of: directory)
        let transport = HTTPTransport()
        let database = CloudKitDatabase(
            configuration.databaseAddress, session: account.session, transport: transport, logger: logger)
        let outcome: Result<String, any Error>
        do { outcome = .success(try await database.make(call)) } catch { outcome = .failure(error) }
        try await transport.shutdown()
        return try outcome.get()
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

    /// The zone as the server knows it.
    var zoneID: ZoneID { ZoneID(zoneName: zone, ownerRecordName: owner) }

    /// What tells of changes in the folder's zone: a subscription to the zone, in the shared database to all zones.
    ///
    /// Its ID is the same for every start and device of the account, so creating it twice is harmless (S0.9).
    var subscription: Subscription {
        var subscription =
            switch database {
            case .private:
                Subscription(
                    subscriptionID: "zonefolder-private-changes-" + zone, subscriptionType: "zone", zoneID: zoneID)
            case .shared: Subscription(subscriptionID: "zonefolder-shared-changes", subscriptionType: "database")
            }
        subscription.notificationInfo = .silent
        return subscription
    }

    /// The pushes that are about the folder.
    var pushFilter: PushFilter {
        PushFilter(
            container: container, scope: databaseScope,
            subscriptionIDs: Set([subscription.subscriptionID].compactMap(\.self)))
    }
}
