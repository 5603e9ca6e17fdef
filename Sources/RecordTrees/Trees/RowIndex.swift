/// The rows of a table by something that they have, such as a path.
///
/// It knows numbers and hashes only, eight bytes a place, and seven of eight places may be taken; a dictionary of names takes
/// up to ten times that. What a row has stands in its table, so the caller tells which of the rows with one hash is meant.
struct RowIndex: Sendable {
    private typealias Place = RowPlaces.Place

    /// A power of two of them, or none. A row is at the place that its hash names or behind it, with no free one between.
    private var places: RowPlaces?
    private var count = 0
    private let memory: any RowMemory

    init(in memory: any RowMemory = ProcessMemory()) { self.memory = memory }

    /// The row with a hash that is meant, if there is one.
    func row(_ hash: Int, where isMeant: (Int) throws -> Bool) rethrows -> Int? {
        guard let places else { return nil }
        let mask = places.count - 1
        let hash = UInt32(truncatingIfNeeded: hash)
        var index = Int(hash) & mask
        while true {
            let place = places[index]
            if place.row == Place.free.row { return nil }
            if place.hash == hash, try isMeant(Int(place.row)) { return Int(place.row) }
            index = (index + 1) & mask
        }
    }

    /// All rows with a hash that are meant, in no order.
    func rows(_ hash: Int, where isMeant: (Int) -> Bool) -> [Int] {
        var found: [Int] = []
        _ = row(hash) { row in
            if isMeant(row) { found.append(row) }
            return false
        }
        return found
    }

    /// Adds a row that is not there with this hash.
    mutating func insert(_ row: Int, _ hash: Int) {
        reserveCapacity(count + 1)
        place(Place(row: UInt32(row), hash: UInt32(truncatingIfNeeded: hash)))
        count += 1
    }

    /// Removes a row, where it is there with this hash.
    mutating func remove(_ row: Int, _ hash: Int) {
        guard let places = ownPlaces() else { return }
        let mask = places.count - 1
        let meant = (row: UInt32(row), hash: UInt32(truncatingIfNeeded: hash))
        var hole = Int(meant.hash) & mask
        while (places[hole].row, places[hole].hash) != meant {
            if places[hole].row == Place.free.row { return }
            hole = (hole + 1) & mask
        }
        // Those behind it move up, as far as they may be there, so that none is behind a free place.
        var next = (hole + 1) & mask
        while places[next].row != Place.free.row {
            let home = Int(places[next].hash) & mask
            if (next - home) & mask >= (next - hole) & mask {
                places[hole] = places[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        places[hole] = .free
        count -= 1
    }

    /// Makes room for a number of rows.
    mutating func reserveCapacity(_ rows: Int) {
        guard rows * 8 > (places?.count ?? 0) * 7 else { return }
        var size = 8
        while rows * 8 > size * 7 { size *= 2 }
        let old = places
        places = RowPlaces(size, in: memory)
        guard let old else { return }
        for index in 0..<old.count where old[index].row != Place.free.row { place(old[index]) }
    }

    /// The places, which nobody else has: a copy where others had them.
    private mutating func ownPlaces() -> RowPlaces? {
        if places != nil, !isKnownUniquelyReferenced(&places) { places = places!.copy(in: memory) }
        return places
    }

    private mutating func place(_ new: Place) {
        guard let places = ownPlaces() else { return }
        let mask = places.count - 1
        var index = Int(new.hash) & mask
        while places[index].row != Place.free.row { index = (index + 1) & mask }
        places[index] = new
    }
}
