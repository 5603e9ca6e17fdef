public import SyncModel

/// A conflict copy that waits for a person.
public struct ConflictRow: Hashable, Sendable {
    /// A version as the zone had it when it collided.
    public struct SavedVersion: Hashable, Sendable {
        /// The user record name.
        public var user: String?
        /// Since 1970, by the server's clock.
        public var milliseconds: Int64?

        /// Takes them from a record's stamp.
        public init(user: String? = nil, milliseconds: Int64? = nil) {
            self.user = user
            self.milliseconds = milliseconds
        }
    }

    /// The path of the copy.
    public var copy: FolderPath
    /// The path of the file beside which it was put.
    public var original: FolderPath
    public var record: RecordName
    /// The fields that collided; empty where whole files did.
    public var fields: [String]
    /// Of the copy's bytes.
    public var hash: ContentHash
    public var atMilliseconds: Int64
    /// By whom the zone's version was saved there, and when; empty where that is not known.
    public var zone: SavedVersion

    /// A copy of a file, with the fields that collided.
    public init(
        copy: FolderPath, original: FolderPath, record: RecordName, fields: [String], hash: ContentHash,
        atMilliseconds: Int64, zone: SavedVersion = SavedVersion()
    ) {
        self.copy = copy
        self.original = original
        self.record = record
        self.fields = fields
        self.hash = hash
        self.atMilliseconds = atMilliseconds
        self.zone = zone
    }
}
