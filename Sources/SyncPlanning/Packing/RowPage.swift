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

    /// Lends the bytes in use.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(rebasing: region.bytes[..<count])) }
    }

    /// Adds bytes behind the others, for which there is room.
    func append(_ bytes: [UInt8]) {
        put(bytes, at: count)
        count += bytes.count
    }

    /// Puts bytes in the place of others.
    func put(_ bytes: [UInt8], at start: Int) {
        UnsafeMutableRawBufferPointer(rebasing: region.bytes[start..<start + bytes.count]).copyBytes(from: bytes)
    }

    /// The same bytes in another region, which has as much room.
    func copy(in region: RowRegion) -> RowPage {
        let copy = RowPage(region)
        withBytes { region.bytes.copyMemory(from: $0) }
        copy.count = count
        return copy
    }
}
