import FolderControl
import FolderHistory
import SyncModel
import SystemPackage

/// The names that a file or a folder had before: its versions of then are listed under these.
enum FormerNames {
    /// So many are told, the latest.
    private static let mostTold = 3

    /// What is told of them; `nil` where nothing is kept under another name, or nobody can look.
    static func sentences(on place: VersionedPath) -> String? {
        guard let path = place.path, let directory = try? place.stateDirectory,
            let former = try? KeptVersions.formerPaths(of: path, in: directory), !former.isEmpty
        else { return nil }
        return former.prefix(mostTold).map { sentence(on: $0, in: place) }.joined(separator: " ")
    }

    static func sentence(on former: FormerPath, in place: VersionedPath) -> String {
        let old = place.folder.pushing(FilePath(former.path.description)).string
        return
            "What is at \(place.path?.description ?? place.shown) was at \(former.path) until "
            + "\(WallClock.text(former.untilMilliseconds)): `zonefolder history \(ShellWord.quoted(old))` lists what is "
            + "kept under that name."
    }
}
