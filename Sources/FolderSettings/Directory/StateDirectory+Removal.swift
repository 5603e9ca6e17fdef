import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension StateDirectory {
    /// Takes the directory away with all that is in it. Call it only while holding the ``FolderLock``.
    ///
    /// The tokens go first, and then the name: after a crash the folder is either still set up and signed out, or no longer a
    /// synced one, with a rest whose name begins like the directory's and is not synced either.
    /// - Throws: ``StateError``, which names what could not be removed.
    public func remove() throws(StateError) {
        guard unlink(credentialsFile.string) == 0 || lastError == .noSuchFileOrDirectory else {
            throw .system(lastError, "remove", credentialsFile)
        }
        try DurableFile.synchronize(directory: path)
        let rest = try moveAside()
        try DurableFile.synchronize(directory: folder)
        try DirectoryTree.remove(rest)
    }

    /// How many earlier versions of files are kept here, which go with the directory.
    public var historyCount: Int {
        get throws(StateError) { try DirectoryTree.countFiles(below: history) }
    }

    private func moveAside() throws(StateError) -> FilePath {
        var number = 0
        while true {
            let rest = folder.appending("\(Self.name).removed-\(getpid())-\(number)")
            if rename(path.string, rest.string) == 0 { return rest }
            guard [Errno.directoryNotEmpty, .fileExists].contains(lastError), number < 100 else {
                throw .system(lastError, "remove", path)
            }
            number += 1
        }
    }
}
