public import GRDB
import GRDBSQLite
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Reads a SQLite database in WAL mode and leaves no trace of that: no file beside it, and no byte in one.
///
/// SQLite's own read-only opening makes the log and its index where they are missing. Where there is no log, nobody has
/// the database open, and it is read as a file that nobody changes (`immutable`); should somebody open it meanwhile, it is
/// read again. Where there is one, of a process that runs or was killed, its index is only read (`readonly_shm`).
/// - SeeAlso: SQLite, "Uniform Resource Identifiers" and "Write-Ahead Logging", section 5, "Read-Only Databases".
public enum TracelessReader {
    /// - Parameter body: Is run again where the database was opened or changed while it ran.
    /// - Throws: `Errno` where the file cannot be opened, and GRDB's errors.
    public static func read<Value>(_ path: FilePath, _ body: (DatabaseQueue) throws -> Value) throws -> Value {
        while true {
            try FileDescriptor.open(path, .readOnly, options: .closeOnExec).close()
            let before = DatabaseTrace(of: path)
            let outcome = Result { try read(path, hasLog: before.hasLog, body) }
            if before == DatabaseTrace(of: path) { return try outcome.get() }
        }
    }

    private static func read<Value>(
        _ path: FilePath, hasLog: Bool, _ body: (DatabaseQueue) throws -> Value
    ) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        // A SQLite that was built without URIs would take one for a file's name.
        let takesURIs = sqlite3_compileoption_used("USE_URI") != 0
        let name = takesURIs ? uri(of: path, hasLog ? "readonly_shm=1" : "immutable=1") : path.string
        let queue = try DatabaseQueue(path: name, configuration: configuration)
        let value = try body(queue)
        try queue.close()
        return value
    }

    private static func uri(of path: FilePath, _ parameter: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.string.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return "file:\(String(decoding: bytes, as: UTF8.self))?mode=ro&\(parameter)"
    }
}

/// What tells that a database was opened or changed: with a log, that there is one; without, the file's stamp.
private struct DatabaseTrace: Equatable {
    let hasLog: Bool
    private var inode: UInt = 0
    private var size = 0
    private var seconds = 0
    private var nanoseconds = 0

    init(of path: FilePath) {
        hasLog = access(path.string + "-wal", F_OK) == 0
        var status = stat()
        guard !hasLog, stat(path.string, &status) == 0 else { return }
        inode = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
