package import FolderHistory
package import FolderKnowledge
import FolderSettings
import LocalFolder
import RemoteZone
import StateRows
package import SyncModel
import SyncTiming

/// Keeping what an edit or a deletion in this folder takes away: what the zone's changes take away is in the history anyhow.
package final class OwnVersions {
    private let environment: SessionEnvironment
    private let knowledge: Knowledge
    private let history: HistoryCare
    private let deleted = DeletedVersions()

    /// Keeps by what is known and in the history that is looked after.
    package init(_ environment: SessionEnvironment, knowledge: Knowledge, history: HistoryCare) {
        (self.environment, self.knowledge, self.history) = (environment, knowledge, history)
    }

    /// The same outcomes, with what of the base they take away is to be kept.
    func keeping(_ outcomes: [Outcome]) -> [Outcome] {
        guard environment.configuration.ownHistoryLimit > 0 else { return outcomes }
        var outcomes = outcomes
        for index in outcomes.indices {
            guard
                let keeping = deleted.keeping(
                    before: outcomes[index], in: knowledge.trees, now: environment.clock.milliseconds)
            else { continue }
            outcomes[index].keeping = keeping
            history.noteKeptVersion()
        }
        return outcomes
    }

    /// Notes that the assets of a record, as it was by its change tag, are in the history.
    package func noteAssets(of entry: RemoteEntry) {
        deleted.noteAssets(of: entry.name, tag: entry.changeTag)
        history.noteKeptVersion()
    }

    /// Whether the assets of a record, as it was by a change tag, are in the history.
    package func hasAssets(of name: RecordName, tag: String) -> Bool { deleted.hasAssets(of: name, tag: tag) }
}
