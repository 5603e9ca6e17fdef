import Glibc
import SystemPackage

/// What stands where a backup is to be.
enum BackupPlace: Hashable {
    case nothing
    case emptyDirectory
    /// An empty directory of another file system than the one above it.
    case emptyDisk
    case file
    /// A directory with something else in it than a server's data.
    case otherThings
    /// A directory with a server's database.
    case data(ServerMark, isOwn: Bool)
    /// The same, where a program has the database open, or was killed while it had.
    case openData

    /// How a backup comes to its place.
    enum Use: Hashable {
        /// Beside it first, and then by a rename.
        case new
        /// Into the earlier backup that is there.
        case refresh
    }

    /// - Throws: ``ServerError`` where nothing may be written there: it could be all that there is of something.
    func use(for source: ServerMark, at target: FilePath) throws(ServerError) -> Use {
        switch self {
        case .nothing, .emptyDirectory: return .new
        case .emptyDisk: throw .backupOntoDisk(target)
        case .file: throw .backupOntoFile(target)
        case .otherThings: throw .backupOntoOtherThings(target)
        case .openData: throw .backupOntoServer(target)
        case .data(let mark, let isOwn):
            guard mark.server == source.server else { throw .backupOntoOtherServer(target) }
            guard mark.isAsBackedUp else { throw .backupOntoServer(target) }
            guard isOwn else { throw .backupOfAnotherUser(target) }
            return .refresh
        }
    }
}

extension BackupPlace {
    /// Looks at a place, and leaves no trace of that.
    init(at target: FilePath) throws {
        guard let status = try Self.status(of: target) else {
            self = .nothing
            return
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            self = .file
            return
        }
        let database = DataDirectory.database(in: target)
        if access(database, F_OK) == 0 {
            // A backup has no log, and no journal: a database with one was opened since.
            guard !["-wal", "-journal"].contains(where: { access(database + $0, F_OK) == 0 }) else {
                self = .openData
                return
            }
            do {
                self = .data(try ServerMark.look(at: target), isOwn: status.st_uid == geteuid())
            } catch let error as ServerError where error.code == .missing {
                // A database without anything in it.
                self = .otherThings
            }
        } else if try !Self.isEmpty(target) {
            self = .otherThings
        } else {
            var above = stat()
            let isOneDisk = stat(target.appending("..").string, &above) == 0 && above.st_dev == status.st_dev
            self = isOneDisk ? .emptyDirectory : .emptyDisk
        }
    }

    /// Whether a path is a directory or leads into it, by whichever names.
    static func lies(_ path: FilePath, in directory: FilePath) -> Bool {
        var place = stat()
        guard stat(directory.string, &place) == 0 else { return false }
        var above = path
        while !above.isEmpty {
            var status = stat()
            if stat(above.string, &status) == 0, status.st_dev == place.st_dev, status.st_ino == place.st_ino {
                return true
            }
            guard above.removeLastComponent() else { break }
        }
        return false
    }

    /// Of the name itself, no link followed; `nil` where nothing has it.
    static func status(of path: FilePath) throws -> stat? {
        var status = stat()
        if lstat(path.string, &status) == 0 { return status }
        guard errno == ENOENT else { throw ServerError.file("look at", path, Errno(rawValue: errno)) }
        return nil
    }

    private static func isEmpty(_ directory: FilePath) throws -> Bool {
        guard let stream = opendir(directory.string) else {
            throw ServerError.file("list", directory, Errno(rawValue: errno))
        }
        defer { closedir(stream) }
        var count = 0
        while readdir(stream) != nil { count += 1 }
        // `.` and `..` are in each.
        return count <= 2
    }
}
