public import SyncModel

/// What one walk of the directories found: all that a look tells but the bytes of files that changed, which
/// ``FolderScanner/read(_:atMost:bytes:now:restless:)`` reads a part at a time.
public struct FolderWalk: Sendable {
    /// What is known by now, but for the ``ScanResult/files`` that were given already.
    public internal(set) var result: ScanResult
    /// Files whose bytes are still to be read.
    public private(set) var unread: ArraySlice<FolderPath>

    /// How large each of those is, by its stamp.
    private var sizes: ArraySlice<Int64>

    init(result: ScanResult, toHash: [FolderPath], sizes: [Int64]) {
        self.result = result
        (unread, self.sizes) = (toHash[...], sizes[...])
    }

    /// The files that are still to be read and have more bytes than so many, by their stamps.
    public func unread(largerThan limit: Int64) -> [FolderPath] {
        zip(unread, sizes).compactMap { path, size in size > limit ? path : nil }
    }

    /// Tells of files as they are, which are not to be read.
    public mutating func tell(_ files: [LocalFile]) {
        guard !files.isEmpty else { return }
        let told = Set(files.map(\.path))
        let left = zip(unread, sizes).filter { !told.contains($0.0) }
        (unread, sizes) = (left.map(\.0)[...], left.map(\.1)[...])
        result.files += files
    }

    /// Takes files whose bytes are to be read now: at least one, if there is any.
    mutating func takeUnread(_ most: Int, bytes: Int64) -> [FolderPath] {
        var (count, left) = (0, bytes)
        for size in sizes.prefix(most) {
            guard count == 0 || size <= left else { break }
            (count, left) = (count + 1, left - size)
        }
        defer { (unread, sizes) = (unread.dropFirst(count), sizes.dropFirst(count)) }
        return Array(unread.prefix(count))
    }
}
