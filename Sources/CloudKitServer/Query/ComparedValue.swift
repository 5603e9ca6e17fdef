import CloudKitWire
import Foundation

/// A value as queries compare it: one type for all kinds that are alike.
enum ComparedValue: Hashable {
    /// UTF-8; the order of its bytes is the order of the text's scalars.
    case text([UInt8])
    /// An INT64, or a TIMESTAMP.
    case integer(Int64)
    case double(Double)
    case bytes([UInt8])
    /// The target's zone is the referring record's own where the reference names none.
    case reference(zone: String, name: [UInt8])
    /// Degrees.
    case place(latitude: Double, longitude: Double)

    static func text(_ string: String) -> Self { .text(Array(string.utf8)) }

    /// The values of a field: one, or a list's elements. Empty where the type is none that can be compared.
    static func values(of value: FieldValue, in zone: String) -> [Self] {
        switch value {
        case .string(let text): [.text(text)]
        case .int64(let number), .timestamp(let number): [.integer(number)]
        case .double(let number): [.double(number)]
        case .bytes(let bytes): [.bytes(bytes)]
        case .reference(let reference): [Self(reference, in: zone)]
        case .location(let location): [Self(location)]
        case .stringList(let list): list.map { .text($0) }
        case .int64List(let list), .timestampList(let list): list.map { .integer($0) }
        case .doubleList(let list): list.map { .double($0) }
        case .bytesList(let list): list.map { .bytes($0) }
        case .referenceList(let list): list.map { Self($0, in: zone) }
        case .locationList(let list): list.map { Self($0) }
        case .asset, .assetList, .untyped, .unknown: []
        }
    }

    private init(_ reference: Reference, in zone: String) {
        self = .reference(zone: reference.zoneID?.zoneName ?? zone, name: Array(reference.recordName.utf8))
    }

    private init(_ location: Location) {
        self = .place(latitude: location.latitude, longitude: location.longitude)
    }

    /// Which of two values of one kind comes first; `nil` where they have no order.
    func precedes(_ other: Self) -> Bool? {
        switch (self, other) {
        case (.text(let a), .text(let b)), (.bytes(let a), .bytes(let b)): a.lexicographicallyPrecedes(b)
        case (.integer(let a), .integer(let b)): a < b
        case (.double(let a), .double(let b)): a < b
        case (.integer(let a), .double(let b)): Self.isLess(a, than: b)
        case (.double(let a), .integer(let b)): !Self.isLess(b, than: a) && a != Double(exactly: b)
        default: nil
        }
    }

    /// The beginning of a text, in whole scalars, or of bytes; every other value as it is.
    func prefix(_ count: Int) -> Self {
        switch self {
        case .text(let text) where text.count > count:
            var end = count
            while end > 0, text[end] & 0xC0 == 0x80 { end -= 1 }
            return .text(Array(text[..<end]))
        case .bytes(let bytes) where bytes.count > count: return .bytes(Array(bytes[..<count]))
        default: return self
        }
    }

    /// Exact where a conversion to Double would not be.
    private static func isLess(_ a: Int64, than b: Double) -> Bool {
        // 2^63 itself is no Int64.
        guard b < 0x1p63 else { return true }
        guard b >= -0x1p63 else { return false }
        let whole = Int64(b.rounded(.down))
        return a < whole || a == whole && Double(whole) < b
    }

    /// As fields of the type `NUMBER` compare it: 2.0 is 2 there.
    var number: Self {
        if case .double(let double) = self, let whole = Int64(exactly: double) { .integer(whole) } else { self }
    }

    /// Whether a text begins with another one.
    func begins(with prefix: Self) -> Bool {
        guard case .text(let text) = self, case .text(let start) = prefix else { return false }
        return text.starts(with: start)
    }

    /// Metres to another place, on a sphere of the earth's mean radius.
    func distance(to other: Self) -> Double? {
        guard case .place(let latitude, let longitude) = self,
            case .place(let otherLatitude, let otherLongitude) = other
        else { return nil }
        let radians = Double.pi / 180
        let (a, b) = (latitude * radians, otherLatitude * radians)
        let (north, east) = (sin((b - a) / 2), sin((otherLongitude - longitude) * radians / 2))
        let chord = north * north + cos(a) * cos(b) * east * east
        return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
    }

    /// Metres (IUGG mean radius R₁).
    private static let earthRadius = 6_371_008.8
}

/// The words of a text, as searches compare them: without case and accents.
func searchTokens(_ text: String) -> Set<String> {
    let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return Set(folded.split { !$0.isLetter && !$0.isNumber }.map(String.init))
}
