public import FolderWriting
import StateRows
public import SyncModel

/// An earlier version of a file that can be had back.
public struct KeptVersion: Hashable, Sendable {
    /// Where its bytes are.
    public enum Place: Hashable, Sendable {
        case history(HistoryEntry)
        /// A row of the state, by its id.
        case row(Int64, executable: Bool)
        /// What both sides agree on so far, by its record: it is kept once they agree on what took its place.
        case agreed(RecordName, executable: Bool)
    }

    /// Where the file was in the folder.
    public var path: FolderPath
    /// When something took its place, in milliseconds since 1970; of a file in `history/`, the beginning of that second.
    public var replacedMilliseconds: Int64
    /// When its bytes were written, as far as that is known, in milliseconds since 1970.
    public var writtenMilliseconds: Int64
    /// In bytes.
    public var size: Int64
    /// What took its place; `nil` for what earlier versions of this program kept.
    public var reason: KeptReason?
    public var place: Place

    /// One version, with its bytes' place.
    public init(
        path: FolderPath, replacedMilliseconds: Int64, writtenMilliseconds: Int64, size: Int64, reason: KeptReason?,
        place: Place
    ) {
        self.path = path
        self.replacedMilliseconds = replacedMilliseconds
        self.writtenMilliseconds = writtenMilliseconds
        self.size = size
        self.reason = reason
        self.place = place
    }

    init(_ entry: HistoryEntry) {
        self.init(
            path: entry.path, replacedMilliseconds: entry.time * 1000, writtenMilliseconds: entry.modified / 1_000_000,
            size: entry.size, reason: entry.reason, place: .history(entry))
    }

    init(_ document: KeptDocument) {
        self.init(
            path: document.path, replacedMilliseconds: document.atMilliseconds,
            writtenMilliseconds: document.writtenMilliseconds, size: document.size, reason: document.reason,
            place: .row(document.id, executable: document.executable))
    }
}
