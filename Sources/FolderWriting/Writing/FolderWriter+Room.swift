import LocalFolder
import SyncModel
import SystemPackage

/// Room where a file is to come.
extension FolderWriter {
    /// Removes a directory that has nothing in it but such directories: an empty one is nobody's, and no device has it for another.
    /// - Returns: Whether the place is free by that.
    func makeRoom(for path: FolderPath, in batch: WriteBatch?) throws(FolderError) -> Bool {
        var isFree = false
        _ = try commit("make room for", path, in: batch) { batch throws(Errno) in
            let place = try place(of: path)
            guard try place.status().kind == .directory, try isEmpty(place.name, in: place.directory.descriptor) else {
                return .blocked(.directory(path))
            }
            // Refused where something was put there in this instant.
            try removeEmpty(place.name, in: place.directory.descriptor)
            batch.noteRemoved(path)
            try batch.add(place.directory)
            isFree = true
            return .superseded(.missing, conflictCopy: nil)
        }
        return isFree
    }

    private func isEmpty(_ name: [UInt8], in parent: borrowing Descriptor) throws(Errno) -> Bool {
        let directory: Descriptor
        do throws(Errno) {
            directory = try Descriptor.open(beneath: parent, name, .directory, sameMount: true)
        } catch .notDirectory {
            return false
        }
        for below in try directory.names() {
            guard try isEmpty(below + [0], in: directory) else { return false }
        }
        return true
    }

    private func removeEmpty(_ name: [UInt8], in parent: borrowing Descriptor) throws(Errno) {
        let directory = try Descriptor.open(beneath: parent, name, .directory, sameMount: true)
        for below in try directory.names() { try removeEmpty(below + [0], in: directory) }
        try parent.removeDirectory(name)
    }
}
