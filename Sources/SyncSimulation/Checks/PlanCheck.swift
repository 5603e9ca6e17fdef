import StateStorage
import SyncEngine
import SyncPlanning

/// That nothing but stored rows decides: a device that was started anew before each plan would make the same one.
enum PlanCheck {
    /// What a plan would be after a start; `nil` where it is the same.
    /// - Parameters:
    ///   - planner: What makes the plan.
    ///   - trees: What the device knows.
    static func difference(
        _ planner: Planner, _ trees: SyncTrees, in store: StateStore, _ configuration: FolderConfiguration
    ) throws -> String? {
        let stored = try store.loadTrees()
        var anew = FolderSession.emptyTrees(of: configuration)
        anew.load(local: stored.local, remote: stored.remote, base: stored.base, provenance: stored.provenance)
        anew.findFilesOfAssets()
        var known = trees
        anew.markAllDirty()
        known.markAllDirty()
        let (after, before) = (planner.plan(&anew), planner.plan(&known))
        return after == before ? nil : "\(after) after a start instead of \(before)"
    }
}
