public import BitCollections
public import SyncModel
public import SystemPackage

/// What to look at.
public enum ScanScope: Hashable, Sendable {
    /// The whole folder.
    case whole
    /// These names: files, directories with all that is below them, or names that are gone.
    case paths([FolderPath])
}

/// Something that could not be read, so that nothing is known of it, nor of anything below it.
public struct UnreadablePath: Hashable, Sendable {
    /// `nil` for the folder itself.
    public var path: FolderPath?
    /// What the system said.
    public var errno: Errno

    /// Whether too many files were open, here or on the whole machine: nothing is wrong with the path.
    public var isForLackOfDescriptors: Bool { errno == .tooManyOpenFiles || errno == .tooManyOpenFilesInSystem }

    /// Takes a path and the error that it gave.
    public init(path: FolderPath?, errno: Errno) {
        self.path = path
        self.errno = errno
    }
}

/// Something that is there and is never synced.
public struct SkippedPath: Hashable, Sendable {
    /// Why something is never synced.
    public enum Reason: Hashable, Sendable {
        case symlink, fifo, socket, device
        /// A mount point, or a directory of another file system.
        case otherFileSystem
        /// With this name the path passes 4,095 bytes.
        case pathTooLong
        /// A directory in which nothing is synced, where a file was: told only by who knows of that.
        case directory

        /// Whether it is certain that no file of the folder is at the path, nor any below it.
        public var excludesFiles: Bool {
            switch self {
            case .symlink, .fifo, .socket, .device, .directory: true
            case .otherFileSystem, .pathTooLong: false
            }
        }
    }

    /// What is there.
    public var path: FolderPath
    /// Why it is left alone.
    public var reason: Reason

    /// Takes a path and what is there.
    public init(path: FolderPath, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

/// Something that a rule leaves out of which a person is told: a secret, or a name that the program keeps.
public struct LeftOutPath: Hashable, Sendable {
    /// What is there: a file, or a directory with all that is below it.
    public var path: FolderPath
    /// Why it is left out.
    public var rule: IgnoreRule

    /// Takes a path and the rule that leaves it out.
    public init(path: FolderPath, rule: IgnoreRule) {
        self.path = path
        self.rule = rule
    }
}

/// One of several names of a file.
public struct LinkedName: Hashable, Sendable {
    /// Where it is.
    public var path: FolderPath
    /// The file's, under whatever name.
    public var stamp: FileStamp

    /// Takes a name and its file's stamp.
    public init(path: FolderPath, stamp: FileStamp) {
        self.path = path
        self.stamp = stamp
    }
}

/// What a scan found, and what it proved.
public struct ScanResult: Sendable {
    /// The regular files, each with the hash of its bytes, but for those that are ``unchanged``.
    public internal(set) var files: [LocalFile] = []
    /// Regular files of which whoever asked wanted to know no more than that they are there, by the numbers that it gave them.
    public internal(set) var unchanged: BitSet = []
    /// Files that were written to, replaced or removed while they were read: look at them again soon.
    public internal(set) var changing: [FolderPath] = []
    /// What could not be looked at, with all that is below it.
    public internal(set) var unreadable: [UnreadablePath] = []
    /// What is neither file nor directory, or belongs to another file system.
    public internal(set) var skipped: [SkippedPath] = []
    /// What is left out, as far as a person is told of it (``IgnoreRule/isTold``).
    public internal(set) var leftOut: [LeftOutPath] = []
    /// Where something stands that is no file and under which none can be.
    public private(set) var obstacles: Set<FolderPath> = []
    /// Conflict copies, which are never synced.
    public internal(set) var conflictCopies: [FolderPath] = []
    /// Files that have more than one name, here or elsewhere (hard links), as they were before they were read.
    public internal(set) var linked: [LinkedName] = []
    /// Names of the scope that are not there: nothing is below them, either.
    public internal(set) var absent: [FolderPath] = []
    /// The directories that were listed to the end, `nil` being the folder itself.
    public internal(set) var listed: Set<FolderPath?> = []
    /// How many files were read, all others being known by their stamps.
    public internal(set) var hashed = 0

    let rules: IgnoreRules
    var unknown: Set<FolderPath?> = []

    /// What the system said where the folder itself could not be listed to its end: then nothing is proven by what is not
    /// among ``files``.
    public var rootError: Errno? { unreadable.first { $0.path == nil }?.errno }

    /// Whether the scan shows that no regular file stands at a path.
    ///
    /// False for all that the scan did not reach: outside its scope, unreadable, ignored, a symbolic link, changing
    /// while it was read. A listing can miss a name that is renamed at that moment, so a deletion needs two scans.
    /// - Parameter path: One that is not among ``files``, ``unchanged`` and ``changing``.
    public func provesAbsence(of path: FolderPath) -> Bool {
        if rules.isIgnored(path, isDirectory: false) || unknown.contains(nil) || fileSet.contains(path) { return false }
        // What is a directory is no file, and below what is a file there is nothing.
        if listed.contains(path) { return true }
        var below: FolderPath? = path
        while let name = below {
            if unknown.contains(name) { return false }
            below = name.parent
        }
        below = path
        while let name = below {
            if absentSet.contains(name) || listed.contains(name.parent) || fileSet.contains(name) { return true }
            below = name.parent
        }
        return false
    }

    /// Whether the scan shows that something else stands where a file could be, or where a directory above it could.
    ///
    /// So the file is not there; what it was is not deleted by that, though.
    public func isObstructed(_ path: FolderPath) -> Bool {
        guard !obstacles.isEmpty else { return false }
        return obstacles.contains(path) || path.ancestors.contains(where: obstacles.contains)
    }

    var absentSet: Set<FolderPath> = []
    /// Names of the scope that are regular files.
    var fileSet: Set<FolderPath> = []

    init(rules: IgnoreRules) {
        self.rules = rules
    }

    mutating func add(unreadable path: FolderPath?, _ errno: Errno) {
        unreadable.append(UnreadablePath(path: path, errno: errno))
        unknown.insert(path)
    }

    mutating func add(skipped path: FolderPath, _ reason: SkippedPath.Reason) {
        skipped.append(SkippedPath(path: path, reason: reason))
        unknown.insert(path)
        if reason.excludesFiles { obstacles.insert(path) }
    }

    mutating func add(changing path: FolderPath) {
        changing.append(path)
        unknown.insert(path)
    }

    mutating func add(absent path: FolderPath) {
        absent.append(path)
        absentSet.insert(path)
    }
}
