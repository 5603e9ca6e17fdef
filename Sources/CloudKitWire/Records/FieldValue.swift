/// The value of a record's field, with its type (protocol §4, "Field value").
///
/// Compared exactly: strings byte by byte, doubles bit by bit except that a NaN cannot occur.
public enum FieldValue: Sendable {
    case string(String)
    case int64(Int64)
    /// Finite; JSON has no NaN and no infinity.
    case double(Double)
    /// Milliseconds since 1970, UTC.
    case timestamp(Int64)
    case bytes([UInt8])
    case reference(Reference)
    case location(Location)
    case asset(Asset)
    case stringList([String])
    case int64List([Int64])
    case doubleList([Double])
    case timestampList([Int64])
    case bytesList([[UInt8]])
    case referenceList([Reference])
    case locationList([Location])
    case assetList([Asset])
    /// A value without a type, as a request may send it: its JSON text. Only a schema can tell what it is.
    case untyped(json: [UInt8])
    /// A type that this protocol description does not know: its name and its JSON text, kept as they came.
    case unknown(type: String, json: [UInt8])
}

/// A field: its value, or none where the field is to be removed, and whether it is stored encrypted.
public struct Field: Hashable, Sendable {
    /// `nil` on the wire is `{"value": null}`: remove this field.
    public var value: FieldValue?
    /// `"isEncrypted": true` beside the value.
    public var isEncrypted: Bool

    /// Takes a value, or `nil` to remove the field.
    public init(_ value: FieldValue?, isEncrypted: Bool = false) {
        self.value = value
        self.isEncrypted = isEncrypted
    }
}

/// Points to another record (protocol §4, REFERENCE).
public struct Reference: Hashable, Sendable {
    /// What happens to the referring record when its target is deleted.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        case none = "NONE"
        case deleteSelf = "DELETE_SELF"
        case validate = "VALIDATE"
    }

    /// The target's.
    public var recordName: String
    /// The target's; the referring record's own where absent.
    public var zoneID: ZoneID?
    /// What the target's deletion does.
    public var action: Action

    /// Points to a record, in the referring record's own zone where none is named.
    public init(recordName: String, zoneID: ZoneID? = nil, action: Action = .none) {
        self.recordName = recordName
        self.zoneID = zoneID
        self.action = action
    }
}

/// A place on earth (protocol §4, LOCATION).
public struct Location: Hashable, Sendable {
    /// Degrees.
    public var latitude: Double
    /// Degrees.
    public var longitude: Double
    /// Metres.
    public var altitude: Double?
    /// Metres.
    public var horizontalAccuracy: Double?
    /// Metres.
    public var verticalAccuracy: Double?
    /// Metres a second.
    public var speed: Double?
    /// Degrees from true north.
    public var course: Double?
    /// Milliseconds since 1970, UTC.
    public var timestamp: Int64?

    /// A place known by its coordinates alone.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A stored file, as records name it (protocol §3.10).
///
/// A write needs the `receipt` of an upload or a rereference; an answer has a `downloadURL` instead.
public struct Asset: Hashable, Sendable {
    /// Base64; equal for equal content, but nothing that a client could compute.
    public var fileChecksum: String?
    /// In bytes.
    public var size: Int64?
    /// Proves an upload; in writes only.
    public var receipt: String?
    /// In private databases; handed on as it came.
    public var wrappingKey: String?
    /// In private databases; handed on as it came.
    public var referenceChecksum: String?
    /// Holds the literal `${f}`, to be replaced by a percent-encoded file name; expires.
    public var downloadURL: String?
    /// Every other key with its JSON text, kept as it came: an upload's dictionary is handed on whole.
    public var others: [String: [UInt8]] = [:]

    /// An asset dictionary, with whatever keys are known.
    public init(
        fileChecksum: String? = nil, size: Int64? = nil, receipt: String? = nil, wrappingKey: String? = nil,
        referenceChecksum: String? = nil, downloadURL: String? = nil
    ) {
        self.fileChecksum = fileChecksum
        self.size = size
        self.receipt = receipt
        self.wrappingKey = wrappingKey
        self.referenceChecksum = referenceChecksum
        self.downloadURL = downloadURL
    }
}
