import SyncModel

/// What no record may claim as its path, however it is spelled, and the escape for names that try.
enum PathSafety {
    /// Digits of the hash that ends an escaped name: 64 bits, so that no two names meet by chance.
    static let hashDigits = 16
    private static let tilde = UInt8(ascii: "~")
    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// The path, unless one of its names is kept for the program.
    static func accepted(_ path: FolderPath) -> FolderPath? {
        path.isReserved ? nil : path
    }

    /// A name that is nobody's made one that can be: its first byte is escaped.
    static func freed(_ name: [UInt8]) -> [UInt8] {
        guard let first = name.first, ReservedName.isReserved(name) else { return name }
        return PercentEncoding.escape(first) + name.dropFirst()
    }

    /// Whether a name (without extension) ends like an escaped one; such a name is never taken as it is, so that
    /// an escaped name cannot meet one that needs no escape.
    static func looksEscaped(_ stem: some BidirectionalCollection<UInt8>) -> Bool {
        let end = stem.suffix(hashDigits + 1)
        return end.count == hashDigits + 1 && end.first == tilde && end.dropFirst().allSatisfy(ShortHash.isDigit)
    }

    /// A readable, safe stand-in for a hostile text, always the same one: `/` and plain characters stay, the rest
    /// is percent-encoded and shortened, and a hash of the whole text follows a `~`.
    static func escaped(_ text: some Collection<UInt8>) -> [UInt8] {
        let names = text.split(separator: slash).prefix(8).enumerated().map { index, name in
            var plain = PercentEncoding.encode(name)
            let isKept =
                index == 0 ? ReservedName.isReserved(directoryAtRoot: plain) : ReservedName.isReserved(plain)
            if plain.allSatisfy({ $0 == dot }) || isKept {
                plain.replaceSubrange(0...0, with: PercentEncoding.escape(plain[0]))
            }
            return Array(PercentEncoding.prefix(plain, limit: 100))
        }
        return Array(names.joined(separator: [slash])) + [tilde] + ShortHash.digits(hashDigits, of: text)
    }
}
