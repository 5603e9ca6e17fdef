import CloudKitWire

/// What a request's path names.
enum RequestTarget: Equatable {
    case database(container: String, environment: String, scope: DatabaseScope, Operation)
    /// `tokens/create` and `tokens/register`, which have no database.
    case device(container: String, environment: String, Operation)
    case assetUpload
    case assetDownload
    case courier
    case signIn
    case invitation

    /// The operations of protocol §1 that this server knows.
    enum Operation: String, CaseIterable {
        case recordsModify = "records/modify"
        case recordsLookup = "records/lookup"
        case recordsChanges = "records/changes"
        case recordsQuery = "records/query"
        case recordsResolve = "records/resolve"
        case recordsAccept = "records/accept"
        case databaseChanges = "changes/database"
        case zoneChanges = "changes/zone"
        case zonesList = "zones/list"
        case zonesLookup = "zones/lookup"
        case zonesModify = "zones/modify"
        case zonesChanges = "zones/changes"
        case subscriptionsList = "subscriptions/list"
        case subscriptionsLookup = "subscriptions/lookup"
        case subscriptionsModify = "subscriptions/modify"
        case usersCaller = "users/caller"
        case usersCurrent = "users/current"
        case usersDiscover = "users/discover"
        case usersLookupEmail = "users/lookup/email"
        case usersLookupID = "users/lookup/id"
        case usersLookupContacts = "users/lookup/contacts"
        case assetsUpload = "assets/upload"
        case assetsRereference = "assets/rereference"
        case tokensCreate = "tokens/create"
        case tokensRegister = "tokens/register"

        var methods: [String] {
            switch self {
            case .usersCaller, .usersCurrent: ["GET"]
            case .zonesList, .subscriptionsList, .usersDiscover: ["GET", "POST"]
            default: ["POST"]
            }
        }

        /// The databases that have it (protocol §1). Users are found through the public one; this server tells a caller who
        /// they are in the private one, too.
        var databases: Set<DatabaseScope> {
            switch self {
            case .recordsModify, .recordsLookup, .recordsQuery, .zonesList, .zonesLookup, .subscriptionsList,
                .subscriptionsLookup, .subscriptionsModify, .assetsUpload, .assetsRereference:
                [.public, .private, .shared]
            case .usersCaller, .usersCurrent: [.public, .private]
            case .recordsChanges, .databaseChanges, .zoneChanges, .zonesChanges: [.private, .shared]
            case .zonesModify: [.private]
            case .recordsResolve, .recordsAccept, .usersDiscover, .usersLookupEmail, .usersLookupID,
                .usersLookupContacts:
                [.public]
            case .tokensCreate, .tokensRegister: []
            }
        }

        var isWriting: Bool {
            switch self {
            case .recordsModify, .recordsAccept, .zonesModify, .subscriptionsModify, .tokensCreate, .tokensRegister:
                true
            default: false
            }
        }

        var isToken: Bool { self == .tokensCreate || self == .tokensRegister }
        /// About people, users or participants: nothing for a caller without an account.
        var isAboutPeople: Bool { rawValue.hasPrefix("users/") || self == .recordsResolve || self == .recordsAccept }
    }

    /// Reads a path; `nil` for one that leads nowhere.
    init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true).map(percentDecoded)
        // As of every name, SQLite would take what stands before a NUL for the whole (see RequestNames).
        guard !parts.contains(where: { $0.utf8.contains(0) }) else { return nil }
        switch (parts.first, parts.count) {
        case ("database", 7...8) where parts[1] == "1":
            guard let scope = DatabaseScope(rawValue: parts[4]),
                let operation = Operation(rawValue: parts[5...].joined(separator: "/")), !operation.isToken
            else { return nil }
            self = .database(container: parts[2], environment: parts[3], scope: scope, operation)
        case ("database", 6) where parts[1] == "1", ("device", 6) where parts[1] == "1":
            guard let operation = Operation(rawValue: parts[4] + "/" + parts[5]), operation.isToken else { return nil }
            self = .device(container: parts[2], environment: parts[3], operation)
        case ("assets", 2) where parts[1] == "upload": self = .assetUpload
        // The last part is a file name of the client's choice.
        case ("assets", 3): self = .assetDownload
        case ("courier", 2) where parts[1] == "aps": self = .courier
        case ("sign-in", 1): self = .signIn
        case ("invite", 1): self = .invitation
        default: return nil
        }
        if let environment, !["development", "production"].contains(environment) { return nil }
    }

    var container: String? {
        switch self {
        case .database(let container, _, _, _), .device(let container, _, _): container
        default: nil
        }
    }

    var environment: String? {
        switch self {
        case .database(_, let environment, _, _), .device(_, let environment, _): environment
        default: nil
        }
    }

    /// Whether web pages of other origins may call it: all of the service's hosts, but neither this server's own pages, which
    /// know a browser by its cookie, nor invitations, which programs redeem.
    var isForPages: Bool {
        switch self {
        case .database, .device, .assetUpload, .assetDownload, .courier: true
        case .signIn, .invitation: false
        }
    }

    /// Whether it is an operation that changes something, for which the database has a single connection.
    var isWriting: Bool {
        switch self {
        case .database(_, _, _, let operation), .device(_, _, let operation): operation.isWriting
        case .assetUpload, .assetDownload, .courier, .signIn, .invitation: false
        }
    }

    /// As observers and the log name it.
    var name: String {
        switch self {
        case .database(_, _, _, let operation), .device(_, _, let operation): operation.rawValue
        case .assetUpload: "assets/upload-bytes"
        case .assetDownload: "assets/download"
        case .courier: "courier"
        case .signIn: "sign-in"
        case .invitation: "invite"
        }
    }

    var methods: [String] {
        switch self {
        case .database(_, _, _, let operation), .device(_, _, let operation): operation.methods
        case .assetUpload: ["POST", "PUT"]
        case .assetDownload, .courier: ["GET"]
        case .signIn, .invitation: ["GET", "POST"]
        }
    }
}

/// A URL's query, decoded as forms are: `+` is a space, so tokens must arrive percent-encoded (protocol §2.1).
func queryParameters(_ query: some StringProtocol) -> [String: String] {
    var parameters: [String: String] = [:]
    for pair in query.split(separator: "&") {
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        parameters[percentDecoded(parts[0])] = percentDecoded(
            parts.count > 1 ? String(parts[1].map { $0 == "+" ? " " : $0 }) : "")
    }
    return parameters
}

/// Text without its percent-encoding; a `%` without two digits stays as it is.
func percentDecoded(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
        if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexDigit(bytes[index + 1]),
            let low = hexDigit(bytes[index + 2])
        {
            decoded.append(high << 4 | low)
            index += 3
        } else {
            decoded.append(bytes[index])
            index += 1
        }
    }
    return String(decoding: decoded, as: UTF8.self)
}
