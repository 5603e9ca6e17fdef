/// The SHA-256 of a file's bytes, or what stands for it where the file is too large to be read (``unread(_:)``).
public struct ContentHash: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The bytes of a SHA-256.
    package static let byteCount = 32

    /// Takes the 32 bytes of a SHA-256, or gives `nil` for any other count.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard let hash = bytes.withUnsafeBytes({ Self(copying: $0) }) else { return nil }
        self = hash
    }

    /// Takes the 32 bytes of a hash as a row of a database has them; `nil` where there are more or fewer.
    public init?(copying bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
        }
        words = (word(0), word(1), word(2), word(3))
    }

    /// Takes 64 hexadecimal digits, or gives `nil` for anything else.
    public init?(hex: String) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in hex.utf8 {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { return nil }
        self.init(bytes: bytes)
    }

    /// What stands for the hash of a file that is not read, because it is larger than anything that is sent: which file it
    /// is, how large, and when it was written. Equal ones mean that it was not written to in between; no file that was read
    /// has the same.
    public static func unread(_ stamp: FileStamp) -> Self {
        Self(unread: (stamp.inode, UInt64(bitPattern: stamp.size), UInt64(bitPattern: stamp.modified)))
    }

    private init(unread words: (UInt64, UInt64, UInt64)) {
        self.words = (words.0, words.1, words.2, 0)
    }

    /// Whether the file was not read. Of 2^64 files that were, one would be told so too, and would be read once more.
    public var isOfUnread: Bool { words.3 == 0 }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
    }

    /// Puts the 32 bytes behind others.
    package func append(to bytes: inout [UInt8]) {
        for word in [words.0, words.1, words.2, words.3] {
            withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// 64 lowercase hexadecimal digits.
    public var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.words == right.words
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)  // of a cryptographic hash, any eight bytes spread well
    }
}

extension ContentHash: CustomStringConvertible {
    public var description: String { hex }
}
