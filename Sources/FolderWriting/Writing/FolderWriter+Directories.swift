import LocalFolder
import SyncModel
import SystemPackage

extension FolderWriter {
    /// The place of a path whose directory is there.
    func place(of path: FolderPath) throws(Errno) -> Place {
        Place(directory: DirectoryHandle(try open(path.parent)), name: path.terminatedName)
    }

    /// The place of a path, its directories being made where they are missing.
    func place(making path: FolderPath, in batch: WriteBatch) throws(Errno) -> Place {
        Place(directory: try directory(making: path.parent, in: batch), name: path.terminatedName)
    }

    private func open(_ directory: FolderPath?) throws(Errno) -> Descriptor {
        let opened = try Descriptor.open(
            beneath: root.descriptor, directory?.terminated ?? [UInt8(ascii: "."), 0], .directory,
            sameMount: true)
        return opened
    }

    private func directory(making path: FolderPath?, in batch: WriteBatch) throws(Errno) -> DirectoryHandle {
        do throws(Errno) {
            return DirectoryHandle(try open(path))
        } catch {
            guard error == .noSuchFileOrDirectory, let path else { throw error }
            let parent = try directory(making: path.parent, in: batch)
            if try parent.descriptor.makeDirectory(path.terminatedName, mode: 0o777) {
                batch.noteMade(path)
                try batch.add(parent)
            }
            return DirectoryHandle(try open(path))
        }
    }

    /// Removes the directories above a path that became empty by taking that path away.
    func prune(above path: FolderPath, in batch: WriteBatch) throws(Errno) {
        var emptied = path.parent
        while let directory = emptied {
            guard let place = try? place(of: directory) else { return }
            // Refused where anything is left in it, be it ignored or made in this instant.
            guard (try? place.removeDirectory()) != nil else { return }
            batch.noteRemoved(directory)
            try batch.add(place.directory)
            emptied = directory.parent
        }
    }

    /// What stands in a path's way, where that is why the system refused.
    func obstacle(on path: FolderPath, _ errno: Errno) -> BlockedReason? {
        switch errno {
        case .notDirectory, .tooManySymbolicLinkLevels, .isDirectory, .improperLink, .noSuchAddressOrDevice: break
        default: return nil
        }
        var above: [FolderPath] = []
        var next: FolderPath? = path
        while let path = next {
            above.insert(path, at: 0)
            next = path.parent
        }
        for name in above {
            let status: FileStatus
            do throws(Errno) {
                status = try place(of: name).status()
            } catch {
                return error == .improperLink ? .otherFileSystem(name) : nil
            }
            if let reason = obstacle(at: name, status.kind, isLast: name == path) { return reason }
        }
        return errno == .improperLink ? .otherFileSystem(path) : nil
    }

    /// Why a file cannot be put where something stands, or a path not lead through it.
    func obstacle(at path: FolderPath, _ kind: EntryKind, isLast: Bool = true) -> BlockedReason? {
        switch kind {
        case .file: isLast ? nil : .fileAbove(path)
        case .directory: isLast ? .directory(path) : nil
        case .symlink: .symlink(path)
        case .fifo, .socket, .device, .unknown: .special(path)
        }
    }
}
