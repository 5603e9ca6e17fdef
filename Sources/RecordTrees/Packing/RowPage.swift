/// Rows of bytes one behind the other, in one region of memory.
///
/// Safe to share as long as nobody changes it: ``PackedRows`` copies one that others have before it changes it.
final class RowPage: @unchecked Sendable {
    private let region: RowRegion
    /// Bytes in use.
    private(set) var count = 0

    init(_ region: RowRegion) { self.region = region }

    deinit { region.free() }

    /// How many bytes there is room for.
    var capacity: Int { region.bytes.count }

    /// Rows begin at multiples of it, in bytes.
    static let unit = 4

    /// Bytes that a row takes, up to the next place where one may begin.
    static func room(for count: Int) -> Int {
        (count + (count < 0xFF ? 1 : 5) + unit - 1) / unit * unit
    }

    /// Lends the bytes of the row that begins at a place.
    func read<Result>(at start: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) {
            let short = Int(region.bytes[start])
            let (first, count) =
                short < 0xFF
                ? (start + 1, short)
                : (start + 5, Int(region.bytes.loadUnaligned(fromByteOffset: start + 1, as: UInt32.self)))
            return try body(UnsafeRawBufferPointer(rebasing: region.bytes[first..<first + count]))
        }
    }

    /// Adds a row behind the others, for which there is room.
    func append(row: [UInt8]) {
        put(row: row, at: count)
        count += Self.room(for: row.count)
    }

    /// Puts a row in the place of another, with the count of its bytes before it.
    func put(row: [UInt8], at start: Int) {
        let short = row.count < 0xFF
        region.bytes[start] = short ? UInt8(row.count) : 0xFF
        if !short { region.bytes.storeBytes(of: UInt32(row.count), toByteOffset: start + 1, as: UInt32.self) }
        let first = start + (short ? 1 : 5)
        UnsafeMutableRawBufferPointer(rebasing: region.bytes[first..<first + row.count]).copyBytes(from: row)
    }

    /// The same bytes in another region, which has as much room.
    func copy(in region: RowRegion) -> RowPage {
        let copy = RowPage(region)
        region.bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: self.region.bytes[..<count]))
        copy.count = count
        return copy
    }
}
