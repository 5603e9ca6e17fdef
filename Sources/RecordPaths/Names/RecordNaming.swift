public import SyncModel

/// The names that new files' records get.
public enum RecordNaming {
    /// The longest record name, in bytes (protocol §6).
    public static let longestName = 255

    /// The name for a new file's record, the same on every device.
    ///
    /// It is the path (without `.json` where the record is structured) with every byte outside printable ASCII,
    /// `%` and a leading `_` percent-encoded. A name that would be too long is cut and ends in `~` and a hash.
    /// - Parameter attempt: Ask with 1, 2, 3 … where the name before it is taken by another record: each gives
    ///   another name, ending in `~` and ever more digits of a hash of the path.
    public static func recordName(for path: FolderPath, isStructured: Bool, attempt: Int = 0) -> RecordName {
        let spoken = isStructured ? path.bytes.dropLast(5) : path.bytes[...]
        let encoded = encoded(spoken)
        if attempt == 0, encoded.count <= longestName { return RecordName(String(decoding: encoded, as: UTF8.self)) }
        let digits = attempt == 0 ? PathSafety.hashDigits : min(4 + 2 * attempt, 64)
        let suffix = [UInt8(ascii: "~")] + ShortHash.digits(digits, of: path.bytes)
        let name = PercentEncoding.prefix(encoded, limit: longestName - suffix.count) + suffix
        return RecordName(String(decoding: name, as: UTF8.self))
    }

    /// The path that a name spells, or `nil` where it does not spell one in the only way that it could be spelled.
    static func spoken(by name: String) -> [UInt8]? {
        guard let decoded = PercentEncoding.decode(name.utf8), encoded(decoded[...]).elementsEqual(name.utf8) else {
            return nil
        }
        return decoded
    }

    private static func encoded(_ spoken: ArraySlice<UInt8>) -> [UInt8] {
        var encoded = PercentEncoding.encode(spoken)
        if encoded.first == UInt8(ascii: "_") {
            encoded.replaceSubrange(0...0, with: PercentEncoding.escape(UInt8(ascii: "_")))
        }
        return encoded
    }
}
