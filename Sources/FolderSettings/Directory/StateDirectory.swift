public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The hidden directory `.zonefolder` of a synced folder, and the places of its parts.
///
/// It is never synced, and nobody but its owner can look into it. Deleting it loses no user data but `history/`.
///
///     config.toml    what to sync with; made for people to edit
///     credentials    API token and web auth token, mode 0600
///     state.sqlite   the three trees, tokens, problems, conflicts and events
///     staging/       downloads and temporary files, on the folder's own file system
///     history/       what was overwritten or deleted; JSON texts that an edit here replaced are in state.sqlite
///     cookies/       empty files whose creation proves that the watcher has caught up
///     lock           held by the process that syncs the folder
///     control        the daemon's socket, or `control.path`, which names it
///     .gitignore     tells Git to leave all of it alone
public struct StateDirectory: Hashable, Sendable {
    /// The name of the directory in the folder.
    public static let name = ".zonefolder"

    /// The synced folder.
    public let folder: FilePath
    /// The hidden directory itself.
    public let path: FilePath

    private init(folder: FilePath) {
        self.folder = folder
        self.path = folder.appending(Self.name)
    }

    public var configurationFile: FilePath { path.appending("config.toml") }
    public var credentialsFile: FilePath { path.appending("credentials") }
    public var database: FilePath { path.appending("state.sqlite") }
    public var staging: FilePath { path.appending("staging") }
    public var history: FilePath { path.appending("history") }
    public var cookies: FilePath { path.appending("cookies") }
    public var lockFile: FilePath { path.appending("lock") }
    /// What keeps Git from taking the directory along, with the tokens in it, and from cleaning it away.
    var gitIgnoreFile: FilePath { path.appending(".gitignore") }

    /// Makes the directory with its empty parts, or completes the one that is there.
    /// - Parameter folder: An absolute path of a directory that exists.
    /// - Throws: ``StateError`` with the code `io` where something else than a directory is in the way.
    public static func create(in folder: FilePath) throws(StateError) -> StateDirectory {
        precondition(folder.isAbsolute, "a state directory is named by an absolute path")
        let directory = StateDirectory(folder: folder)
        try makeDirectory(directory.path)
        for part in [directory.staging, directory.history, directory.cookies] { try makeDirectory(part) }
        directory.hideFromGit()
        try DurableFile.synchronize(directory: directory.path)
        try DurableFile.synchronize(directory: folder)
        return directory
    }

    /// Finds the directory of a folder, and changes nothing: whoever looks leaves no trace.
    /// - Parameter folder: An absolute path.
    /// - Throws: ``StateError`` with the code `missing` where the folder has none, and `permissionDenied` where it is
    ///   another user's and nobody else may look into it.
    public static func open(in folder: FilePath) throws(StateError) -> StateDirectory {
        precondition(folder.isAbsolute, "a state directory is named by an absolute path")
        let directory = StateDirectory(folder: folder)
        guard let status = try FileStatus(of: directory.path) else { throw .missing(directory.path) }
        guard status.isDirectory else { throw .notADirectory(directory.path) }
        guard status.owner == geteuid() || access(directory.path.string, R_OK | X_OK) == 0 else {
            throw .ofAnotherUser(folder, FileOwner(status.owner))
        }
        return directory
    }

    /// Whose folder it is, where it is not that of the user who runs this program.
    public var otherOwner: FileOwner? {
        get throws(StateError) {
            guard let owner = try FileStatus(of: path)?.owner, owner != geteuid() else { return nil }
            return FileOwner(owner)
        }
    }

    /// Makes it ready to be written to: completes its parts, and takes back permissions that others were given on them.
    /// - Throws: ``StateError`` with the code `permissionDenied` where it is another user's, also for root: what is written
    ///   there by one, the other could not read.
    public func prepare() throws(StateError) {
        if let otherOwner = try otherOwner { throw .ofAnotherUser(folder, otherOwner) }
        for part in [path, staging, history, cookies] { try Self.makeDirectory(part) }
        hideFromGit()
    }

