public import SyncModel

/// A field that holds an asset in the zone.
public struct ContentSource: Hashable, Sendable {
    public var record: RecordName
    public var field: String
    /// Of an asset in a list.
    public var index: Int?
    /// What the server called these bytes when both sides agreed; the field may hold others by now.
    public var checksum: String

    /// The field of a file record that holds the file's bytes.
    public static let fileField = "content"
}

extension BaseEntry {
    /// The contents that the zone holds by this record.
    func contents(asFileOf fileRecordType: String) -> [ContentHash] {
        recordType == fileRecordType ? [hash] : assets.map(\.hash)
    }

    /// The field of this record that holds a content; `nil` where none does.
    func source(of hash: ContentHash, asFileOf fileRecordType: String) -> ContentSource? {
        if recordType == fileRecordType {
            guard self.hash == hash else { return nil }
            let checksum = assets.first?.checksum ?? ""
            return ContentSource(record: name, field: ContentSource.fileField, index: nil, checksum: checksum)
        }
        return assets.last { $0.hash == hash }.map {
            ContentSource(record: name, field: $0.field, index: $0.index, checksum: $0.checksum)
        }
    }
}
