public import SyncModel
public import SystemPackage

/// Why something in the folder could not be read or written.
public struct FolderError: Error, CustomStringConvertible, Sendable {
    /// What to branch on.
    public enum Code: Hashable, Sendable {
        /// The folder itself, or its state directory, is not there.
        case folderMissing
        /// The name is not there.
        case notFound
        case noPermission
        case readOnly
        case noSpace
        /// The name, or the whole path, is longer than the file system takes.
        case nameTooLong
        /// Too many files are open in this process or on this machine.
        case tooManyOpenFiles
        /// The path leads to a file system other than the folder's own.
        case otherFileSystem
        /// A symbolic link, a directory or something else stands where a file was expected.
        case notAFile
        /// The file system lacks a call without which nothing can be written safely.
        case unsupported
        /// The file is larger than the caller takes.
        case tooLarge
        /// Somebody writes to the file all the time.
        case changing
        /// The disk, or the network behind it, failed.
        case inputOutput
    }

    /// What to branch on.
    public var code: Code
    /// What is wrong with what, and the way out.
    public var message: String
    /// What the system said.
    public var errno: Errno
    /// The path in the folder, where the trouble has one.
    public var path: FolderPath?

    /// The message.
    public var description: String { message }

    /// The folder as a whole.
    /// - Parameter what: What could not be done with it: `opened`, or `listed`.
    package static func folder(at path: FilePath, _ what: String, _ errno: Errno) -> Self {
        Self(
            code: errno == .noSuchFileOrDirectory || errno == .notDirectory ? .folderMissing : code(of: errno),
            message: "The folder \(path) cannot be \(what): \(errno). "
                + (code(of: errno) == .tooManyOpenFiles ? remedy(errno) : "Is it mounted, and may you read it?"),
            errno: errno)
    }

    package static func stateDirectory(_ what: String, _ errno: Errno) -> Self {
        Self(
            code: errno == .noSuchFileOrDirectory ? .folderMissing : code(of: errno),
            message: "The state directory \(FolderRoot.stateName) cannot be used (\(what): \(errno)). \(remedy(errno))",
            errno: errno)
    }

    package static func cannot(_ verb: String, _ path: FolderPath, _ errno: Errno) -> Self {
        Self(
            code: code(of: errno), message: "Cannot \(verb) \(path): \(errno). \(remedy(errno))", errno: errno,
            path: path)
    }

    private static func code(of errno: Errno) -> Code {
        switch errno {
        case .noSuchFileOrDirectory: .notFound
        case .permissionDenied, .notPermitted: .noPermission
        case .readOnlyFileSystem: .readOnly
        case .noSpace, .diskQuotaExceeded: .noSpace
        case .fileNameTooLong: .nameTooLong
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .tooManyOpenFiles
        case .improperLink: .otherFileSystem
        case .tooManySymbolicLinkLevels, .isDirectory, .notDirectory: .notAFile
        case .invalidArgument, .noFunction, .notSupported: .unsupported
        case .fileTooLarge: .tooLarge
        case .resourceBusy: .changing
        default: .inputOutput
        }
    }

    private static func remedy(_ errno: Errno) -> String {
        switch code(of: errno) {
        case .noPermission: "Give this user the permission to read and write there."
        case .readOnly: "Mount the file system writable."
        case .noSpace: "Make room on the disk; nothing was changed."
        case .nameTooLong: "Choose a shorter name."
        case .tooManyOpenFiles: "It will be tried again; raise the limit of open files if it stays."
        case .otherFileSystem: "A folder cannot reach across a mount point; move the files to one file system."
        case .notAFile: "Move aside what stands there."
        case .unsupported: "The file system cannot replace files safely; move the folder to ext4, xfs, btrfs or tmpfs."
        case .tooLarge: "Make it smaller."
        case .changing: "It will be tried again once nobody writes to it."
        case .notFound, .folderMissing: "It may have been moved or deleted in this moment."
        case .inputOutput: "Check the disk; it will be tried again."
        }
    }
}
