import FolderControl
import SyncService
import SystemPackage

/// Where the commands of remedies are to be given: they name paths as they are in the folder.
enum FolderHint {
    /// - Parameter place: The working directory; `nil`: not known.
    /// - Returns: Nothing where that is in the folder.
    static func lines(for folder: String, in place: FilePath?) -> [TextLine] {
        guard let place, !place.starts(with: FilePath(folder)) else { return [] }
        return [TextLine(""), TextLine("Commands are given in the folder: cd \(ShellWord.quoted(folder))", hang: 4)]
    }
}
