import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The file `credentials`, and what it holds.
///
/// Two lines, `api_token = …` and `web_auth_token = …`. A web auth token is spent by the request that carries it, so
/// the newest one is durable before the next request: ``store(webAuthToken:)`` returns after the `fsync`.
public final class CredentialsFile: Sendable {
    private let path: FilePath
    private let held: Mutex<Credentials>

    /// Opens the file of a folder; takes back permissions that others were given on it.
    /// - Throws: ``StateError`` with the code `missing` where there is none.
    public init(of directory: StateDirectory) throws(StateError) {
        path = directory.credentialsFile
        guard let status = try FileStatus(of: path) else { throw .noCredentials(path) }
        if status.mode != 0o600, chmod(path.string, 0o600) != 0 {
            throw .system(lastError, "change the mode of", path)
        }
        guard let bytes = try DurableFile.read(path) else { throw .noCredentials(path) }
        guard let credentials = Credentials(file: bytes) else { throw .unreadableCredentials(path) }
        held = Mutex(credentials)
    }

    /// Reads the file of a folder, and changes nothing about it.
    /// - Throws: ``StateError`` with the code `missing` where there is none.
    public static func look(in directory: StateDirectory) throws(StateError) -> Credentials {
        let path = directory.credentialsFile
        guard let bytes = try DurableFile.read(path) else { throw .noCredentials(path) }
        guard let credentials = Credentials(file: bytes) else { throw .unreadableCredentials(path) }
        return credentials
    }

    /// Writes the file anew, durably, with mode 0600.
    public static func create(_ credentials: Credentials, in directory: StateDirectory) throws(StateError) {
        try DurableFile.write(credentials.fileBytes, to: directory.credentialsFile)
    }

    /// The newest credentials that are known.
    public var credentials: Credentials { held.withLock { $0 } }

    /// Makes the newest web auth token durable; writes nothing where it is the one already held.
    ///
    /// An empty token never replaces a good one: signing out is ``signOut()``.
    public func store(webAuthToken: String) throws(StateError) {
        guard !webAuthToken.isEmpty else { return }
        try update { $0.webAuthToken = webAuthToken }
    }

    /// Takes the credentials of another sign-in; durable when it returns.
    public func replace(with credentials: Credentials) throws(StateError) {
        try update { $0 = credentials }
    }

    /// Forgets the web auth token.
    public func signOut() throws(StateError) {
        try update { $0.webAuthToken = nil }
    }

    /// Takes over what another process wrote, such as `zonefolder login` while the daemon runs.
    public func reload() throws(StateError) {
        guard let bytes = try DurableFile.read(path) else { throw .noCredentials(path) }
        guard let credentials = Credentials(file: bytes) else { throw .unreadableCredentials(path) }
        held.withLock { $0 = credentials }
    }

    private func update(_ change: (inout Credentials) -> Void) throws(StateError) {
        try held.withLock { (credentials: inout Credentials) throws(StateError) in
            var newer = credentials
            change(&newer)
            guard newer.fileBytes != credentials.fileBytes else { return }
            try DurableFile.write(newer.fileBytes, to: path)
            credentials = newer
        }
    }
}

extension StateError {
    static func unreadableCredentials(_ path: FilePath) -> Self {
        Self(
            .corrupt,
            "\(path) holds no API token. It is written again by `zonefolder login --api-token TOKEN`, or by `zonefolder login "
                + "--invitation LINK` with a link of `zonefolder serve invite`.")
    }
}

extension Credentials {
    /// Reads the file's text; `nil` where the API token is missing.
    init?(file bytes: [UInt8]) {
        var values: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            values[Self.trimmed(line[..<equals])] = Self.trimmed(line[(equals + 1)...])
        }
        guard let apiToken = values["api_token"], !apiToken.isEmpty else { return nil }
        self.init(apiToken: apiToken, webAuthToken: values["web_auth_token"].flatMap { $0.isEmpty ? nil : $0 })
    }

    var fileBytes: [UInt8] {
        Array("api_token = \(apiToken)\n\(webAuthToken.map { "web_auth_token = \($0)\n" } ?? "")".utf8)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == 13 }
        var bytes = bytes
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes.drop(while: isSpace), as: UTF8.self)
    }
}
