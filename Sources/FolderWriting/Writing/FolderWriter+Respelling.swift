public import LocalFolder
// How a directory gets a name that differs in case alone, on a disk that takes both names for one: such a rename is refused
// there, or does nothing.
//
//   1  A note comes into `.zonefolder/staging/`, and is synced: `respelling-<n>` holds the directory's path and the name by
//      which it steps aside, each with a NUL byte at its end.
//   2  The directory is renamed to that name beside its own, then to the new one, both with RENAME_NOREPLACE: what is in it goes
//      along, and who has a file in it open, or the directory itself, goes on with it.
//   3  The directory above is synced, and the note goes.
//
// A start that finds a note gives a directory that stands aside its old name again, before anybody looks at the folder. Who
// makes a directory of that name between the two renames keeps it: the other one stays where it stands, in sight, and its
// files are files that were renamed.
public import SyncModel
import SystemPackage

extension FolderWriter {
    private static let notePrefix = "respelling-"

    /// The first directory on the way to a path that has its name in other letters than the path, as it is listed and as the path
    /// asks for it; `nil` where there is none, as on each disk that tells upper from lower case.
    public func otherDirectory(
        onTheWayTo path: FolderPath, batch: WriteBatch
    ) -> (listed: FolderPath, asked: FolderPath)? {
        guard !tellsCase, let directory = path.parent, !path.isReserved,
            let listed = try? batch.otherCase(onTheWayTo: directory, in: root),
            (try? place(of: listed).status().kind) == .directory
        else { return nil }
        let depth = listed.names.count
        return path.ancestors.first { $0.names.count == depth }.map { (listed, $0) }
    }

    /// Gives a directory a name that differs in case alone, with all that is in it. Whatever is known of it has other paths then.
    /// - Parameters:
    ///   - directory: As it is listed (``otherDirectory(onTheWayTo:batch:)``).
    ///   - new: In the same directory.
    /// - Returns: Whether it has that name; where not, somebody took either name in this moment: look at the directory above.
    public func respell(
        _ directory: FolderPath, as new: FolderPath, batch: WriteBatch
    ) throws(FolderError) -> Bool {
        let number = String(root.disk.random(), radix: 36)
        let stepped = Array("renamed-\(number)".utf8) + [0]
        let note = try noteRespelling(of: directory, aside: stepped, number)
        // It goes with its last reference, and not before the directory is durable.
        defer { withExtendedLifetime(note) {} }
        do throws(Errno) {
            let old = try place(of: directory)
            let aside = Place(directory: old.directory, name: stepped)
            try old.rename(toOwn: aside)
            do throws(Errno) {
                try aside.rename(toOwn: Place(directory: old.directory, name: new.terminatedName))
            } catch {
                try? aside.rename(toOwn: old)
                try old.directory.descriptor.sync()
                throw error
            }
            try old.directory.descriptor.sync()
            batch.noteRespelled(directory, as: new)
            return true
        } catch {
            if error == .fileExists || error == .noSuchFileOrDirectory { return false }
            throw .cannot("rename", directory, error)
        }
    }

    private func noteRespelling(
        of directory: FolderPath, aside: [UInt8], _ number: String
    ) throws(FolderError) -> StagedFile {
        let note: StagedFile
        do throws(Errno) {
            note = try StagedFile(in: directories.staging, name: Self.notePrefix + number)
        } catch {
            throw .stateDirectory("making a note in staging", error)
        }
        try note.write(directory.terminated + aside)
        try note.finish()
        do throws(Errno) {
            try directories.staging.descriptor.sync()
        } catch {
            throw .stateDirectory("syncing staging", error)
        }
        return note
    }

    /// Gives directories their old names again that a crash left aside. Call it before the folder is looked at.
    public func endRespellings() throws(FolderError) {
        let names: [[UInt8]]
        do throws(Errno) {
            let listing = try Descriptor.open(
                beneath: directories.staging.descriptor, [UInt8(ascii: "."), 0], .directory)
            names = try listing.names().filter { $0.starts(with: Self.notePrefix.utf8) }
        } catch {
            throw .stateDirectory("listing staging", error)
        }
        for note in names.compactMap({ FolderPath(bytes: $0) }) {
            guard let (directory, aside) = try respelling(notedAs: note) else { continue }
            do throws(Errno) {
                let old = try place(of: directory)
                try Place(directory: old.directory, name: aside.terminatedName).rename(toOwn: old)
                try old.directory.descriptor.sync()
            } catch .noSuchFileOrDirectory, .notDirectory, .fileExists {
                // It has either of its names. Or somebody made a directory of that name since: it stays in sight as it is.
            } catch {
                throw .cannot("give its name again to", directory, error)
            }
        }
    }

    /// What a note says; `nil` where it was not written to its end.
    private func respelling(notedAs note: FolderPath) throws(FolderError) -> (directory: FolderPath, aside: FolderPath)?
    {
        let reader: FileReader
        do throws(Errno) {
            let file = try Descriptor.open(beneath: directories.staging.descriptor, note.terminated, .read)
            let stamp = try file.status().stamp
            reader = FileReader(file: file, path: note, stamp: stamp)
        } catch {
            throw .stateDirectory("reading a note in staging", error)
        }
        // A zero ends each of the two.
        let parts = (try reader.next() ?? []).split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == 3, let directory = FolderPath(bytes: parts[0]), let aside = FolderPath(bytes: parts[1]),
            aside.parent == nil
        else { return nil }
        return (directory, aside)
    }
}
