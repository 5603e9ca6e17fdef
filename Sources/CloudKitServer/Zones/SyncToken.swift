import CloudKitWire

/// A server change token: which feed, which incarnation of it, and how far.
///
/// Layout: `Z`, the kind, the database's or zone's row (8 bytes), the change counter (8), a code over these (6), as base64.
/// Equal positions make equal tokens, so a client that is caught up gets its own token back. A re-created zone has a new
/// row, which makes every older token unknown (protocol §10.6).
struct SyncToken: Hashable {
    enum Kind: UInt8 {
        case zone = 1, database, sharedZone
    }

    var kind: Kind
    var feed: Int64
    var position: Int64

    private static let mark = UInt8(ascii: "Z")
    private static let codeLength = 6
    private static let length = 2 + 8 + 8 + codeLength

    func text(_ key: ServerKey) -> String {
        let content = [Self.mark, kind.rawValue] + feed.bigEndianBytes + position.bigEndianBytes
        return base64(content + key.code(for: .syncToken, content).prefix(Self.codeLength))
    }

    /// The position that a client's token stands for; zero without a token.
    ///
    /// - Parameter lastChange: Of the feed; a token from its future, as after the restore of a backup, is of another past. So is
    ///   one that ``RecordStore/checkPast(_:of:_:)`` refuses.
    /// - Throws: `BAD_REQUEST`, "Invalid continuation format" for a token that was cut short, one of its own for another past, else
    ///   "Unknown sync continuation type".
    static func position(
        of text: String?, _ kind: Kind, feed: Int64, lastChange: Int64, _ key: ServerKey
    ) throws(ErrorDictionary) -> Int64 {
        guard let text else { return 0 }
        // Local rule 10.7: the empty token means "caught up".
        guard !text.isEmpty else { return lastChange }
        let whole = text.utf8.count / 4 * 4
        guard let prefix = String(text.utf8.prefix(whole)), let bytes = bytes(base64: prefix), bytes.first == mark
        else {
            throw .unknownContinuation
        }
        guard bytes.count >= length else { throw .invalidContinuation }
        let content = bytes.prefix(length - codeLength)
        let expected = key.code(for: .syncToken, content).prefix(codeLength)
        guard bytes.count == length, whole == text.utf8.count, bytes.suffix(codeLength).elementsEqual(expected),
            bytes[1] == kind.rawValue, Int64(bigEndianBytes: bytes[2..<10]) == feed
        else { throw .unknownContinuation }
        let position = Int64(bigEndianBytes: bytes[10..<18])
        guard position <= lastChange else { throw .lostContinuation }
        return position
    }
}
