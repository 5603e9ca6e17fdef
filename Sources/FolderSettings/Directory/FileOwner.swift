#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Whose a file is.
public struct FileOwner: Hashable, Sendable, CustomStringConvertible {
    /// The user's number.
    public let number: UInt32
    /// The user's name, where the system knows one.
    public let name: String?

    /// Looks the name up.
    public init(_ number: UInt32) {
        self.number = number
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        name = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard getpwuid_r(number, &entry, buffer.baseAddress!, buffer.count, &found) == 0, let found else {
                return nil
            }
            return found.pointee.pw_name.map { String(cString: $0) }
        }
    }

    /// The owner of what stands at a path, its links followed; `nil` where that cannot be told.
    public init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status.st_uid)
    }

    /// As a person knows them.
    public var description: String { name ?? "user \(number)" }

    /// As `sudo -u` takes them.
    public var argument: String { name ?? "'#\(number)'" }
}
