public import SyncModel

/// A record as fetched or acknowledged: what the planner needs of it, its system fields, and the whole of it.
public struct RemoteRow: Hashable, Sendable {
    /// By whom and on which device a record was created or modified.
    public struct Origin: Hashable, Sendable {
        public var user: String?
        public var device: String?

        /// Takes the user record name and the device ID of a record's stamp.
        public init(user: String? = nil, device: String? = nil) {
            self.user = user
            self.device = device
        }
    }

    public var entry: RemoteEntry
    public var createdBy: Origin
    public var modifiedMilliseconds: Int64?
    public var modifiedBy: Origin
    /// The record name of the parent in the sharing hierarchy.
    public var parent: String?
    /// The record name of the share.
    public var share: String?
    /// The whole record dictionary, JSON as it came; opaque here.
    public var record: [UInt8]

    /// A record with its dictionary; the rest of the system fields can be set afterwards.
    public init(entry: RemoteEntry, record: [UInt8]) {
        self.entry = entry
        self.record = record
        createdBy = Origin()
        modifiedBy = Origin()
    }
}
