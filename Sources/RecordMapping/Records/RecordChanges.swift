public import CloudKitWire

/// What an `update` has to send: only fields that changed travel (design.md §6, S4.2).
public enum RecordChanges {
    /// The fields to send so that the record changes from one state to the other.
    ///
    /// A field that the new state lacks is removed, except where a file could not have shown it: that is another
    /// client's and is left alone. Assets are compared by what they are, not by how an answer described them.
    /// - Parameter isRemovable: Whether a field that is absent now may be removed; by default, whether a file shows
    ///   its value.
    public static func diff(
        from remote: [String: Field], to new: [String: Field],
        isRemovable: (String, FieldValue) -> Bool = { StructuredRendering.isShown($1) }
    ) -> [String: Field] {
        var changes: [String: Field] = [:]
        for (name, field) in new {
            guard let value = field.value else { continue }
            if let known = remote[name]?.value, isSame(known, value) { continue }
            changes[name] = field
        }
        for (name, field) in remote where new[name]?.value == nil {
            guard let value = field.value, isRemovable(name, value) else { continue }
            changes[name] = Field(nil, isEncrypted: field.isEncrypted)
        }
        return changes
    }

    /// Whether two values are the same content: assets by checksum (or by the receipt, where a new one has no
    /// checksum), references without the zone's type that answers add.
    public static func isSame(_ left: FieldValue, _ right: FieldValue) -> Bool {
        if left == right { return true }
        switch (left, right) {
        case (.asset(let a), .asset(let b)): return isSame(a, b)
        case (.assetList(let a), .assetList(let b)): return a.elementsEqual(b, by: isSame)
        case (.reference(let a), .reference(let b)): return isSame(a, b)
        case (.referenceList(let a), .referenceList(let b)): return a.elementsEqual(b, by: isSame)
        default: return false
        }
    }

    private static func isSame(_ left: Asset, _ right: Asset) -> Bool {
        guard let checksum = left.fileChecksum, let other = right.fileChecksum else { return false }
        return checksum == other && (left.size == nil || right.size == nil || left.size == right.size)
    }

    private static func isSame(_ left: Reference, _ right: Reference) -> Bool {
        guard left.action == right.action, left.recordName.utf8.elementsEqual(right.recordName.utf8) else {
            return false
        }
        // A file names no zone for the record's own; an answer may.
        guard let a = left.zoneID, let b = right.zoneID else { return true }
        return a.zoneName.utf8.elementsEqual(b.zoneName.utf8)
    }
}
