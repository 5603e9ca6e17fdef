/// Rows of bytes by their numbers, close together in large pages.
///
/// A row that grows gets a new place, and its old one is waste until all rows are packed anew.
struct PackedRows: Sendable {
    /// Each holds rows one behind the other, with the count of its bytes before each; one that needs more than a page has one
    /// of its own.
    private var pages: [RowPage] = []
    private let memory: any RowMemory
    /// By row, the page, and where in it the row begins, in units.
    private var places: [UInt32] = []
    /// Bytes in use, and those of them in which no row is any more.
    private(set) var size = 0
    private(set) var waste = 0

    private static let unit = 4
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
        return try pages[Int(place >> 16)].withBytes { page in
            let (start, length) = Self.row(at: Int(place & 0xFFFF) * Self.unit, of: page)
            return try body(UnsafeRawBufferPointer(rebasing: page[start..<start + length]))
        }
    }

    /// Where a row's bytes begin behind their count, and how many there are.
    private static func row(at offset: Int, of page: UnsafeRawBufferPointer) -> (start: Int, count: Int) {
        let short = Int(page[offset])
        guard short == 0xFF else { return (offset + 1, short) }
        return (offset + 5, Int(page.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self)))
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
        let new = Self.room(for: bytes.count)
        guard new <= old else {
            waste += old
            places[row] = add(bytes)
            return
        }
        let (page, start) = (Int(places[row] >> 16), Int(places[row] & 0xFFFF) * Self.unit)
        var framed: [UInt8] = []
        Self.put(bytes, behind: &framed)
        ownPage(page).put(framed, at: start)
        waste += old - new
    }

    /// Empties a row.
    mutating func remove(_ row: Int) {
        waste += room(of: row)
        places[row] = Self.empty
    }

    mutating func reserveCapacity(_ count: Int) { places.reserveCapacity(count) }

    /// Bytes that a row takes in its page.
    private func room(of row: Int) -> Int { read(row) { Self.room(for: $0.count) } ?? 0 }

    private static func room(for count: Int) -> Int {
        (count + (count < 0xFF ? 1 : 5) + unit - 1) / unit * unit
    }

    /// Puts a row's bytes with their count before them into a page, up to the next place where a row may begin.
    private static func put(_ bytes: [UInt8], behind page: inout [UInt8]) {
        if bytes.count < 0xFF {
            page.append(UInt8(bytes.count))
        } else {
            page.append(0xFF)
            withUnsafeBytes(of: UInt32(bytes.count)) { page.append(contentsOf: $0) }
        }
        page += bytes
        while !page.count.isMultiple(of: unit) { page.append(0) }
    }

    private mutating func add(_ bytes: [UInt8]) -> UInt32 {
        let room = Self.room(for: bytes.count)
        let last = page(with: room)
        let place = UInt32(last) << 16 | UInt32(pages[last].count / Self.unit)
        var framed: [UInt8] = []
        framed.reserveCapacity(room)
        Self.put(bytes, behind: &framed)
        ownPage(last).append(framed)
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
