import CloudKitWire

/// What the zone's records hold, as the server said it to whoever saved them.
struct RecordVersions {
    private var latest: [String: Record] = [:]

    /// Notes what a record is after the server took a save.
    mutating func saved(_ record: Record) {
        guard let name = record.recordName else { return }
        latest[name] = record.deleted == true ? nil : record
    }

    /// A field that an update sends with the value that its version had; `nil` where there is none.
    ///
    /// An update of one field alone may do so: it says that a person put the record's file there anew. Assets do not count:
    /// who has not agreed on a file with the zone yet cannot know that it has these bytes.
    func untouchedField(in operation: RecordOperation) -> String? {
        let sent = operation.record.fields
        guard operation.kind == .update, sent.count > 1,
            let known = operation.record.recordName.flatMap({ latest[$0] }),
            known.recordChangeTag == operation.record.recordChangeTag
        else { return nil }
        return sent.keys.sorted().first { name in
            guard let old = known.fields[name]?.value, let new = sent[name]?.value else { return false }
            if case .asset = new { return false }
            return old == new
        }
    }
}
