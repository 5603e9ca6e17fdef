import SyncModel

/// Reads what an ``EntryWriter`` wrote, in the same order.
public struct EntryReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private let folders: UnsafeBufferPointer<FolderPath>
    private let words: UnsafeBufferPointer<String>

    /// - Parameters:
    ///   - bytes: What was written; they and the others stay the caller's.
    ///   - folders: Those that the writer shared.
    ///   - words: Those that the writer shared.
    init(
        _ bytes: UnsafeRawBufferPointer, folders: UnsafeBufferPointer<FolderPath>, words: UnsafeBufferPointer<String>
    ) {
        self.bytes = bytes
        self.folders = folders
        self.words = words
    }

    mutating func number() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else { return value }
            shift += 7
        }
    }

    mutating func signed() -> Int64 {
        let value = number()
        return Int64(bitPattern: value >> 1) ^ -Int64(value & 1)
    }

    mutating func count() -> Int { Int(number()) }

    mutating func index() -> Int? {
        let value = count()
        return value == 0 ? nil : value - 1
    }

    mutating func text() -> String { String(decoding: take(count()), as: UTF8.self) }

    mutating func word() -> String { words[count()] }

    mutating func path() -> FolderPath {
        let number = index()
        let name = take(count())
        guard let number else { return FolderPath(trusted: Array(name)) }
        let folder = folders[number].bytes
        let length = folder.count + 1 + name.count
        return FolderPath(
            trusted: Array(unsafeUninitializedCapacity: length) { place, count in
                let place = UnsafeMutableRawBufferPointer(place)
                place.copyBytes(from: folder)
                place[folder.count] = UInt8(ascii: "/")
                UnsafeMutableRawBufferPointer(rebasing: place[(folder.count + 1)...]).copyMemory(from: name)
                count = length
            })
    }

    /// Whether the next part is this path.
    mutating func isPath(_ path: FolderPath) -> Bool {
        let number = index()
        let name = take(count())
        return path.bytes.withUnsafeBytes { path in
            guard let number else { return name.hasSameBytes(as: path) }
            let folder = folders[number].bytes
            return path.count == folder.count + 1 + name.count && path[folder.count] == UInt8(ascii: "/")
                && UnsafeRawBufferPointer(rebasing: path[(folder.count + 1)...]).hasSameBytes(as: name)
                && folder.withUnsafeBytes {
                    $0.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: path[..<folder.count]))
                }
        }
    }

    /// Whether the next part is this name.
    mutating func isName(_ name: RecordName) -> Bool {
        let bytes = take(count())
        return name.withBytes { $0.hasSameBytes(as: bytes) }
    }

    mutating func hash() -> ContentHash { ContentHash(copying: take(ContentHash.byteCount))! }

    mutating func file() -> FileIdentity {
        FileIdentity(device: number(), inode: number(), born: signed())
    }

    /// Whether the next part is this text, which need not be a name.
    mutating func isText(_ text: String) -> Bool { isName(RecordName(text)) }

    mutating func skipPath() {
        _ = index()
        skipText()
    }

    mutating func skipText() { _ = take(count()) }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}
