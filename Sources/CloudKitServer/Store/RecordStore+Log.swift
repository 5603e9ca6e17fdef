import GRDB

extension RecordStore {
    /// Does something; and where the disk is full and it deletes, tries it once more before it fails for want of room.
    ///
    /// Deletions need little room. The database's log has it as soon as it is written from its beginning again, and then they
    /// make more.
    func findingRoom<Answer>(deletes: Bool, _ body: () throws -> Answer) throws -> Answer {
        try deletes ? Self.findingRoom(in: writer, body) : body()
    }

    /// The same for what needs as little room, such as a start.
    static func findingRoom<Answer>(in writer: any DatabaseWriter, _ body: () throws -> Answer) throws -> Answer {
        do {
            return try body()
        } catch let error as DatabaseError where error.isOfFullDisk {
            rewindLog(of: writer)
            return try body()
        }
    }

    /// Brings what the database's log has into the database, so that the log is written from its beginning again: on a full
    /// disk there is room in it then, and only there.
    private static func rewindLog(of writer: any DatabaseWriter) {
        guard let pool = writer as? DatabasePool else { return }
        // Where a reader or the full disk is in the way, what comes next has the room that there is.
        _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.passive) }
    }
}
