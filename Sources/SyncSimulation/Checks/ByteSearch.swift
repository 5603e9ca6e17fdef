extension [UInt8] {
    /// Whether some bytes stand anywhere in these, one after the other. Every request of every world is asked, so the general
    /// search for a collection in another one would cost a twentieth of all time.
    func holds(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return true }
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: bytes) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}
