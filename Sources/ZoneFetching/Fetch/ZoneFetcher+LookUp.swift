import CloudKitClient
import CloudKitWire
import FolderKnowledge
import FolderObserving
import RecordTrees
import SessionCore
import StateRows
import StateStorage
package import SyncModel
import SyncPlanning

/// Records that are asked for by name.
extension ZoneFetcher {
    /// Asks for some records anew, as after a conflict, and takes them into the remote tree.
    package nonisolated(nonsending) func lookUp(_ names: [RecordName]) async throws {
        guard !names.isEmpty else { return }
        do {
            let results = try await environment.database.lookUpRecords(names.map(\.rawValue), in: knowledge.zoneID)
            var outcomes: [Outcome] = []
            var renewed: [RemoteRow] = []
            for (name, result) in zip(names, results) {
                switch result {
                case .success(let record):
                    if record.deleted == true {
                        if knowledge.trees.remote[name] != nil { outcomes.append(Outcome(remote: .deleted(name))) }
                        continue
                    }
                    // What has no type or tag says nothing; what is known already is no news.
                    guard let row = knowledge.row(for: record) else { continue }
                    guard row.entry != knowledge.trees.remote[name] else {
                        renewed.append(row)
                        continue
                    }
                    try knowledge.learn(from: [record])
                    outcomes.append(Outcome(remote: .saved(row)))
                case .failure(let error):
                    guard error.serverErrorCode == .notFound, knowledge.trees.remote[name] != nil else { continue }
                    outcomes.append(Outcome(remote: .deleted(name)))
                }
            }
            try committer.commit(outcomes)
            try knowledge.renewLinks(renewed)
            try observer.reform()
            try recognizeSent(names)
        } catch let error as CloudKitError {
            _ = access.wait(for: .zoneChanges, after: error)
            fetches.oweZone()
        }
    }
}
