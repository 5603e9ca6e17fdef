import FolderKnowledge
import FolderSettings
import RecordTrees
import StateStorage
import SyncEngine
import SyncPlanning

/// That a start looks at what differs loses nothing: planned with all marks, the stored trees give the same plan.
enum StartCheck {
    /// What a start would leave out; `nil` where that is nothing.
    static func omission(in store: StateStore, _ configuration: FolderConfiguration) throws -> String? {
        var marked = SyncTrees(of: configuration)
        try marked.load(store, provenance: store.provenance())
        var whole = marked
        whole.markAllDirty()
        let planner = Planner { _ in false }
        let (some, all) = (planner.plan(&marked), planner.plan(&whole, passesOverAgreed: false))
        return some == all ? nil : "\(all) instead of \(some)"
    }
}
