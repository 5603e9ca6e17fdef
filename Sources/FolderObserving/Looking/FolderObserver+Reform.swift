import FolderKnowledge
import FolderSettings
import RecordMapping
import RecordTrees
import SessionCore
import StateRows
package import SyncModel

/// Reading files again whose meaning changed although their bytes did not.
extension FolderObserver {
    /// Tells anew what structured files are whose type has got to be known better: a text may be the name of an asset
    /// now, and a value that fitted may not fit any more. Not those that the zone has as they are: it would not have taken
    /// them otherwise. All of them, where a person changed what is asked of them.
    package func reform() throws {
        let rules = formRules
        let isRuled = knowledge.facts.formRules == rules
        guard !knowledge.facts.learntTypes.isEmpty || !isRuled else { return }
        try reform(filesToReform(all: !isRuled, of: Set(knowledge.facts.learntTypes)))
        try knowledge.updateFacts { facts in
            facts.learntTypes = []
            facts.formRules = rules
        }
    }

    /// - Parameters:
    ///   - all: Whether a person changed what is asked of them.
    ///   - types: Those that have got to be known better.
    private func filesToReform(all: Bool, of types: Set<String>) -> [FolderPath] {
        knowledge.trees.local.keys { [trees = knowledge.trees] entry in
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
        if let declared = knowledge.schema.encodedDeclaration() {
            rules.append(String(decoding: declared, as: UTF8.self))
        }
        return rules.isEmpty ? nil : rules.joined(separator: "\n")
    }

    /// What files are to the zone.
    package var forms: FileForms {
        FileForms(
            knowledge: knowledge, reader: environment.reader,
            neverRests: { self.restless.neverRests($0, now: self.now) })
    }

    package func reform(_ paths: [FolderPath]) throws {
        var forms: [FolderPath: FileForm] = [:]
        for path in paths {
            guard let entry = knowledge.trees.local[path], let form = try self.forms.form(of: LocalFile(entry)) else {
                continue
            }
            if form != entry.form { forms[path] = form }
        }
        try take(forms)
    }

    /// Takes over what files are, whose bytes are as they were last seen.
    package func take(_ forms: [FolderPath: FileForm]) throws {
        setbacks.release(near: try knowledge.take(forms))
    }
}
