import CMalloc
import StateStorage
import SyncPlanning

/// Giving back memory that much work took and nothing needs at rest.
extension FolderSession {
    /// Fewer rows and outcomes than this need none that is worth a call.
    private static let muchWork = 10_000

    /// After a start, and after much was done: what the state was read and written by, and what was in hand meanwhile.
    func releaseMemory() {
        let done = changeCount + (releasedAt == nil ? trees.local.count + trees.remote.count : 0)
        guard done - (releasedAt ?? 0) >= Self.muchWork else { return }
        releasedAt = changeCount
        environment.store.releaseMemory()
        // The allocator keeps what was freed for the next time, which may be weeks away.
        malloc_trim(0)
    }
}
