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
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }
}

extension RecordName: CustomStringConvertible {
    public var description: String { rawValue }
}
