public import SystemPackage

/// What whoever runs a server sees of its accounts, and takes back, whether the server runs or not. Looking leaves no trace.
extension WebServicesServer {
    /// Every API token; see ``RecordStore/apiTokens(container:)``.
    public static func apiTokens(container: String?, in dataDirectory: FilePath) throws -> [APITokenSummary] {
        try DataDirectory.look(at: dataDirectory) { try $0.apiTokens(container: container) }
    }

    /// Ends an API token; see ``RecordStore/revokeAPIToken(id:)``.
    public static func revokeAPIToken(id: String, in dataDirectory: FilePath) throws -> Bool {
        try DataDirectory.change(dataDirectory, makes: false) { try $0.revokeAPIToken(id: id) }
    }

    /// Every server-to-server key; see ``RecordStore/serverKeys(container:)``.
    public static func serverKeys(container: String?, in dataDirectory: FilePath) throws -> [ServerKeySummary] {
        try DataDirectory.look(at: dataDirectory) { try $0.serverKeys(container: container) }
    }

    /// Ends a server-to-server key; see ``RecordStore/revokeServerKey(id:)``.
    public static func revokeServerKey(id: String, in dataDirectory: FilePath) throws -> Bool {
        try DataDirectory.change(dataDirectory, makes: false) { try $0.revokeServerKey(id: id) }
    }

    /// Every invitation that can be redeemed; see ``RecordStore/openInvitations(container:)``.
    public static func openInvitations(
        container: String?, in dataDirectory: FilePath
    ) throws -> [InvitationSummary] {
        try DataDirectory.look(at: dataDirectory) { try $0.openInvitations(container: container) }
    }

    /// Every person; see ``RecordStore/people(container:)``.
    public static func people(container: String?, in dataDirectory: FilePath) throws -> [PersonSummary] {
        try DataDirectory.look(at: dataDirectory) { try $0.people(container: container) }
    }
}
