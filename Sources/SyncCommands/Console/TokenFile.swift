import CloudKitClient
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// A person's file with a web auth token, kept up to date: a token serves one request, and its answer brings the next.
actor TokenFile: WebAuthTokenStore {
    /// `nil` where no next token is kept.
    nonisolated let path: FilePath?
    private var token: WebAuthToken?

    /// Reads the token; standard input for `-`, where the next token has no place to go; no token for `nil`.
    init(_ place: String?) throws {
        token = try place.map { WebAuthToken(try SecretSource.read($0)) }
        path = place == "-" ? nil : place.map { FilePath($0) }
    }

    func current() -> WebAuthToken? { token }

    func store(_ newer: WebAuthToken) throws {
        if let path { try Self.put(newer, into: path) }
        token = newer
    }

    private static func realPath(of path: FilePath) -> FilePath? {
        guard let real = realpath(path.string, nil) else { return nil }
        defer { free(real) }
        return FilePath(String(cString: real))
    }

    /// Puts a new file into the old one's place, so that there is a whole one at any time. A link stays one.
    static func put(_ newer: WebAuthToken, into place: FilePath) throws {
        let path = realPath(of: place) ?? place
        let fresh = FilePath(path.string + ".new")
        do {
            // Never into a file or through a link that somebody else put there.
            unlink(fresh.string)
            let file = try FileDescriptor.open(
                fresh, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
            try file.closeAfter {
                try file.writeAll((newer.rawValue + "\n").utf8)
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
            guard rename(fresh.string, path.string) == 0 else { throw Errno(rawValue: errno) }
        } catch let error as Errno {
            throw CommandFailure.system(error, "write", path)
        }
    }
}
