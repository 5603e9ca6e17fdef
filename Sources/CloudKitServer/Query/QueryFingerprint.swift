import CloudKitQueries
import CloudKitWire
import Crypto
import LosslessJSON

/// What a query asks for, the same however a request says it: an absent key or its default, a value with its type or
/// without, the filters in any order.
///
/// A ``ContinuationMarker`` is bound to it. How the records of a page are shown, and how many, is no part of it.
struct QueryFingerprint {
    var recordType: String
    var database: Int64
    /// The zone's row; `nil`: all zones of the database.
    var zone: Int64?
    var filters: [CompiledFilter]
    var order: QueryOrder

    /// 32 bytes.
    var bytes: [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        json.int64(database)
        if let zone { json.int64(zone) } else { json.null() }
        json.string(recordType)
        json.beginArray()
        // All of them must hold, so neither their order nor saying one twice changes anything.
        for filter in Set(filters.map(\.meaning)).sorted(by: { $0.lexicographicallyPrecedes($1) }) { json.raw(filter) }
        json.endArray()
        order.write(to: &json)
        json.endArray()
        return Array(SHA256.hash(data: json.bytes))
    }
}

extension CompiledFilter {
    /// JSON that is equal for filters that find the same records by the same comparison.
    fileprivate var meaning: [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        json.string(comparator.rawValue)
        field.write(to: &json)
        switch comparator {
        case .containsAllTokens, .containsAnyTokens: for token in tokens.sorted() { json.string(token) }
        case .near:
            json.double(distance)
            for operand in operands { json.raw(operand.json) }
        case .in, .notIn, .listContainsAll, .notListContainsAll, .notListContainsAny:
            let members = Set(operands.map(\.json))
            for member in members.sorted(by: { $0.lexicographicallyPrecedes($1) }) { json.raw(member) }
        default: for operand in operands { json.raw(operand.json) }
        }
        json.endArray()
        return json.bytes
    }
}

extension QueryOrder {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginArray()
        for sort in sorts {
            sort.field.write(to: &json)
            json.bool(sort.ascending)
            guard let here = sort.relativeLocation else { continue }
            json.double(here.latitude)
            json.double(here.longitude)
        }
        json.endArray()
    }
}

extension QueryField {
    /// With what tells a system field from a user's of the same name.
    fileprivate func write(to json: inout JSONWriter) {
        switch self {
        case .user(let name): json.string(name)
        case .system(let field): json.string(field.schemaName)
        }
    }
}

extension ComparedValue {
    /// The value and its kind.
    fileprivate var json: [UInt8] {
        var json = JSONWriter()
        json.beginArray()
        switch self {
        case .text(let text):
            json.string("text")
            json.string(String(decoding: text, as: UTF8.self))
        case .integer(let number):
            json.string("integer")
            json.int64(number)
        case .double(let number):
            json.string("double")
            json.double(number)
        case .bytes(let bytes):
            json.string("bytes")
            json.string(base64(bytes))
        case .reference(let zone, let name):
            json.string("reference")
            json.string(zone)
            json.string(String(decoding: name, as: UTF8.self))
        case .place(let latitude, let longitude):
            json.string("place")
            json.double(latitude)
            json.double(longitude)
        }
        json.endArray()
        return json.bytes
    }
}
