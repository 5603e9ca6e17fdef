import CloudKitWire
import LocalFolder
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// Reading files again whose meaning changed although their bytes did not.
extension FolderSession {
    /// Takes over the field types of fetched records, durably where any was new.
    func learn(from records: [Record]) throws {
        var types: Set<String> = []
        for record in records where schema.learn(from: record) {
            if let type = record.recordType { types.insert(type) }
        }
        guard !types.isEmpty else { return }
        let stored = schema.encoded()
        facts = try environment.store.updateFacts { facts in
            facts.schema = stored
            facts.learntTypes = types.union(facts.learntTypes).sorted()
        }
    }

    /// Tells anew what structured files are whose type has got to be known better: a text may be the name of an asset
    /// now, and a value that fitted may not fit any more.
    func reform() throws {
        guard !facts.learntTypes.isEmpty else { return }
        let types = Set(facts.learntTypes)
        try reform(
            trees.local.values.filter { entry in
                switch entry.form {
                case .structured(let type, _): types.contains(type)
                case .held: true
                case .file: false
                }
            })
        facts = try environment.store.updateFacts { $0.learntTypes = [] }
    }

    func reform(_ entries: [LocalEntry]) throws {
        var changed: [LocalEntry] = []
        for entry in entries {
            let file = LocalFile(path: entry.path, stamp: entry.stamp, hash: entry.hash, isSettled: true)
            guard let form = try form(of: file), form != entry.form else { continue }
            var entry = entry
            entry.form = form
            changed.append(entry)
        }
        guard !changed.isEmpty else { return }
        try environment.store.commitLocal(upserts: changed, removals: [])
        for entry in changed { trees.setLocal(entry, at: entry.path) }
        noteTargets(of: changed)
        forgetRefusals(near: changed.map(\.path))
    }
}
