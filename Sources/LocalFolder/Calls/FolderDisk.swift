package import SystemPackage

/// How a file or directory is opened.
package enum OpenMode: UInt32, Sendable {
    /// A file to read; never waits for a fifo's writer.
    case read = 0
    /// A directory to list, or to resolve further names from.
    case directory = 1
    /// A new file to write; `EEXIST` where the name is taken.
    case new = 2
    /// An existing file to write.
    case write = 3
}

/// The calls that reach the folder, handed in so that a folder can as well lie on a simulated disk: ``LinuxDisk`` is
/// the machine's own.
///
/// Names and paths are NUL-terminated bytes. "Beneath" means: resolved from the descriptor, without a symbolic link on the
/// way and without leaving it. Times are nanoseconds since 1970. What the calls promise when the power fails is what POSIX
/// does: bytes are there after ``sync(_:)`` of their file, names after that of their directory.
package protocol FolderDisk: Sendable {
    /// Opens a directory by any path, following links: only for the folder's root itself.
    func openRoot(_ path: UnsafePointer<UInt8>) throws(Errno) -> Int32
    /// - Parameter sameMount: Whether a mount point on the way is refused, with `EXDEV`.
    func open(
        _ path: UnsafePointer<UInt8>, beneath directory: Int32, _ mode: OpenMode, sameMount: Bool
    ) throws(Errno) -> Int32
    func close(_ descriptor: Int32)

    func status(_ descriptor: Int32) throws(Errno) -> FileStatus
    /// Of the name itself: a symbolic link is not followed.
    func status(of name: UnsafePointer<UInt8>, in directory: Int32) throws(Errno) -> FileStatus
    /// Names each entry but `.` and `..`, once in the life of a descriptor. The kind is `unknown` where the file system does
    /// not tell it in a listing.
    func list(_ directory: Int32, _ body: (UnsafePointer<UInt8>, _ length: Int, EntryKind) -> Void) throws(Errno)

    /// - Returns: The count of bytes, 0 at the file's end.
    func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    /// - Returns: The count of bytes, which may be fewer than were given.
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int
    func sync(_ descriptor: Int32) throws(Errno)
    /// Everything dirty on the descriptor's whole file system.
    func syncFileSystem(_ descriptor: Int32) throws(Errno)

    /// Both names must exist; they change places in one step (`RENAME_EXCHANGE`).
    func exchange(_ name: DiskName, _ other: DiskName) throws(Errno)
    /// `EEXIST` where the new name exists (`RENAME_NOREPLACE`).
    func renameNew(_ name: DiskName, to new: DiskName) throws(Errno)
    func renameOver(_ name: DiskName, to new: DiskName) throws(Errno)
    func link(_ name: DiskName, to new: DiskName) throws(Errno)
    func makeDirectory(_ name: DiskName, mode: UInt32) throws(Errno)
    func removeFile(_ name: DiskName) throws(Errno)
    func removeDirectory(_ name: DiskName) throws(Errno)

    func setMode(_ descriptor: Int32, _ mode: UInt32) throws(Errno)
    func setOwner(_ descriptor: Int32, user: UInt32, group: UInt32) throws(Errno)
    /// The access time becomes now.
    func setModified(_ descriptor: Int32, _ time: Int64) throws(Errno)
    /// Copies what extended attributes can be copied and are not equal already; tells how many were.
    func copyAttributes(from old: Int32, to new: Int32) -> Int
    /// Whether some process has the file open for writing; `nil` where that cannot be told. The descriptor must be open for
    /// reading only.
    func hasWriter(_ descriptor: Int32) -> Bool?

    /// Of the descriptor's whole file system; `nil` where it cannot be told.
    func space(_ descriptor: Int32) -> DiskSpace?

    /// Whether names that differ in case are two names, tried with one that is in a directory and has letters of one case.
    func tellsCase(of name: UnsafePointer<UInt8>, in directory: Int32) -> Bool

    func random() -> UInt64
}

extension FolderDisk {
    /// Not told.
    package func space(_ descriptor: Int32) -> DiskSpace? { nil }

    /// They are two names.
    package func tellsCase(of name: UnsafePointer<UInt8>, in directory: Int32) -> Bool { true }
}

/// A NUL-terminated name in an open directory.
package struct DiskName {
    package let directory: Int32
    package let name: UnsafePointer<UInt8>

    package init(_ name: UnsafePointer<UInt8>, in directory: Int32) {
        self.directory = directory
        self.name = name
    }
}