    /// Writes a `.gitignore` where there is none. One that a person changed stays as it is.
    private func hideFromGit() {
        do {
            guard try FileStatus(of: gitIgnoreFile) == nil else { return }
            try DurableFile.write(Array("*\n".utf8), to: gitIgnoreFile)
        } catch {
            // The folder is synced without it, also on a disk that is full; the next start tries again.
        }
    }

    /// The synced folder that holds a path: the nearest one above it, or itself, that has a state directory.
    public static func folder(holding path: FilePath) -> FilePath? {
        var candidate = path.lexicallyNormalized()
        while true {
            if let status = try? FileStatus(of: candidate.appending(name)), status.isDirectory { return candidate }
            guard candidate.removeLastComponent() else { return nil }
        }
    }

    /// The synced folder that a path belongs to: as ``folder(holding:)``, but where one lies in another that is synced, such as a
    /// copy of it that came there with its state, the outer one, which syncs the files of both.
    public static func folder(syncing path: FilePath) -> FilePath? {
        guard var found = folder(holding: path) else { return nil }
        while let outer = Self(folder: found).outerFolder { found = outer }
        return found
    }

    /// The synced folder in which this one lies; `nil` where it lies in none. It may have come there as a copy, with its state.
    public var outerFolder: FilePath? {
        var place = folder
        while place.removeLastComponent(), let outer = Self.folder(holding: place) {
            if (try? FileStatus(of: Self(folder: outer).configurationFile)) != nil { return outer }
            place = outer
        }
        return nil
    }

    /// Why nothing is known of the folder whose database is missing.
    package func withoutDatabase() -> StateError {
        // Where nobody can look, opening the settings tells why.
        let isSetUp = (try? FileStatus(of: configurationFile)) != nil
        return isSetUp ? .noDatabase(database) : .missing(database)
    }

    /// Tells this directory from every copy of it: the machine, and the device and inode there.
    ///
    /// Another one after a move to another file system, or where a file system has another device number after a start of the
    /// machine: who takes that for a copy only makes anew what a copy must not share.
    public func home() throws(StateError) -> String {
        guard let status = try FileStatus(of: path) else { throw .missing(path) }
        // machine-id(5). Where it cannot be read, device and inode alone tell most copies.
        let machine = (try? DurableFile.read("/etc/machine-id")) ?? []
        let id = String(decoding: machine.prefix { $0 > 0x20 }, as: UTF8.self)
        return "\(id)/\(status.device)/\(status.inode)"
    }

    /// Removes the temporary files that a crash left here. Call it only while holding the ``FolderLock``.
    public func removeLeftovers() {
        DurableFile.removeLeftovers(in: path)
    }

    /// Makes a directory with mode 0700, or gives the one that is there this mode.
    private static func makeDirectory(_ path: FilePath) throws(StateError) {
        guard mkdir(path.string, 0o700) != 0 else { return }
        guard lastError == .fileExists else { throw .system(lastError, "create", path) }
        guard let status = try FileStatus(of: path), status.isDirectory else { throw .notADirectory(path) }
        guard status.mode != 0o700 else { return }
        guard chmod(path.string, 0o700) == 0 else { throw .system(lastError, "change the mode of", path) }
    }
}

/// What `lstat` says, as far as this module asks.
struct FileStatus {
    var isDirectory: Bool
    var mode: UInt32
    var owner: UInt32
    var device: UInt64
    var inode: UInt64

    /// Gives `nil` where there is nothing. Follows no symlink.
    init?(of path: FilePath) throws(StateError) {
        var status = stat()
        guard lstat(path.string, &status) == 0 else {
            if lastError == .noSuchFileOrDirectory || lastError == .notDirectory { return nil }
            throw .system(lastError, "look at", path)
        }
        isDirectory = status.st_mode & S_IFMT == S_IFDIR
        mode = UInt32(status.st_mode & 0o7777)
        owner = UInt32(status.st_uid)
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
