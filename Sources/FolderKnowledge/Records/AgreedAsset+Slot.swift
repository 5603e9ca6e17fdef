package import RecordMapping
package import SyncModel

extension AgreedAsset {
    /// Where in the record it is.
    package var slot: AssetSlot { AssetSlot(field: field, index: index) }
}

extension BaseEntry {
    /// What both sides agreed on for one of a record's assets.
    package func asset(in slot: AssetSlot) -> AgreedAsset? {
        assets.first { $0.slot == slot }
    }
}
