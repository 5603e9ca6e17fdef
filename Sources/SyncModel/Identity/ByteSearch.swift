#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension UnsafeRawBufferPointer {
    /// Whether a word is somewhere in the bytes.
    ///
    /// Every record that is stored and every text that is sent is searched for the few words that refer to others. As characters of
    /// a text that was a fifteenth of the work of a first sync.
    package func contains(_ word: StaticString) -> Bool {
        guard var next = baseAddress else { return false }
        let end = next + count
        while let found = memchr(next, Int32(word.utf8Start.pointee), next.distance(to: end)) {
            next = UnsafeRawPointer(found)
            guard next.distance(to: end) >= word.utf8CodeUnitCount else { return false }
            if memcmp(next, word.utf8Start, word.utf8CodeUnitCount) == 0 { return true }
            next += 1
        }
        return false
    }
}
