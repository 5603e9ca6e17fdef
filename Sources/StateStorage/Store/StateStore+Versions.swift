public import FolderSettings
public import StateRows
public import SyncModel

extension StateStore {
    /// The JSON texts that are kept, newest first, without their bytes.
    public func keptDocuments() throws(StateError) -> [KeptDocument] {
        try read { db in try VersionTable.all(db) }
    }

    /// The texts on which both sides agree so far, without their bytes.
    public func agreedDocuments() throws(StateError) -> [AgreedDocument] {
        try read { db in try VersionTable.agreed(db) }
    }

    /// Where records' own files are that were moved, as the zone does not know yet.
    public func movedFiles() throws(StateError) -> [RecordName: FolderPath] {
        try read { db in try ProvenanceTable.moves(db) }
    }

    /// The bytes of a kept text; `nil` where it was removed since it was listed.
    public func keptDocument(_ id: Int64) throws(StateError) -> [UInt8]? {
        try read { db in try VersionTable.document(id, db) }
    }

    /// Removes kept texts that are older than a time, then the oldest until the rest is small enough.
    /// - Parameters:
    ///   - milliseconds: Since 1970.
    ///   - maxBytes: For all of them.
    /// - Returns: How many were removed.
    @discardableResult
    public func pruneDocuments(before milliseconds: Int64, maxBytes: Int64) throws(StateError) -> Int {
        try write(.ordered) { db in try VersionTable.prune(before: milliseconds, maxBytes: maxBytes, db) }
    }
}
