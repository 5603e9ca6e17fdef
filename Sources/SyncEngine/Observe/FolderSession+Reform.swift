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

    /// Takes over the type of one field, as a refusal of the server names it; `false` where that is known already.
    func learn(_ field: ZoneSchema.FieldSchema, named name: String, of type: String) throws -> Bool {
        guard schema.learn(field, named: name, of: type) else { return false }
        let stored = schema.encoded()
        facts = try environment.store.updateFacts { facts in
            facts.schema = stored
            facts.learntTypes = Set(facts.learntTypes).union([type]).sorted()
        }
        return true
    }

    /// Tells anew what structured files are whose type has got to be known better: a text may be the name of an asset
    /// now, and a value that fitted may not fit any more. Not those that the zone has as they are: it would not have taken
    /// them otherwise. All of them, where a person changed what is asked of them.
    func reform() throws {
        let rules = formRules
        let isRuled = facts.formRules == rules
        guard !facts.learntTypes.isEmpty || !isRuled else { return }
        try reform(filesToReform(all: !isRuled, of: Set(facts.learntTypes)))
        facts = try environment.store.updateFacts { facts in
            facts.learntTypes = []
            facts.formRules = rules
        }
    }

    /// - Parameters:
    ///   - all: Whether a person changed what is asked of them.
    ///   - types: Those that have got to be known better.
    private func filesToReform(all: Bool, of types: Set<String>) -> [FolderPath] {
        trees.local.keys { [trees] entry in
            switch entry.form {
            case .structured(let type, _): all || types.contains(type) && !trees.isAgreed(entry)
            case .unfit: all
            case .held: true
            case .file: false
            }
        }
    }

    /// What of the configuration tells what files are; `nil` where it says nothing.
    private var formRules: String? {
        var rules = environment.configuration.types.sorted { $0.key < $1.key }.map { type, rules in
            "\(type): \(rules.required.sorted()) \(rules.defaultAssets.keys.sorted())"
        }
        if let declared = schema.encodedDeclaration() { rules.append(String(decoding: declared, as: UTF8.self)) }
        return rules.isEmpty ? nil : rules.joined(separator: "\n")
    }

    func reform(_ paths: [FolderPath]) throws {
        var forms: [FolderPath: FileForm] = [:]
        for path in paths {
            guard let entry = trees.local[path], let form = try form(of: LocalFile(entry)) else { continue }
            if form != entry.form { forms[path] = form }
        }
        try take(forms)
    }

    /// Takes over what files are, whose bytes are as they were last seen.
    func take(_ forms: [FolderPath: FileForm]) throws {
        let changed = forms.sorted { $0.key < $1.key }.compactMap { path, form -> LocalEntry? in
            guard var entry = trees.local[path], entry.form != form else { return nil }
            entry.form = form
            return entry
        }
        guard !changed.isEmpty else { return }
        try environment.store.commitLocal(upserts: changed, removals: [])
        for entry in changed { trees.setLocal(entry, at: entry.path) }
        noteTargets(of: changed)
        forgetRefusals(near: changed.map(\.path))
    }
}
