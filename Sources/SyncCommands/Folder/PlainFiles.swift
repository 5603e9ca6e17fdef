import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// The few things that commands do with files themselves.
enum PlainFiles {
    static func isEmpty(_ directory: FilePath) throws -> Bool {
        try names(in: directory).isEmpty
    }

    static func exists(_ path: FilePath) -> Bool {
        access(path.string, F_OK) == 0
    }

    /// Whether a regular file is there; links are followed.
    static func isFile(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether a directory is there; links are followed.
    static func isDirectory(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func isLink(_ path: FilePath) -> Bool {
        var start: CChar = 0
        return path.withPlatformString { readlink($0, &start, 1) } >= 0
    }

    /// Whether anything has that name, be it a link to nowhere.
    static func isThere(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0
    }

    static func read(_ path: FilePath) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            while true {
                let piece = try [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
                    count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
                if piece.isEmpty { return bytes }
                bytes += piece
            }
        }
    }

    /// Reads a file that a person named.
    static func readNamed(_ text: String) throws -> [UInt8] {
        let path = try AbsolutePath.of(text)
        do {
            return try read(path)
        } catch let error as Errno {
            throw CommandFailure.system(error, "read", path)
        }
    }

    static func write(_ bytes: [UInt8], to path: FilePath) throws {
        let file = try FileDescriptor.open(
            path, .writeOnly, options: [.create, .truncate, .closeOnExec],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }

    /// Writes a file beside another and renames it over that one.
    static func replace(_ path: FilePath, with bytes: [UInt8]) throws {
        let new = FilePath(path.string + "~")
        try write(bytes, to: new)
        guard rename(new.string, path.string) == 0 else {
            throw CommandFailure.system(Errno(rawValue: errno), "replace", path)
        }
    }

    /// A new directory for this user alone, where temporary files are; its name begins so.
    static func makeTemporaryDirectory(_ prefix: String) throws -> FilePath {
        // mkdtemp(3) puts letters of its own in the place of the last six.
        let name = prefix + "-" + String(repeating: "X", count: 6)
        var template = Array("\(ProgramEnvironment.current.temporaryDirectory)/\(name)".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure.system(Errno(rawValue: errno), "make", "a temporary directory")
        }
        return try AbsolutePath.of(template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
    }

    /// Makes a directory with the missing ones above it, or takes the one that is there.
    static func makeDirectory(_ path: FilePath, mode: mode_t = 0o777) throws {
        guard mkdir(path.string, mode) != 0 else { return }
        var error = Errno(rawValue: errno)
        if error == .noSuchFileOrDirectory, path.lastComponent != nil {
            let above = path.removingLastComponent()
            try makeDirectory(above, mode: mode)
            guard isDirectory(above) else { throw CommandFailure.leadsNowhere(above) }
            guard mkdir(path.string, mode) != 0 else { return }
            error = Errno(rawValue: errno)
        }
        guard error == .fileExists else { throw CommandFailure.system(error, "make", path) }
    }

    static func delete(_ path: FilePath) throws {
        guard unlink(path.string) == 0 else { throw CommandFailure.system(Errno(rawValue: errno), "delete", path) }
    }

    /// Removes a directory with all that is in it, as far as that can be done. Follows no symlink.
    static func remove(_ directory: FilePath) {
        for name in (try? names(in: directory)) ?? [] {
            let path = directory.appending(name)
            if unlink(path.string) != 0 { remove(path) }
        }
        rmdir(directory.string)
    }

    /// The directories in a directory, without symlinks to some; none where it cannot be listed.
    static func directories(in directory: FilePath) -> [FilePath] {
        guard let stream = opendir(directory.string) else { return [] }
        defer { closedir(stream) }
        var found: [FilePath] = []
        while let entry = readdir(stream) {
            guard entry.pointee.d_type == UInt8(DT_DIR) else { continue }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
            found.append(FilePath("\(directory.string)/\(String(decoding: name, as: UTF8.self))"))
        }
        return found
    }

    private static func names(in directory: FilePath) throws -> [String] {
        guard let stream = opendir(directory.string) else {
            throw CommandFailure.system(Errno(rawValue: errno), "list", directory)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

extension CommandFailure {
    /// Something has the name of a directory and is none.
    fileprivate static func leadsNowhere(_ path: FilePath) -> Self {
        Self(
            status: .error,
            message: PlainFiles.isLink(path)
                ? "\(path) is a link to what is not there, such as a disk that is not mounted. Mount it, or name another place."
                : "\(path) is no directory. Name another place.")
    }
}
