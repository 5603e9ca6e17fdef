public import SyncModel

/// What one walk of the directories found: all that a look tells but the bytes of files that changed, which
/// ``FolderScanner/read(_:atMost:now:restless:)`` reads a part at a time.
public struct FolderWalk: Sendable {
    /// What is known by now, but for the ``ScanResult/files`` that were given already.
    public internal(set) var result: ScanResult
    /// Files whose bytes are still to be read.
    public private(set) var unread: ArraySlice<FolderPath>

    init(result: ScanResult, toHash: [FolderPath]) {
        self.result = result
        unread = toHash[...]
    }

    /// Takes files whose bytes are to be read now.
    mutating func takeUnread(_ count: Int) -> [FolderPath] {
        defer { unread = unread.dropFirst(count) }
        return Array(unread.prefix(count))
    }
}
