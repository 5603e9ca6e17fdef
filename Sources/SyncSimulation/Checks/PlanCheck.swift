import FolderKnowledge
import FolderSettings
import RecordTrees
import StateStorage
import SyncEngine
import SyncPlanning

/// That nothing but stored rows decides: a device that was started anew before each plan would make the same one. And that
/// what is agreed needs no plan: passed over, it leaves the same to do and to remember.
enum PlanCheck {
    /// What a plan would be after a start; `nil` where it is the same.
    /// - Parameters:
    ///   - planner: What makes the plan.
    ///   - trees: What the device knows.
    static func difference(
        _ planner: Planner, _ trees: SyncTrees, in store: StateStore, _ configuration: FolderConfiguration
    ) throws -> String? {
        var anew = SyncTrees(of: configuration)
        try anew.load(store, provenance: store.provenance())
        anew.findFilesOfAssets()
        var known = trees
        anew.markAllDirty()
        known.markAllDirty()
        var some = known
        let (after, before) = (
            planner.plan(&anew, passesOverAgreed: false), planner.plan(&known, passesOverAgreed: false)
        )
        guard after == before else { return "\(after) after a start instead of \(before)" }
        let without = planner.plan(&some)
        let remembersSame = some.unstored.provenance == known.unstored.provenance
        return without == before && remembersSame ? nil : "\(without) without what is agreed instead of \(before)"
    }
}
