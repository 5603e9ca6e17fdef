/// How a record is tied to others, told without reading it: may be said of one that is not, never the other way around.
struct RecordTies: OptionSet {
    let rawValue: Int64

    /// Refers to other records, somewhere in it.
    static let refers = Self(rawValue: 1)
    /// May keep others from being deleted: by a VALIDATE reference somewhere in it, or as the child of a parent.
    static let keepsOthers = Self(rawValue: 2)

    init(rawValue: Int64) { self.rawValue = rawValue }

    /// By the words of the record dictionary, JSON.
    init(of row: RemoteRow) {
        self = []
        let text = String(decoding: row.record, as: UTF8.self)
        if text.contains("REFERENCE") { insert(.refers) }
        if row.parent != nil || text.contains("VALIDATE") { insert(.keepsOthers) }
    }
}
