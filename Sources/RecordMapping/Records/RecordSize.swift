public import CloudKitWire

/// How large a record counts, without its assets (protocol §6: 1 MB, by names and values).
public enum RecordSize {
    /// The most that is sent, in bytes; the server's own limit may be 48 576 bytes above.
    public static let limit = 1_000_000

    /// The bytes of names and values; strings as UTF-8, numbers and times as 8.
    public static func bytes(of fields: [String: Field]) -> Int {
        fields.reduce(0) { sum, field in sum + field.key.utf8.count + (field.value.value.map(bytes) ?? 0) }
    }

    static func bytes(of value: FieldValue) -> Int {
        if let elements = value.elements { return elements.reduce(0) { $0 + bytes(of: $1) } }
        return switch value {
        case .string(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        case .reference(let reference): reference.recordName.utf8.count + 16
        case .location: 64
        case .asset: 128
        case .untyped(let json), .unknown(_, let json): json.count
        default: 8
        }
    }
}
