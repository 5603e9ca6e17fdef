import FolderWriting
import LocalFolder
import SyncModel

/// The conflict copies that one writing makes before it replaces what a person saved, or leaves out what the zone has.
///
/// A copy of what was not replaced, because the folder turned out not to be as planned with, is taken back: the next try makes
/// its own. Otherwise a file that never holds still would get a copy with each try, and whoever saves over a file in the instant
/// before it is replaced one of a version that they themselves are done with.
struct CopiesOfConflict {
    private let writer: FolderWriter
    private var kept: [WriteResult.KeptCopy] = []
    /// Those whose originals were not replaced yet.
    private var open: [(path: FolderPath, copy: ConflictCopy, original: FileStamp)] = []

    init(writer: FolderWriter) {
        self.writer = writer
    }

    /// Copies a file that is to be replaced.
    /// - Returns: `false` where it is no longer the one that was seen, so that nothing was copied.
    mutating func keep(_ path: FolderPath, expecting stamp: FileStamp) throws(FolderError) -> Bool {
        guard FolderReader(root: writer.root).stamp(of: path) == stamp,
            let copy = try writer.makeConflictCopy(of: path)
        else { return false }
        open.append((path, copy, stamp))
        return true
    }

    /// Keeps the zone's version of a file that is to be replaced by something else.
    mutating func keep(_ zones: StagedFile, of path: FolderPath, beside stamp: FileStamp) throws(FolderError) {
        open.append((path, try writer.makeConflictCopy(ofZone: zones, of: path), stamp))
    }

    /// Notes that a file was replaced: its copies are needed from now on.
    mutating func noteReplaced(_ path: FolderPath) {
        kept += open.filter { $0.path == path }.map { ($0.copy.path, path) }
        open.removeAll { $0.path == path }
    }

    /// The copies that stay after a file could not be put at its path.
    /// - Parameter other: A copy that was made where a file could not go back to its place.
    mutating func given(
        afterFailureAt path: FolderPath, _ reason: SupersededReason, and other: FolderPath?
    ) -> [WriteResult.KeptCopy] {
        // The original left its place all the same. Who took it away may have done so because they saw the copy.
        if reason == .overtaken || reason == .missing { noteReplaced(path) }
        // What stood in its place may have had the bytes of a copy that was made before.
        if let other {
            open.removeAll { $0.copy.path == other }
            kept.append((other, path))
        }
        return given()
    }

    /// The copies that stay, all others being taken back.
    mutating func given() -> [WriteResult.KeptCopy] {
        for (path, copy, _) in open where !writer.takeBack(copy) { kept.append((copy.path, path)) }
        open = []
        return kept
    }

    /// The copies that stay after an error, which may hide that a file was replaced: also those whose originals are gone.
    mutating func givenAfterError() -> [WriteResult.KeptCopy] {
        let reader = FolderReader(root: writer.root)
        for (path, _, original) in open {
            let stands = reader.stamp(of: path).map {
                $0.isSameFile(as: original) && $0.size == original.size && $0.modified == original.modified
            }
            if stands != true { noteReplaced(path) }
        }
        return given()
    }
}
