import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A directory with all that is below it. No symlink is followed.
enum DirectoryTree {
    /// Removes it.
    static func remove(_ path: FilePath) throws(StateError) {
        guard unlink(path.string) != 0, lastError != .noSuchFileOrDirectory else { return }
        guard lastError == .isDirectory else { throw .system(lastError, "remove", path) }
        for name in try names(in: path) { try remove(path.appending(name)) }
        guard rmdir(path.string) == 0 else { throw .system(lastError, "remove", path) }
    }

    private static func names(in directory: FilePath) throws(StateError) -> [FilePath.Component] {
        let descriptor = open(directory.string, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(lastError, "list", directory) }
        guard let stream = fdopendir(descriptor) else {
            let error = lastError
            close(descriptor)
            throw .system(error, "list", directory)
        }
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath.Component(platformString: $0) }
            }
            if let name, name.kind == .regular { names.append(name) }
        }
        return names
    }

    /// How many files are in it; none where it is not there.
    static func countFiles(below directory: FilePath) throws(StateError) -> Int {
        guard let status = try FileStatus(of: directory) else { return 0 }
        guard status.isDirectory else { return 1 }
        var count = 0
        for name in try names(in: directory) { count += try countFiles(below: directory.appending(name)) }
        return count
    }
}
