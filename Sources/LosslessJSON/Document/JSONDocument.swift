/// A JSON text that was read without losing a byte of it.
///
/// Strict RFC 8259, and stricter where the RFC leaves a choice that could change someone's data: duplicate keys and
/// escapes that are half a surrogate pair are errors. A byte order mark before the text is layout, as white space is.
/// Numbers are checked by grammar alone and keep their spelling, so `1e400` and `9007199254740993` come through; see
/// ``JSONNode/double``.
///
/// Values are views into the document, made on demand: parsing allocates no string and no dictionary.
public struct JSONDocument: Sendable {
    /// How deep objects and arrays may be nested; deeper texts are refused.
    public static let maximumDepth = 512
    /// How long a text may be, in bytes (512 MiB).
    public static let maximumSize = 1 << 29
    /// What may stand before a text, in UTF-8.
    public static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let storage: JSONStorage

    /// Reads a whole JSON text, white space around it included.
    /// - Throws: ``JSONError`` with the place and the reason, at the first thing that is wrong.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes: bytes)
        try parser.parse()
        storage = JSONStorage(bytes: bytes, tape: parser.tape, depth: parser.deepest)
    }

    /// The text as it was handed in.
    public var bytes: [UInt8] { storage.bytes }

    /// The document's one value.
    public var root: JSONNode { JSONNode(storage: storage, index: 0) }
}

/// What all nodes of a document share.
final class JSONStorage: Sendable {
    let bytes: [UInt8]
    let tape: [TapeEntry]
    /// How deep the containers are nested: 0 for a bare scalar.
    let depth: Int

    init(bytes: [UInt8], tape: [TapeEntry], depth: Int) {
        self.bytes = bytes
        self.tape = tape
        self.depth = depth
    }
}
