import SyncModel

/// What no record may claim as its path, however it is spelled, and the escape for names that try.
enum PathSafety {
    /// Digits of the hash that ends an escaped name: 64 bits, so that no two names meet by chance.
    static let hashDigits = 16
    private static let reserved = Array(".zonefolder".utf8)
    private static let ignoreFile = Array(".zonefolderignore".utf8)
    private static let tilde = UInt8(ascii: "~")
    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// The path, unless one of its names is the state directory's or starts like it.
    ///
    /// In any letter case, as a folder may lie on a file system that ignores it. Only `.zonefolderignore` is free, and
    /// at the root only as a file: a directory of that name would hide the rules, and without them nothing is synced.
    static func accepted(_ path: FolderPath) -> FolderPath? {
        let names = path.names
        if names.count > 1, let first = names.first, first.elementsEqual(ignoreFile) { return nil }
        return names.contains(where: isReserved) ? nil : path
    }

    static func isReserved(name: ArraySlice<UInt8>) -> Bool {
        guard name.count >= reserved.count, !name.elementsEqual(ignoreFile) else { return false }
        return zip(name, reserved).allSatisfy { (byte, expected) in
            ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == expected
        }
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
            let hidesRules = index == 0 && plain == ignoreFile
            if plain.allSatisfy({ $0 == dot }) || isReserved(name: plain[...]) || hidesRules {
                plain.replaceSubrange(0...0, with: PercentEncoding.escape(plain[0]))
            }
            return Array(PercentEncoding.prefix(plain, limit: 100))
        }
        return Array(names.joined(separator: [slash])) + [tilde] + ShortHash.digits(hashDigits, of: text)
    }
}
