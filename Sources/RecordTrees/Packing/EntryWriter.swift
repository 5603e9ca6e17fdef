import SyncModel

/// Writes what an entry consists of, one part behind the other; an ``EntryReader`` reads it in the same order.
///
/// A number takes a byte for each seven of its bits, a text its bytes with their count before them. A path takes the number of
/// its folder and its own name.
public struct EntryWriter {
    private(set) var bytes: [UInt8] = []
    private let texts: UnsafeMutablePointer<SharedTexts>

    /// - Parameter texts: Take what the entry has in common with others; they stay the caller's.
    init(_ texts: UnsafeMutablePointer<SharedTexts>) {
        self.texts = texts
        bytes.reserveCapacity(Self.usualCount)
    }

    /// Bytes of most entries.
    private static let usualCount = 200

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Small ones of both signs are short.
    mutating func signed(_ value: Int64) {
        number(UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63))
    }

    mutating func count(_ value: Int) { number(UInt64(value)) }

    /// A number from 0, or none.
    mutating func index(_ value: Int?) { count(value.map { $0 + 1 } ?? 0) }

    mutating func text(_ value: String) {
        count(value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    /// A text that many entries have.
    mutating func word(_ value: String) { count(texts.pointee.number(of: value)) }

    mutating func path(_ path: FolderPath) {
        let name = path.name
        index(texts.pointee.number(ofFolderOf: path))
        count(name.count)
        bytes.append(contentsOf: name)
    }

    mutating func hash(_ hash: ContentHash) { hash.append(to: &bytes) }

    mutating func file(_ file: FileIdentity) {
        number(file.device)
        number(file.inode)
        signed(file.born)
    }
}
