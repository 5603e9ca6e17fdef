public import SyncModel

/// Files that a person took out of a record while another one still named them.
///
/// Somebody else may take the same file out of the other record at the same time, because this one names it. Neither of them
/// deleted it, so that it stays when the zone tells of that, and is a file of its own. What the zone has by the time that
/// it was asked next was done without knowledge of it; who comes later knew, and meant the file's end.
public struct TakenOutFiles: Sendable {
    /// Whether the zone was asked for its changes since.
    private var isFetched: [FolderPath: Bool] = [:]

    /// None.
    public init() {}

    /// Whether a person took this file out, and it is not known yet who else did.
    public func contains(_ path: FolderPath) -> Bool { isFetched[path] != nil }

    /// A record has a file no more, by a person of this folder.
    public mutating func insert(_ path: FolderPath) { isFetched[path] = false }

    /// The zone's changes were asked for, and are known.
    public mutating func noteFetch() {
        for path in isFetched.keys { isFetched[path] = true }
    }

    /// Forgets files of which all is done that the zone had by the fetch after they were taken out.
    /// - Parameter isSettled: Whether both sides agree on the records that have a file as their asset.
    public mutating func forget(where isSettled: (FolderPath) -> Bool) {
        isFetched = isFetched.filter { path, isFetched in !isFetched || !isSettled(path) }
    }
}
