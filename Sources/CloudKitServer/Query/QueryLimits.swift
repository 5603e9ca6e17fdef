import CloudKitQueries
import CloudKitWire

/// What one query may ask: each filter is asked of every record, and each sort makes a key of every record that is found.
enum QueryLimits {
    private static let filters = 32
    private static let sorts = 8
    /// Values in an `IN` or a list to compare with; CloudKit's own limit is 250.
    private static let operands = 250

    static func check(_ query: Query) throws(ErrorDictionary) {
        guard query.filters.count <= filters else {
            throw .badRequest("the query has \(query.filters.count) filters, and the limit is \(filters)")
        }
        guard query.sorts.count <= sorts, Set(query.sorts.map(\.field)).count == query.sorts.count else {
            throw .badRequest("a query can have \(sorts) sorts, each by another field")
        }
    }

    static func check(operands count: Int) throws(ErrorDictionary) {
        guard count <= operands else {
            throw .badRequest("a filter has \(count) values, and the limit is \(operands)")
        }
    }
}
