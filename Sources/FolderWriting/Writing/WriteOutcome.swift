public import SyncModel

/// What came of a change to the folder.
public enum WriteOutcome: Hashable, Sendable {
    /// It was done. The file as it now is; after a deletion, as it was.
    case done(LocalFile)
    /// The folder was no longer as expected, and stands as a person left it: look again, plan again.
    ///
    /// Where a person's bytes could neither stay nor go back to their place, they are in the conflict copy.
    case superseded(SupersededReason, conflictCopy: FolderPath?)
    /// Something stands in the way that only a person can move.
    case blocked(BlockedReason)
}

/// In what way the folder was not as expected.
public enum SupersededReason: Hashable, Sendable {
    /// The file is another one, or has other bytes.
    case changed
    /// Nothing is there.
    case missing
    /// A file is where none was expected.
    case exists
    /// It was done, and what was put there was taken away or replaced at once: what was there before is in history.
    case overtaken
}

/// What stands in the way of a file.
public enum BlockedReason: Hashable, Sendable, CustomStringConvertible {
    /// A file stands where a directory of the path belongs.
    case fileAbove(FolderPath)
    /// A symbolic link stands at the path or above it; links are never followed.
    case symlink(FolderPath)
    /// A directory stands where the file belongs.
    case directory(FolderPath)
    /// A fifo, socket or device stands at the path or above it.
    case special(FolderPath)
    /// The path leads across a mount point.
    case otherFileSystem(FolderPath)
    /// A file with another name answers to the path, on a disk that takes names that differ in case for one.
    case otherCase(FolderPath)
    /// A directory with another name answers to that of one on the path, on such a disk, and keeps it for a file that the zone has
    /// in it.
    case otherDirectory(FolderPath, holding: FolderPath)
    /// The disk can have no file of that name.
    case unnameable(FolderPath)
    /// One of the path's names is kept for the program (`ReservedName`).
    case reserved(FolderPath)

    /// The file that has to go for the path to be free, where that is another one.
    public var otherFile: FolderPath? {
        if case .otherCase(let path) = self { path } else { nil }
    }

    /// What stands there, and what to do about it.
    public var description: String {
        switch self {
        case .fileAbove(let path): "The file \(path) stands where a directory belongs. Move it aside."
        case .symlink(let path): "\(path) is a symbolic link, which is never followed. Move it aside."
        case .directory(let path): "The directory \(path) stands where a file belongs. Move it aside."
        case .special(let path): "\(path) is a fifo, socket or device. Move it aside."
        case .otherFileSystem(let path): "\(path) is on another file system, which cannot be part of this folder."
        case .otherCase(let path):
            "This disk takes names that differ only in case for one, and \(path) is there. Give either another name."
        case .otherDirectory(let directory, let file):
            "This disk takes names that differ only in case for one, and \(directory) is there, with \(file) in it."
        case .unnameable:
            "This disk can have no file of that name, as exFAT with any of ? : * < > | in it. Give it another name elsewhere."
        case .reserved(let path): "\(path) has a name that zonefolder keeps for itself."
        }
    }
}
