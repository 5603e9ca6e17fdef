import CloudKitWire
import LosslessJSON

/// Where the next page of a query begins: behind the last record of the page before, wherever that is by now.
///
/// It is bound to its query, and holds everything that it takes, so pages may be asked for at any time and by any process.
struct ContinuationMarker {
    /// As ``QueryFingerprint`` has it.
    var query: [UInt8]
    var last: QueryPlace

    func text(_ key: ServerKey) -> String {
        var json = JSONWriter()
        json.beginArray()
        json.int64(last.zone)
        json.string(String(decoding: last.name, as: UTF8.self))
        for value in last.keys {
            guard let value = value?.fieldValue else {
                json.null()
                continue
            }
            Field(value).write(to: &json)
        }
        json.endArray()
        return key.seal(query + json.bytes, for: .continuationMarker)
    }

    /// The place that a marker stands for.
    /// - Throws: `BAD_REQUEST` for a marker that this server did not make for this query.
    static func place(
        of text: String, for query: [UInt8], _ key: ServerKey
    ) throws(ErrorDictionary) -> QueryPlace {
        guard let bytes = key.open(text, for: .continuationMarker), bytes.starts(with: query),
            let document = try? JSONDocument(parsing: Array(bytes.dropFirst(query.count)))
        else { throw .badRequest("Invalid continuationMarker: it must come from the last page of the same query") }
        let parts = Array(document.root.elements)
        return QueryPlace(
            keys: parts.dropFirst(2).map { node in
                guard let value = (try? Field(json: node))?.value else { return nil }
                return ComparedValue.values(of: value, in: "").first
            },
            zone: parts[0].int64 ?? 0, name: Array((parts[1].string ?? "").utf8))
    }
}

extension ComparedValue {
    /// For a marker; `nil` for what is never sorted by.
    fileprivate var fieldValue: FieldValue? {
        switch self {
        case .text(let text): .string(String(decoding: text, as: UTF8.self))
        case .integer(let number): .int64(number)
        case .double(let number): .double(number)
        case .bytes(let bytes): .bytes(bytes)
        case .reference, .place: nil
        }
    }
}
