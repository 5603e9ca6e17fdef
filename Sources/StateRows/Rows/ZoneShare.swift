public import SyncModel

/// A share through which the zone, or a part of it, is read and written by others than its owner.
public struct ZoneShare: Hashable, Sendable {
    /// What the account may do with what is shared.
    public enum Permission: String, Hashable, Sendable, CaseIterable {
        case readOnly = "read-only"
        case readWrite = "read-write"
    }

    /// The record name of the share.
    public var name: RecordName
    /// `nil` as long as only the record that it shares told of the share.
    public var permission: Permission?
    /// The record at the top of what is shared; `nil` where that is the whole zone, or not known yet.
    public var root: RecordName?

    /// A share, as far as it is known.
    public init(name: RecordName, permission: Permission?, root: RecordName?) {
        self.name = name
        self.permission = permission
        self.root = root
    }
}
