import Crypto
import Synchronization

/// Assets in memory, by their SHA-256.
final class LocalAssets: Sendable {
    private let stored = Mutex<[[UInt8]: [UInt8]]>([:])

    func holds(_ sha256: [UInt8]) -> Bool {
        stored.withLock { $0[sha256] != nil }
    }

    func bytes(_ sha256: [UInt8]) -> [UInt8]? {
        stored.withLock { $0[sha256] }
    }

    /// - Returns: The SHA-256.
    func keep(_ bytes: [UInt8]) -> [UInt8] {
        let hash = Array(SHA256.hash(data: bytes))
        stored.withLock { $0[hash] = bytes }
        return hash
    }
}
