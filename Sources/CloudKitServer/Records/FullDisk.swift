import CloudKitWire

/// What becomes of a request's operations that find no room on the disk (protocol §5): what is to be saved is refused, and
/// deletions go on. They need little room, and what they free makes more.
enum FullDisk {
    /// A time in which somebody could have made room.
    static let retryAfter: Double = 60

    /// - Parameter refused: Those that are refused already.
    /// - Returns: What to refuse before the others are tried again; `nil` where the request has failed as a whole.
    static func refusals(of operations: [RecordOperation], refused: Set<Int>) -> [Int: ErrorDictionary]? {
        let tried = operations.indices.filter { !refused.contains($0) }
        let saves = tried.filter { !operations[$0].kind.deletes }
        guard saves.count < tried.count else { return nil }
        // Of deletions alone none has room. Their turn comes again, and the rest of the database need not wait for it.
        let (culprits, error) = saves.isEmpty ? (tried, noRoomToDelete) : (saves, noRoomToSave)
        return Dictionary(
            uniqueKeysWithValues: culprits.map { ($0, error.about(record: operations[$0].record.recordName)) })
    }

    /// The storage is full.
    static let noRoomToSave = ErrorDictionary(.quotaExceeded, reason: "the server's disk is full")

    /// The storage is full, and that is no reason to hold back what would store nothing.
    static let noRoomToDelete: ErrorDictionary = {
        var error = ErrorDictionary(.tryAgainLater, reason: "the server's disk is full")
        error.retryAfter = retryAfter
        return error
    }()
}
