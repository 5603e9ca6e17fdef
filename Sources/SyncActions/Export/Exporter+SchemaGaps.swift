import CloudKitClient
import CloudKitWire
import FolderKnowledge
import FolderSettings
import ProblemSentences
import RecordMapping
import RecordSending
import RecordTrees
import SessionCore
import SyncModel

/// Waiting for a container's schema to get what it lacks.
extension Exporter {
    /// Deals with a refusal that says that the schema lacks something.
    func refusedBySchema(_ sending: Sending, reason: String) {
        let gap = SchemaGap(refusal: reason, recordType: sending.recordType) { field in
            if sending.needs.contains(where: { $0.slot.field == field }) { return .asset(Asset()) }
            // With an asset to come the operation cannot be made here, and another field's type stays unsaid.
            return sending.needs.isEmpty ? sending.operation([:]).record.fields[field]?.value : nil
        }
        if sending.mayCarryHints, let type = sending.recordType, gap?.field == RecordHints.fieldName {
            // Go on at once without hints, or say what they are needed for. What is refused without them is held.
            return knowledge.setHintsField(false, of: type)
        }
        holdUntilDeclared(sending, gap, reason: reason)
    }

    /// Holds what the server refused, because the schema lacks its record type or one of its fields.
    private func holdUntilDeclared(_ sending: Sending, _ gap: SchemaGap?, reason: String) {
        guard let gap else {
            return setbacks.hold(
                sending.action, .refused(sending.action.path, .missingFromSchema, .file, reason: reason))
        }
        setbacks.hold(
            sending.action, .missing(gap, for: sending.action.path, reason: reason, environment.configuration))
        setbacks.noteWait(of: sending.action, for: gap)
    }

    /// Holds what cannot be sent as it is.
    func holdBack(_ action: Action, _ problem: Problem) {
        setbacks.hold(action, problem)
        guard problem.code == .schemaMissing, case .structured(let type, _)? = knowledge.trees.local[action.path]?.form
        else {
            return
        }
        setbacks.noteWait(of: action, for: SchemaGap(recordType: type, field: RecordHints.fieldName))
    }

    /// Leaves out what would be refused for lack of its record type, so that no asset is sent in vain; one action of each
    /// such type stays, to ask for all.
    func withoutUndeclared(_ actions: some Sequence<Action>) -> [Action] {
        let missing = setbacks.undeclaredTypes
        guard !missing.isEmpty else { return Array(actions) }
        var asking: Set<String> = []
        return actions.filter { action in
            guard action.isSending, action.kind != .deleteRecord, let type = recordType(ofFileAt: action.path),
                missing.contains(type),
                !asking.insert(type).inserted
            else { return true }
            let gap = SchemaGap(recordType: type)
            setbacks.hold(action, .missing(gap, for: action.path, environment.configuration))
            setbacks.noteWait(of: action, for: gap)
            return false
        }
    }

    private func recordType(ofFileAt path: FolderPath) -> String? {
        switch knowledge.trees.local[path]?.form {
        case .structured(let type, _): type
        case .file, .unfit: environment.configuration.fileRecordType
        case .held, nil: nil
        }
    }
}
