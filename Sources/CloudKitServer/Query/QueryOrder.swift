import CloudKitQueries
import CloudKitSchema
import CloudKitWire

/// The order of a query's results: by its keys, then by zone and record name, so that no two records are equal.
///
/// Of a text or of bytes the first 1,024 bytes count. So a place in the order is small enough for a continuation marker,
/// and the marker alone, without the record that it was made from, says exactly what comes behind it: that record may be
/// changed or deleted by then, and no other is hidden or repeated for it.
struct QueryOrder {
    let sorts: [QuerySort]
    /// Of each sort, whether its field is a `NUMBER`.
    private let areNumbers: [Bool]

    /// - Throws: `BAD_REQUEST` where a field is unknown, not marked sortable, or has no order.
    init(_ sorts: [QuerySort], _ schema: QuerySchema) throws(ErrorDictionary) {
        self.sorts = sorts
        var areNumbers: [Bool] = []
        for sort in sorts {
            let type = try schema.type(of: sort.field)
            areNumbers.append(NumberType.isNumber(type))
            try schema.require(.sortable, of: sort.field)
            let isSortable =
                sort.relativeLocation == nil
                ? ["STRING", "INT64", "DOUBLE", "NUMBER", "TIMESTAMP", "BYTES", SystemField.nameType].contains(type)
                : type == "LOCATION"
            guard isSortable else {
                throw .badRequest(
                    "Field '\(schema.name(of: sort.field))' of type \(type) can't be sorted by"
                        + (type == "LOCATION" ? " without relativeLocation" : ""))
            }
        }
        self.areNumbers = areNumbers
    }

    private static let keyBytes = 1024

    var isByNameOnly: Bool { sorts.isEmpty }

    /// Where a record stands in the order.
    func place(of record: QueriedRecord, zone: Int64) -> QueryPlace {
        QueryPlace(
            keys: zip(sorts, areNumbers).map { sort, isNumber in
                guard let value = record.values(of: sort.field)?.first else { return nil }
                guard let here = sort.relativeLocation else {
                    return isNumber ? value.number : value.prefix(Self.keyBytes)
                }
                return value.distance(to: .place(latitude: here.latitude, longitude: here.longitude)).map {
                    .double($0)
                }
            },
            zone: zone, name: Array(record.stored.name.utf8))
    }

    /// Whether one record comes before another; one without the field comes first.
    func precedes(_ left: QueryPlace, _ right: QueryPlace) -> Bool {
        for (sort, (a, b)) in zip(sorts, zip(left.keys, right.keys)) where a != b {
            let isBefore =
                switch (a, b) {
                case (nil, _): true
                case (_, nil): false
                case (let a?, let b?): a.precedes(b) ?? false
                }
            return isBefore == sort.ascending
        }
        if left.zone != right.zone { return left.zone < right.zone }
        return left.name.lexicographicallyPrecedes(right.name)
    }
}

/// A record's place in a query's order.
struct QueryPlace: Hashable {
    /// One for each sort; `nil` where the record lacks the field.
    var keys: [ComparedValue?]
    /// The zone's row.
    var zone: Int64
    /// The record's, in UTF-8.
    var name: [UInt8]
}
