package import CloudKitWire
import RecordMapping
package import SyncModel

extension BaseEntry {
    /// Notes what a record says of its file and its assets besides their bytes.
    ///
    /// A file record has no field for it. But of a file with the same bytes its time alone is saved where it was put anew, and
    /// never otherwise.
    package mutating func note(renewalsIn fields: [String: Field], fileType: String) {
        guard recordType != fileType else {
            if !assets.isEmpty { assets[0].renewal = FileRecord(fields: fields).renewal }
            return
        }
        renewal = RecordHints.renewedTag(of: fields) ?? ""
        let renewals = RecordHints.renewedAssets(of: fields)
        for index in assets.indices {
            assets[index].renewal = renewals[assets[index].slot] ?? ""
        }
    }
}
