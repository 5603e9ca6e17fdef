import LocalFolder
public import SyncModel

/// A file that was replaced or deleted in the folder, and can be had back.
public struct HistoryEntry: Hashable, Sendable {
    /// Where the file was in the folder.
    public var path: FolderPath
    /// The directory below `history/` that holds it, named by the second of the change and by what took its place:
    /// `20260115T101112Z-0-deleted-there`.
    public var bucket: String
    /// When it was replaced or deleted, in seconds since 1970.
    public var time: Int64
    /// What took its place; `nil` for what earlier versions of this program filed, which was a change of the zone.
    public var reason: KeptReason?
    /// In bytes.
    public var size: Int64
    /// When its bytes were written, in nanoseconds since 1970, by the file itself.
    public var modified: Int64

    package init(path: FolderPath, bucket: String, time: Int64, reason: KeptReason?, size: Int64, modified: Int64) {
        self.path = path
        self.bucket = bucket
        self.time = time
        self.reason = reason
        self.size = size
        self.modified = modified
    }

    /// Where the file lies, relative to the folder.
    public var location: String { "\(FolderRoot.stateName)/history/\(bucket)/\(path)" }
}
