package import LocalFolder

/// How much may still come into the folder, so that the disk does not become so full that nothing can be saved on it any
/// more, by a person or by the state store.
package struct DiskRoom {
    private var left: Int64

    /// - Parameters:
    ///   - space: `nil` where it cannot be told: then there is always room.
    ///   - reserve: What is to stay free, in bytes; of a small disk a twentieth at most.
    package init(_ space: DiskSpace?, reserve: Int64) {
        left = space.map { $0.available - min(reserve, $0.size / 20) } ?? .max
    }

    /// Leaves room for some bytes that wait for it, as far as there is any.
    package mutating func leave(_ bytes: Int64) { left -= bytes }

    /// Takes room for some bytes; `false` where there is too little.
    package mutating func take(_ bytes: Int64) -> Bool {
        guard bytes == 0 || bytes <= left else { return false }
        left -= bytes
        return true
    }
}
