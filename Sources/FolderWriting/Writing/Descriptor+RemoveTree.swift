import LocalFolder
import SystemPackage

extension Descriptor {
    /// Removes a file, or a directory with all that is in it, following nothing.
    func removeTree(_ name: [UInt8]) throws(Errno) {
        do throws(Errno) {
            return try removeFile(name)
        } catch {
            guard error == .isDirectory || error == .notPermitted else { throw error }
        }
        let directory = try Descriptor.open(beneath: self, name, .directory, sameMount: true)
        for below in try directory.names() { try directory.removeTree(below + [0]) }
        try removeDirectory(name)
    }
}
