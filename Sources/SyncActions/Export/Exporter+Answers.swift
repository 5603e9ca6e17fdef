import CloudKitClient
import CloudKitWire
import FolderKnowledge
import FolderObserving
import RecordMapping
import RecordSending
import RecordTrees
import RequestPacing
import SessionCore
import StateRows
import SyncModel
import SyncTiming
import ZoneFetching

/// What the zone said to what was sent.
extension Exporter {
    /// Stores what was accepted, and notes what to do about the rest.
    func take(_ results: [SendResult], of sendings: [Sending], from incarnation: Int64) throws {
        // Answers of a zone that is gone by now are facts about nothing.
        guard knowledge.zoneFacts.incarnation == incarnation else { return }
        var outcomes: [Outcome] = []
        var saved: [Record] = []
        var clashes: [(clash: TypeClash, sending: Sending, reason: String)] = []
        var isUnanswered = false
        var refusedReferences: [(sending: Sending, reason: String)] = []
        for (sending, result) in zip(sendings, results) {
            let action = sending.action
            switch result {
            case .saved(let record, let gone):
                guard let draft = sending.draft, let row = knowledge.row(for: record, known: sending.name) else {
                    fetches.oweLookUp(of: [sending.name])
                    continue
                }
                saved.append(record)
                setbacks.noteDeclared(by: record)
                var entry = draft.entry(name: sending.name, remote: row.entry)
                entry.note(renewalsIn: record.fields, fileType: knowledge.fileType)
                outcomes.append(
                    Outcome(
                        base: .agreed(entry, document: draft.document), remote: .saved(row),
                        change: committer.journal(
                            action.outlivesDeletion ? JournalEntry.keptEditHere : JournalEntry.sent, by: .person,
                            path: draft.path, record: sending.name)))
                for name in gone {
                    outcomes.append(
                        Outcome(
                            base: .removed(name), remote: .deleted(name),
                            change: committer.journal(
                                JournalEntry.recordDeleted, by: .person,
                                path: knowledge.trees.base[name]?.path ?? draft.path, record: name)))
                }
            case .deleted:
                outcomes.append(
                    Outcome(
                        base: .removed(sending.name), remote: .deleted(sending.name),
                        change: committer.journal(
                            JournalEntry.recordDeleted, by: .person, path: action.path, record: sending.name)))
            case .superseded:
                try forgetSent(sending)
                noteOvertaken(action)
                observer.superseded(action)
                continue
            case .refused(let reaction, let code, let reason, let refusal, let obstacle):
                if refusal != .unknown { try forgetSent(sending) }
                if refusal == .answer, case .hold = reaction, sending.draft?.document != nil,
                    let clash = TypeClash(refusal: reason)
                {
                    clashes.append((clash, sending, reason))
                    continue
                }
                if reaction == .hold(.brokenReference) { refusedReferences.append((sending, reason)) }
                refused(sending, reaction, reason: reason, isOfRecord: refusal == .answer, for: obstacle)
                events.noteFailure(
                    of: .record(sending.name), reaction, code: code, message: "\(action.path): \(reason)",
                    isAccountKnown: access.account.status != nil)
                guard knowledge.zoneFacts.incarnation == incarnation else { return }
                continue
            case .unanswered(let code, let reason):
                events.noteFailure(of: .record(sending.name), code: code, message: reason)
                isUnanswered = true
                refused(sending, .lookUpAndMerge, reason: reason, for: .network)
                continue
            }
            setbacks.succeeded(action)
        }
        try hold(refusedForReferences: refusedReferences)
        try committer.commit(outcomes)
        for (clash, sending, reason) in clashes { try learn(from: clash, of: sending, reason: reason) }
        let deleted = zip(sendings, results).compactMap { sending, result in
            if case .deleted = result { sending.name } else { nil }
        }
        let changed = results.count { if case .saved = $0 { true } else { false } }
        events.count(.export, changed: changed, deleted: deleted.count)
        // What did not get through in time is asked for, and goes in smaller requests.
        requestLimit.note(isAnswered: !isUnanswered)
        work.deletions.note(deleted, inZone: true, now: now)
        // Our own saves do not come back by the feed: what they tell of the schema has to outlast this process too.
        try knowledge.learn(from: saved)
        progress.complete(files: results.count, bytes: knowledge.trees.plannedBytes(of: sendings.map(\.action)))
        if !outcomes.isEmpty { lastTimes.notePush(at: environment.clock.milliseconds) }
    }
}
