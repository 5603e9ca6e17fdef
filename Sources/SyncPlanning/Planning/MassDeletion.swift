public import SyncModel

/// When deletions wait for a person's word.
///
/// A folder that was emptied by mistake looks just like one that was emptied on purpose; the guard asks.
public struct MassDeletionLimit: Hashable, Sendable {
    /// So many deletions pass in any case.
    public var count: Int
    /// Above ``count``, so large a part of the tree, from 0 to 1, still passes.
    public var part: Double

    /// - Parameters:
    ///   - count: Deletions that pass in any case.
    ///   - part: The part of the tree, from 0 to 1, that still passes above that.
    public init(count: Int = 25, part: Double = 1.0 / 3) {
        self.count = count
        self.part = part
    }

    /// Whether one batch of deletions in one direction must wait.
    ///
    /// - Parameters:
    ///   - recent: Deletions of the last minutes that nobody was asked about: many small batches are a large one.
    ///   - entries: Files that both sides have, without the recent ones.
    public func needsApproval(deletions: Int, recent: Int = 0, of entries: Int) -> Bool {
        let sum = deletions + recent
        return sum > count && Double(sum) > part * Double(entries + recent)
    }
}

/// Names a batch of deletions by what is in it, so that a person's word is about that batch and no other.
public func batchName(of deletions: [Action]) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    let lines = deletions.map { ($0.path, $0.kind == .deleteFile ? "folder" : "zone") }
    for (path, side) in lines.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
        add(path.bytes)
        add([0])
        add(side.utf8)
        add([0])
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
