/// The name of a record, unique in its zone, kept for the record's whole life.
///
/// Compared byte by byte: Swift's own string comparison would take two names for one that differ only in
/// Unicode normal form.
public struct RecordName: Sendable {
    /// The name as the server spells it.
    public let rawValue: String

    /// Takes a name as the server spells it; any text is a name that some app may have chosen.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension RecordName: Hashable, Comparable {
    public static func == (left: Self, right: Self) -> Bool {
        left.withBytes { left in right.withBytes { left.hasSameBytes(as: $0) } }
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.withBytes { left in right.withBytes { left.precedes($0) } }
    }

    public func hash(into hasher: inout Hasher) {
        withBytes { hasher.combine(bytes: $0) }
    }

    /// Lends the bytes of the name, in UTF-8.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = rawValue.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return result
        }
        // A string that Foundation lends.
        return Array(rawValue.utf8).withUnsafeBytes(body)
    }
}

extension RecordName: CustomStringConvertible {
    public var description: String { rawValue }
}
