import Glibc
import SystemPackage

/// The copy of one asset while it is made; closed at the latest when nobody has it any more.
final class CopiedAsset {
    /// Where it stays.
    let target: FilePath
    private let path: FilePath
    private var descriptor: FileDescriptor?

    /// - Parameter files: To which it is to belong.
    init(of sha256: [UInt8], beside files: AssetFiles) {
        target = files.path(sha256)
        // What an interrupted backup leaves there, the next one removes, and so would a server.
        path = files.directory.removingLastComponent().appending("uploads").appending(hex(sha256))
    }

    deinit {
        try? descriptor?.close()
    }

    func open() throws {
        try call("make", path) {
            descriptor = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try call("write", path) { _ = try descriptor?.writeAll(bytes) }
    }

    /// Lets its bytes go to the disk while others are copied.
    func startWriting() {
        advise()
    }

    func sync() throws {
        guard let descriptor else { return }
        guard fsync(descriptor.rawValue) == 0 else { throw ServerError.file("fsync", path, Errno(rawValue: errno)) }
        advise()
    }

    /// Says that nobody reads it soon: what is not written yet begins to be, and what is leaves the memory, which a server needs
    /// for its own files. Only advice: what cannot take it does without.
    private func advise() {
        if let descriptor { _ = posix_fadvise(descriptor.rawValue, 0, 0, POSIX_FADV_DONTNEED) }
    }

    /// Gives it its name, in the place of one that was cut short.
    func putInPlace() throws {
        guard rename(path.string, target.string) == 0 else {
            throw ServerError.file("rename", path, Errno(rawValue: errno))
        }
        close()
    }

    /// Removes it again.
    func discard() {
        close()
        unlink(path.string)
    }

    private func close() {
        try? descriptor?.close()
        descriptor = nil
    }

    private func call(_ name: String, _ path: FilePath, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as Errno {
            throw ServerError.file(name, path, error)
        }
    }
}
