import CMalloc
import FolderKnowledge
import RecordTrees
import SessionCore
import StateStorage

/// Gives back memory that much work took and nothing needs at rest.
struct MemoryCare {
    private let environment: SessionEnvironment
    private let knowledge: Knowledge
    private let committer: Committer

    init(_ environment: SessionEnvironment, knowledge: Knowledge, committer: Committer) {
        (self.environment, self.knowledge, self.committer) = (environment, knowledge, committer)
    }

    /// After a start, and after much was done: what the state was read and written by, and what was in hand meanwhile.
    func release() {
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
