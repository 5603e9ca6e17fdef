import CMalloc
import FolderKnowledge
import RecordTrees
import SessionCore
import StateStorage
import SyncPlanning

/// Giving back memory that much work took and nothing needs at rest.
extension FolderSession {
    /// After a start, and after much was done: what the state was read and written by, and what was in hand meanwhile.
    func releaseMemory() {
        environment.rowMemory.limit()
        guard committer.count.takeMuch(startedWith: knowledge.trees.local.count + knowledge.trees.remote.count) else {
            return
        }
        environment.store.releaseMemory()
        environment.rowMemory.putAway()
        // The allocator keeps what was freed for the next time, which may be weeks away.
        malloc_trim(0)
    }
}
