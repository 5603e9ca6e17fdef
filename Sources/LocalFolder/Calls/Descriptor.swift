import SyncModel
package import SystemPackage

/// An open file or directory of a disk, closed when it goes out of scope.
package struct Descriptor: ~Copyable, Sendable {
    package let disk: any FolderDisk
    package let raw: Int32

    init(owning raw: Int32, on disk: any FolderDisk) {
        self.disk = disk
        self.raw = raw
    }

    deinit {
        disk.close(raw)
    }
}

extension FolderPath {
    /// The path as the disk takes it.
    package var terminated: [UInt8] { bytes + [0] }
    /// The last name as the disk takes it.
    package var terminatedName: [UInt8] { name + [0] }
}

// The calls, on descriptors and NUL-terminated names.
extension Descriptor {
    package static func open(
        beneath directory: borrowing Descriptor, _ path: UnsafePointer<UInt8>, _ mode: OpenMode, sameMount: Bool = false
    ) throws(Errno) -> Descriptor {
        let disk = directory.disk
        return Descriptor(
            owning: try disk.open(path, beneath: directory.raw, mode, sameMount: sameMount), on: disk)
    }

    /// Makes a file that nothing stands in the way of, and leaves it empty.
    package func makeFile(_ name: UnsafePointer<UInt8>) throws(Errno) {
        disk.close(try disk.open(name, beneath: raw, .new, sameMount: false))
    }

    package func status() throws(Errno) -> FileStatus {
        try disk.status(raw)
    }

    /// What a name in this directory stands for, a symbolic link standing for itself.
    package func status(of name: UnsafePointer<UInt8>) throws(Errno) -> FileStatus {
        try disk.status(of: name, in: raw)
    }

    package func sync() throws(Errno) {
        try disk.sync(raw)
    }

    /// Fills the buffer from the file, and gives the count of bytes, 0 at the file's end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try disk.read(raw, into: buffer)
    }

    /// The bytes from where the file stands to its end.
    /// - Parameter size: So many are expected. Of a file that has more, one more is read.
    func read(expecting size: Int) throws(Errno) -> [UInt8] {
        var failure: Errno?
        let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
            do throws(Errno) {
                repeat {
                    // What was asked for beyond its size, and did not come, is its end: no call more has to say so.
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                    let more = try self.read(into: rest)
                    if more == 0 { break }
                    count += more
                } while count < size
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try disk.write(raw, rest)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// The names in this directory.
    package func names() throws(Errno) -> [[UInt8]] {
        var names: [[UInt8]] = []
        try disk.list(raw) { name, length, _ in
            names.append(Array(UnsafeBufferPointer(start: name, count: length)))
        }
        return names
    }

    /// Makes a directory; `false` where the name is taken, by whatever.
    package func makeDirectory(_ name: UnsafePointer<UInt8>, mode: UInt32) throws(Errno) -> Bool {
        do throws(Errno) {
            try disk.makeDirectory(DiskName(name, in: raw), mode: mode)
            return true
        } catch .fileExists {
            return false
        }
    }

    package func removeFile(_ name: UnsafePointer<UInt8>) throws(Errno) {
        try disk.removeFile(DiskName(name, in: raw))
    }

    /// `ENOTEMPTY` where anything is in it.
    package func removeDirectory(_ name: UnsafePointer<UInt8>) throws(Errno) {
        try disk.removeDirectory(DiskName(name, in: raw))
    }
}
