/// The place of a file in the folder: names joined by `/`, relative to the folder's root.
///
/// Linux names are bytes, not text: two paths are equal when their bytes are, so names that differ only in
/// Unicode normal form stay two files, and names that are no UTF-8 are carried unharmed.
///
/// Every value is safe to resolve beneath the root: no empty name, no `.` or `..`, no NUL, no leading or
/// trailing `/`, at most 255 bytes a name, and at most ``longest`` in all.
public struct FolderPath: Hashable, Comparable, Sendable {
    /// The whole path as bytes; never empty.
    public let bytes: [UInt8]

    /// The most bytes that a path can have: the kernel takes 4,096 with the zero at their end.
    public static var longest: Int { 4095 }

    /// Takes a path as bytes, or gives `nil` where it is not safe beneath the root.
    public init?(bytes: some Collection<UInt8>) {
        self.init(checking: Array(bytes))
    }

    /// Takes a path as a row of a database has it, or gives `nil` where it is not safe beneath the root.
    public init?(copying bytes: UnsafeRawBufferPointer) {
        self.init(checking: Array(bytes))
    }

    private init?(checking bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Self.longest else { return nil }
        var start = 0
        for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
            guard Self.isSafe(name: bytes[start..<end]) else { return nil }
            start = end + 1
        }
        self.bytes = bytes
    }

    /// Takes a path as text, or gives `nil` where it is not safe beneath the root.
    public init?(_ text: String) {
        self.init(bytes: text.utf8)
    }

    /// Whether one name between slashes can stand in a path.
    public static func isSafe(name: some Collection<UInt8>) -> Bool {
        guard !name.isEmpty, name.count <= 255 else { return false }
        if name.allSatisfy({ $0 == UInt8(ascii: ".") }), name.count <= 2 { return false }
        return !name.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    /// Takes bytes that are known to be safe: names as the kernel gave them, below a safe path.
    package init(trusted bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The names between the slashes, from the root down.
    public var names: [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "/"))
    }

    /// The last name.
    public var name: ArraySlice<UInt8> {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return bytes[...] }
        return bytes[(slash + 1)...]
    }

    /// The directories above this path, the nearest first.
    public var ancestors: [FolderPath] {
        var ancestors: [FolderPath] = []
        var above = parent
        while let path = above {
            ancestors.append(path)
            above = path.parent
        }
        return ancestors
    }

    /// The folder that holds this path, or `nil` where that is the root.
    public var parent: FolderPath? {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return FolderPath(trusted: Array(bytes[..<slash]))
    }

    /// This path with one more name below it, or `nil` where that name is not safe, or the path would be too long.
    public func appending(name: some Collection<UInt8>) -> FolderPath? {
        guard Self.isSafe(name: name), bytes.count + 1 + name.count <= Self.longest else { return nil }
        return FolderPath(trusted: bytes + [UInt8(ascii: "/")] + name)
    }

    /// This path with another last name, or `nil` where that name is not safe, or the path would be too long.
    public func replacing(name: some Collection<UInt8>) -> FolderPath? {
        guard Self.isSafe(name: name), bytes.count - self.name.count + name.count <= Self.longest else { return nil }
        return parent.map { FolderPath(trusted: $0.bytes + [UInt8(ascii: "/")] + name) }
            ?? FolderPath(trusted: Array(name))
    }

    /// Whether this path lies somewhere below the other one.
    public func isBelow(_ ancestor: FolderPath) -> Bool {
        bytes.count > ancestor.bytes.count + 1 && bytes.starts(with: ancestor.bytes)
            && bytes[ancestor.bytes.count] == UInt8(ascii: "/")
    }

    /// The path as text, or `nil` where its bytes are no UTF-8.
    public var text: String? {
        String(validating: bytes, as: UTF8.self)
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.bytes.withUnsafeBytes { left in right.bytes.withUnsafeBytes { left.precedes($0) } }
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.bytes.withUnsafeBytes { left in right.bytes.withUnsafeBytes { left.hasSameBytes(as: $0) } }
    }

    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
