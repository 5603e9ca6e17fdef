import CloudKitWire

/// How long a query may look for one page's records, while others wait for their turn to read.
struct SearchTime {
    private let now: () -> Int64
    private let end: Int64
    private var records = 0

    /// Milliseconds.
    private static let limit: Int64 = 20_000
    /// The clock is looked at once for so many records.
    static let recordsPerLook = 256

    /// It begins now.
    /// - Parameter now: Milliseconds since whenever.
    init(now: @escaping () -> Int64) {
        self.now = now
        end = now() + Self.limit
    }

    /// Counts a record that was looked at, and says whether the time is over.
    mutating func isOver() -> Bool {
        records += 1
        return records.isMultiple(of: Self.recordsPerLook) && now() >= end
    }

    /// Of a query whose page cannot end early.
    static let exceeded = ErrorDictionary.badRequest(
        "the query takes more than \(limit / 1000) seconds: ask it without a sort, which is answered page by page")
}
