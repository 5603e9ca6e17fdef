import CloudKitClient
import CloudKitWire
import FolderSettings
import StateStorage
import SyncService

/// The zones that others share with the account: one of them can be a folder, none can be made.
enum SharedZones {
    /// Asks the server for them.
    /// - Parameter credentials: Get the newest web auth token: the question may have spent the one that was given.
    /// - Throws: ``CommandFailure`` with what the server said.
    static func list(_ configuration: FolderConfiguration, _ credentials: inout Credentials) async throws -> [ZoneID] {
        let tokens = InMemoryTokenStore(credentials.webAuthToken.map { WebAuthToken($0) })
        let authority = try configuration.privateAuthority
        let transport = HTTPTransport()
        let database = CloudKitDatabase(
            configuration.databaseAddress.with(scope: .shared),
            session: WebAuthSession(apiToken: credentials.apiToken, store: tokens),
            transport: transport.trusting(authority),
            logger: ProgramLog.quiet)
        let outcome: Result<[ItemResult<Zone>], CloudKitError>
        do throws(CloudKitError) { outcome = .success(try await database.listZones()) } catch {
            outcome = .failure(error)
        }
        try await transport.shutdown()
        credentials.webAuthToken = await tokens.current()?.rawValue ?? credentials.webAuthToken
        switch outcome {
        case .success(let results):
            return results.compactMap { if case .success(let zone) = $0 { zone.zoneID } else { nil } }
        case .failure(let error):
            throw CommandFailure.sharedZonesUnknown(error.message, server: configuration.server)
        }
    }

    /// Whose zone of a name is meant.
    /// - Parameter owner: Its owner, where a person named one.
    /// - Throws: ``CommandFailure`` that lists the choices.
    static func owner(of name: String, named owner: String?, among zones: [ZoneID]) throws(CommandFailure) -> String {
        let owners = zones.filter { $0.zoneName.utf8.elementsEqual(name.utf8) }.compactMap(\.ownerRecordName)
        if let owner {
            guard owners.contains(where: { $0.utf8.elementsEqual(owner.utf8) }) else {
                throw .notShared(name, owner: owner, choices: zones)
            }
            return owner
        }
        guard let only = owners.first else { throw .notShared(name, owner: nil, choices: zones) }
        guard owners.count == 1 else { throw .severalOwners(owners, of: name) }
        return only
    }
}

extension CommandFailure {
    static let publicDatabase = Self(
        status: .configuration,
        message: "The public database cannot be a folder: it keeps no list of changes, and has the default zone only. "
            + "`zonefolder query --database public` and `zonefolder record --database public` work on it; a folder can be "
            + "a zone of the private database, or with --database shared one that somebody shares with you.")

    static func notShared(_ zone: String, owner: String?, choices: [ZoneID]) -> Self {
        let whose = owner.map { "\($0) shares no zone" } ?? "Nobody shares a zone"
        let names = choices.map { "  \($0.zoneName), of \($0.ownerRecordName ?? "an unknown owner")" }.sorted()
        let way =
            names.isEmpty
            ? "Nothing is shared with it: take part in what somebody shares with `zonefolder accept`."
            : "Shared with it are:\n\(names.joined(separator: "\n"))"
        return Self(status: .configuration, message: "\(whose) '\(zone)' with this account. \(way)")
    }

    static func severalOwners(_ owners: [String], of zone: String) -> Self {
        Self(
            status: .configuration,
            message: "Several people share a zone '\(zone)' with this account. Say whose is meant with --owner:\n"
                + owners.sorted().map { "  \($0)" }.joined(separator: "\n"))
    }

    static func sharedZonesUnknown(_ message: String, server: String) -> Self {
        Self(
            status: .error,
            message: "\(server) was asked which zones are shared with the account: "
                + Sentence.ended(message))
    }
}
