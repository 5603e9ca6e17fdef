import SyncModel

/// How a record is tied to others, told without reading it: may be said of one that is not, never the other way around.
package struct RecordTies: OptionSet {
    package let rawValue: Int64

    /// Refers to other records, somewhere in it.
    package static let refers = Self(rawValue: 1)
    /// May keep others from being deleted: by a VALIDATE reference somewhere in it, or as the child of a parent.
    package static let keepsOthers = Self(rawValue: 2)

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// By the words of the record dictionary, JSON.
    package init(of row: RemoteRow) {
        self = []
        let (refers, validates) = row.record.withUnsafeBytes { ($0.contains("REFERENCE"), $0.contains("VALIDATE")) }
        if refers { insert(.refers) }
        if row.parent != nil || validates { insert(.keepsOthers) }
    }
}
