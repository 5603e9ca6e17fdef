/// The first records of an order, as many as a page holds, in whatever order they are offered.
///
/// It keeps no more than one page and a record, however many are found.
struct QueryPage {
    typealias Found = (place: QueryPlace, stored: StoredRecord)

    private let order: QueryOrder
    private let limit: Int
    private(set) var found: [Found] = []
    private var bytes = 0
    /// The first place that is no longer on the page; whatever does not come before it is not either.
    private var end: QueryPlace?

    /// - Parameter limit: Records; a page also ends where its records add up to ``StoreLimits/pageBytes``.
    init(order: QueryOrder, limit: Int) {
        self.order = order
        self.limit = limit
    }

    /// Whether everything that was offered is on the page.
    var isLast: Bool { end == nil }

    mutating func offer(_ stored: StoredRecord, at place: QueryPlace) {
        if let end, !order.precedes(place, end) { return }
        found.insert((place, stored), at: index(of: place))
        bytes += stored.answerBytes
        while found.count > limit || found.count > 1 && bytes > StoreLimits.pageBytes {
            let last = found.removeLast()
            bytes -= last.stored.answerBytes
            end = last.place
        }
    }

    private func index(of place: QueryPlace) -> Int {
        var (low, high) = (0, found.count)
        while low < high {
            let middle = (low + high) / 2
            if order.precedes(found[middle].place, place) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
