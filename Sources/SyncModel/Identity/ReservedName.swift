/// The names that the program keeps for itself: all that begin like the state directory's, in any letter case, as a folder
/// may lie on a file system that ignores it.
///
/// Nothing of such a name is ever sent or received, at any depth: a copy of the state directory holds tokens. Only
/// `.zonefolderignore` is free, and at the folder's root only as a file, since a directory there would hide the rules.
public enum ReservedName {
    private static let start = Array(".zonefolder".utf8)
    private static let ignoreFile = Array(".zonefolderignore".utf8)

    /// Whether a name is kept, wherever it stands.
    public static func isReserved(_ name: some Collection<UInt8>) -> Bool {
        guard name.first == start[0], name.count >= start.count, !name.elementsEqual(ignoreFile) else { return false }
        return zip(name, start).allSatisfy { (byte, expected) in
            ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == expected
        }
    }

    /// Whether a name of the folder's root is kept where it is a directory's.
    public static func isReserved(directoryAtRoot name: some Collection<UInt8>) -> Bool {
        name.elementsEqual(ignoreFile) || isReserved(name)
    }
}

extension FolderPath {
    /// Where the ignore rules are.
    public static let ignoreFile = FolderPath(".zonefolderignore")!

    /// Whether a file of this path can be nobody's: one of its names is kept for the program.
    public var isReserved: Bool {
        guard hasHiddenName else { return false }
        let names = names
        if names.count > 1, ReservedName.isReserved(directoryAtRoot: names[0]) { return true }
        return names.contains { ReservedName.isReserved($0) }
    }

    /// Whether one of the names begins with a dot.
    private var hasHiddenName: Bool {
        var isFirst = true
        for byte in bytes {
            if isFirst, byte == UInt8(ascii: ".") { return true }
            isFirst = byte == UInt8(ascii: "/")
        }
        return false
    }
}
