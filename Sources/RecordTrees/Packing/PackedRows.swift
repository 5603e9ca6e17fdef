/// Rows of bytes by their numbers, close together in large pages.
///
/// A row that grows gets a new place, and its old one is waste until all rows are packed anew.
struct PackedRows: Sendable {
    /// A row that needs more than a page has one of its own.
    private var pages: [RowPage] = []
    private let memory: any RowMemory
    /// By row, the page, and where in it the row begins, in units of a page.
    private var places: [UInt32] = []
    /// Bytes in use, and those of them in which no row is any more.
    private(set) var size = 0
    private(set) var waste = 0

    private static let pageSize = 1 << 18
    private static let firstPageSize = 1 << 12
    /// Nothing is in a row.
    private static let empty = UInt32.max

    init(in memory: any RowMemory) { self.memory = memory }

    /// How many rows there are, be something in them or not.
    var count: Int { places.count }

    /// Looks at what is in a row; `nil` where nothing is.
    func read<Result>(_ row: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result? {
        let place = places[row]
        guard place != Self.empty else { return nil }
        return try pages[Int(place >> 16)].read(at: Int(place & 0xFFFF) * RowPage.unit, body)
    }

    /// Adds a row behind the others.
    mutating func append(_ bytes: [UInt8]) {
        places.append(add(bytes))
    }

    /// Adds a row in which nothing is.
    mutating func appendEmpty() { places.append(Self.empty) }

    /// Puts something else into a row.
    mutating func replace(_ row: Int, with bytes: [UInt8]) {
        let old = room(of: row)
        let new = RowPage.room(for: bytes.count)
        guard new <= old else {
            waste += old
            places[row] = add(bytes)
            return
        }
        let (page, start) = (Int(places[row] >> 16), Int(places[row] & 0xFFFF) * RowPage.unit)
        ownPage(page).put(row: bytes, at: start)
        waste += old - new
    }

    /// Empties a row.
    mutating func remove(_ row: Int) {
        waste += room(of: row)
        places[row] = Self.empty
    }

    mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }

    /// Bytes that a row takes in its page.
    private func room(of row: Int) -> Int { read(row) { RowPage.room(for: $0.count) } ?? 0 }

    private mutating func add(_ bytes: [UInt8]) -> UInt32 {
        let room = RowPage.room(for: bytes.count)
        let last = page(with: room)
        let place = UInt32(last) << 16 | UInt32(pages[last].count / RowPage.unit)
        ownPage(last).append(row: bytes)
        size += room
        return place
    }

    /// A page that nobody else has: a copy where others had it.
    private mutating func ownPage(_ number: Int) -> RowPage {
        if !isKnownUniquelyReferenced(&pages[number]) {
            pages[number] = pages[number].copy(in: memory.region(of: pages[number].capacity))
        }
        return pages[number]
    }

    /// The number of the last page, which has room for a row.
    private mutating func page(with room: Int) -> Int {
        if let last = pages.indices.last, pages[last].count + room <= min(pages[last].capacity, Self.pageSize) {
            return last
        }
        precondition(pages.count < 0xFFFF, "A tree has at most 16 GB")
        // The first ones are small, for most folders are.
        let usual = min(Self.pageSize, Self.firstPageSize << min(pages.count, 16))
        pages.append(RowPage(memory.region(of: max(usual, room))))
        return pages.count - 1
    }
}
