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
            // Refused where something was put there in this instant.
            guard isEmpty(place.name, in: place.directory.descriptor),
                (try? removeEmpty(place.name, in: place.directory.descriptor)) != nil
            else { return .blocked(.directory(path)) }
            batch.noteRemoved(path)
            try batch.add(place.directory)
            isFree = true
            return .superseded(.missing, conflictCopy: nil)
        }
        return isFree
    }

    /// Whether nothing but directories is in a directory. One that cannot be looked into may have anything.
    private func isEmpty(_ name: [UInt8], in parent: borrowing Descriptor) -> Bool {
        guard let directory = try? Descriptor.open(beneath: parent, name, .directory, sameMount: true),
            let names = try? directory.names()
        else { return false }
        for below in names where !isEmpty(below + [0], in: directory) { return false }
        return true
    }

    private func removeEmpty(_ name: [UInt8], in parent: borrowing Descriptor) throws(Errno) {
        let directory = try Descriptor.open(beneath: parent, name, .directory, sameMount: true)
        for below in try directory.names() { try removeEmpty(below + [0], in: directory) }
        try parent.removeDirectory(name)
    }
}
