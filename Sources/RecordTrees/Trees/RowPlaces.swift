/// The places of a ``RowIndex``, in one region of memory.
///
/// Safe to share as long as nobody changes it: ``RowIndex`` copies those that others have before it changes them.
final class RowPlaces: @unchecked Sendable {
    struct Place: Sendable {
        var row: UInt32
        var hash: UInt32

        /// No row is here.
        static let free = Place(row: .max, hash: 0)
    }

    private let region: RowRegion
    private let places: UnsafeMutableBufferPointer<Place>

    /// So many free places.
    init(_ count: Int, in memory: some RowMemory) {
        region = memory.region(of: count * MemoryLayout<Place>.stride)
        places = region.bytes.bindMemory(to: Place.self)
        places.initialize(repeating: .free)
    }

    deinit { region.free() }

    var count: Int { places.count }

    subscript(index: Int) -> Place {
        get { places[index] }
        set { places[index] = newValue }
    }

    /// The same places in another region.
    func copy(in memory: some RowMemory) -> RowPlaces {
        let copy = RowPlaces(count, in: memory)
        _ = copy.places.update(fromContentsOf: places)
        return copy
    }
}
