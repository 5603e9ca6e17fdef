public import CloudKitWire
import WireCoding

/// How large records are, on the wire and by the server's count.
public enum WireSize {
    /// The server refuses a record beyond 1 MB without its assets. Whether that is 10^6 or 2^20 bytes is unsaid, so
    /// the smaller (protocol §6).
    public static let recordLimit = 1_000_000

    /// Bytes of keys and values, as the record limit counts them; assets count nothing.
    public static func storedBytes(of record: Record) -> Int {
        record.fields.reduce(0) { $0 + $1.key.utf8.count + ($1.value.value.map(storedBytes(of:)) ?? 0) }
    }

    /// Whether a record fits into the record limit.
    public static func fits(_ record: Record) -> Bool {
        storedBytes(of: record) < recordLimit
    }

    /// At least the bytes of an operation's JSON, without encoding it.
    public static func encodedBytes(of operation: RecordOperation) -> Int {
        let record = operation.record
        var bytes = 160  // keys and punctuation around the fields
        for text in [record.recordName, record.recordType, record.recordChangeTag, record.parent] {
            bytes += text.map(jsonBytes(of:)) ?? 0
        }
        if record.share != nil || record.sharing != nil {
            var shared = Record()
            (shared.share, shared.sharing) = (record.share, record.sharing)
            bytes += shared.encoded().count
        }
        if let zoneID = record.zoneID { bytes += jsonBytes(of: zoneID) }
        for key in operation.desiredKeys ?? [] { bytes += jsonBytes(of: key) + 1 }
        for (name, field) in record.fields {
            bytes += jsonBytes(of: name) + 64  // {"value":,"type":"ENCRYPTED_BYTES","isEncrypted":true},
            bytes += field.value.map(jsonBytes(of:)) ?? 4
        }
        return bytes
    }

    private static func storedBytes(of value: FieldValue) -> Int {
        switch value {
        case .string(let text): text.utf8.count
        case .int64, .double, .timestamp: 8
        case .bytes(let bytes): bytes.count
        case .reference(let reference): reference.recordName.utf8.count
        case .location: 64
        case .asset, .assetList: 0
        case .stringList(let list): list.reduce(0) { $0 + $1.utf8.count }
        case .int64List(let list), .timestampList(let list): 8 * list.count
        case .doubleList(let list): 8 * list.count
        case .bytesList(let list): list.reduce(0) { $0 + $1.count }
        case .referenceList(let list): list.reduce(0) { $0 + $1.recordName.utf8.count }
        case .locationList(let list): 64 * list.count
        case .untyped(let json), .unknown(_, let json): json.count
        }
    }

    private static func jsonBytes(of value: FieldValue) -> Int {
        switch value {
        case .string(let text): jsonBytes(of: text)
        case .int64, .double, .timestamp: 26
        case .bytes(let bytes): base64Bytes(of: bytes)
        case .reference(let reference): jsonBytes(of: reference)
        case .location: 8 * 48
        case .asset(let asset): jsonBytes(of: asset)
        case .stringList(let list): list.reduce(2) { $0 + jsonBytes(of: $1) + 1 }
        case .int64List(let list), .timestampList(let list): 2 + 27 * list.count
        case .doubleList(let list): 2 + 27 * list.count
        case .bytesList(let list): list.reduce(2) { $0 + base64Bytes(of: $1) + 1 }
        case .referenceList(let list): list.reduce(2) { $0 + jsonBytes(of: $1) + 1 }
        case .locationList(let list): 2 + 8 * 48 * list.count
        case .assetList(let list): list.reduce(2) { $0 + jsonBytes(of: $1) + 1 }
        case .untyped(let json): json.count
        case .unknown(let type, let json): json.count + type.utf8.count
        }
    }

    private static func jsonBytes(of reference: Reference) -> Int {
        jsonBytes(of: reference.recordName) + 64 + (reference.zoneID.map(jsonBytes(of:)) ?? 0)
    }

    private static func jsonBytes(of zoneID: ZoneID) -> Int {
        96 + jsonBytes(of: zoneID.zoneName) + (zoneID.ownerRecordName.map(jsonBytes(of:)) ?? 0)
    }

    private static func jsonBytes(of asset: Asset) -> Int {
        let texts = [asset.fileChecksum, asset.receipt, asset.wrappingKey, asset.referenceChecksum, asset.downloadURL]
        return texts.reduce(160) { $0 + ($1.map(jsonBytes(of:)) ?? 0) }
    }

    /// With its quotes: control characters take six bytes as `\u00XX`; quotes, backslashes and slashes may take two.
    private static func jsonBytes(of text: String) -> Int {
        text.utf8.reduce(2) { bytes, byte in
            switch byte {
            case 0..<0x20, 0x7F: bytes + 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes + 2
            default: bytes + 1
            }
        }
    }

    private static func base64Bytes(of bytes: [UInt8]) -> Int {
        (bytes.count + 2) / 3 * 4 + 2
    }
}
