import CloudKitClient
import CloudKitWire
package import FolderKnowledge
package import FolderObserving
package import Logging
import RecordMapping
import RecordReceiving
import RecordSending
import RecordTrees
import RequestPacing
package import SessionCore
import StateRows
package import SyncModel
import SyncTiming
package import ZoneFetching

/// Brings the folder's changes into the zone.
package final class Exporter {
    let environment: SessionEnvironment
    let logger: Logger
    let knowledge: Knowledge
    let setbacks: Setbacks
    let events: EventRecorder
    let committer: Committer
    let versions: OwnVersions
    let observer: FolderObserver
    let access: ZoneAccess
    let fetches: OwedFetches
    let fetcher: ZoneFetcher
    let work: PlannedWork
    let progress: ProgressMeter
    let lastTimes: LastTimes
    let stop: StopRequest
    private var requestLimit = RequestLimit()

    /// Sends by the way that ``ZoneAccess`` has made ready.
    package init(
        _ environment: SessionEnvironment, knowledge: Knowledge, setbacks: Setbacks, events: EventRecorder,
        committer: Committer, versions: OwnVersions, observer: FolderObserver, access: ZoneAccess,
        fetches: OwedFetches, fetcher: ZoneFetcher, work: PlannedWork, progress: ProgressMeter, lastTimes: LastTimes,
        stop: StopRequest, logger: Logger
    ) {
        (self.environment, self.knowledge, self.setbacks, self.events) = (environment, knowledge, setbacks, events)
        (self.committer, self.versions, self.observer, self.access) = (committer, versions, observer, access)
        (self.fetches, self.fetcher, self.work, self.progress) = (fetches, fetcher, work, progress)
        (self.lastTimes, self.stop, self.logger) = (lastTimes, stop, logger)
    }

    var now: SteadyInstant { environment.clock.now }

    /// Groups of actions under way at a time.
    private static let groupsInFlight = 3

    /// Sends what the actions call for: deletions that make room first, then creations and changes, then the other
    /// deletions.
    package nonisolated(nonsending) func send(_ actions: [Action]) async throws {
        guard !actions.isEmpty else { return }
        events.begin(.export)
        let deletions = actions.filter { $0.kind == .deleteRecord }
        let (replaced, missing) = (deletions.filter { work.isReplaced($0) }, deletions.filter { !work.isReplaced($0) })
        try await keepDeletedAssets(of: replaced)
        try await sendAll(replaced)
        let changed = actions.only { $0.kind != .deleteRecord }
        try await keepDeletedAssets(of: changed.filter(incoming.losesAssets))
        try await sendAll(changed)
        let gone = confirmed(missing)
        try await keepDeletedAssets(of: gone)
        try await sendAll(gone)
        try events.end(.export)
        let names = fetches.takeLookUps()
        guard !names.isEmpty else { return }
        try await fetcher.lookUp(names)
    }

    nonisolated(nonsending) private func sendAll(_ planned: [Action]) async throws {
        let actions = try await durable(planned)
        guard !actions.isEmpty else { return }
        let meter = progress
        let sender = Sender(
            database: environment.database, zoneID: knowledge.zoneID, reader: environment.reader,
            batcher: ModifyBatcher(maximumBytes: requestLimit.bytes), onBytes: { meter.add(bytes: $0) })
        let incarnation = knowledge.zoneFacts.incarnation
        let outgoing = outgoing
        let order = try await outgoing.order(of: actions)
        var underWay: [UnderWay] = []
        var failure: (any Error)?
        for (number, group) in order.groups.enumerated() {
            // Whoever asks how the folder stands gets a turn also where the server answers faster than files are read.
            await Task.yield()
            do {
                // What the group refers to has to be in the zone before it goes.
                while let needed = group.after, let first = underWay.first, first.group <= needed {
                    try await take(underWay.removeFirst(), from: incarnation)
                }
                guard !stop.isMade, !knowledge.isPaused(at: environment.clock.milliseconds), !setbacks.isServerAway,
                    !setbacks.isDatabasePaused,
                    knowledge.zoneFacts.incarnation == incarnation
                else { break }
                let actions = withoutKept(withoutUndeclared(order.actions(of: group)), order.keepers)
                setbacks.askForMissingFields(actions)
                let prepared = sendings(among: try outgoing.prepare(actions, in: order), of: actions)
                let sendings = withRequired(prepared, in: order).map(belowSharedRoot)
                guard !sendings.isEmpty else { continue }
                try events.stored(.export)
                try noteSent(sendings)
                if underWay.count >= Self.groupsInFlight {
                    try await take(underWay.removeFirst(), from: incarnation)
                }
                // Only now: what is sent before a deletion can take minutes, in which a file may come back.
                let certain = withConfirmedDeletions(sendings)
                guard !certain.isEmpty else { continue }
                let answers = Task(executorPreference: environment.executor) { await sender.send(certain) }
                underWay.append(UnderWay(group: number, sendings: certain, answers: answers))
            } catch {
                failure = error
                break
            }
        }
        // What is under way has its answers taken, whatever failed: they are facts about the zone.
        while !underWay.isEmpty {
            do {
                try await take(underWay.removeFirst(), from: incarnation)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// What is asked of what is to be sent.
    private var outgoing: Outgoing {
        Outgoing(
            knowledge: knowledge, reader: environment.reader, logger: logger,
            fileToSend: { try self.fileToSend($0, $1) },
            neverRests: { self.observer.restless.neverRests($0, now: self.now) },
            isRefused: { self.setbacks.refusal(of: $0) != nil })
    }

    /// A group of operations whose answers are still to come.
    private struct UnderWay {
        let group: Int
        let sendings: [Sending]
        let answers: Task<[SendResult], Never>
    }

    nonisolated(nonsending) private func take(_ group: UnderWay, from incarnation: Int64) async throws {
        try take(await group.answers.value, of: group.sendings, from: incarnation)
    }

    /// Deals with what needs no sending, and gives the rest.
    private func sendings(among prepared: [Preparation], of actions: [Action]) -> [Sending] {
        var sendings: [Sending] = []
        var outcomes: [Outcome] = []
        var misfits: [(action: Action, problem: Problem)] = []
        for (action, preparation) in zip(actions, prepared) {
            switch preparation {
            case .send(var sending):
                sending.attempts = setbacks.failures(of: action)
                sendings.append(sending)
            case .agreed(let name, let draft):
                guard let remote = knowledge.trees.remote[name] else { continue }
                var entry = draft.entry(name: name, remote: remote)
                if !entry.assets.isEmpty, let record = try? knowledge.remoteRecord(named: name) {
                    entry.note(renewalsIn: record.fields, fileType: knowledge.paths.fileType)
                }
                if entry == knowledge.trees.base[name] {
                    // Agreed before, and still taken for edited: not again at once.
                    setbacks.cameToNothing(action)
                    continue
                }
                outcomes.append(Outcome(base: .agreed(entry, document: draft.document)))
            case .superseded:
                noteOvertaken(action)
                observer.superseded(action)
            case .misfit(let problem): misfits.append((action, problem))
            case .held(let problem): holdBack(action, problem)
            }
        }
        do {
            try reform(misfits: misfits)
            try committer.commit(outcomes)
        } catch {
            logger.error("The state could not be stored", metadata: ["error": "\(error)"])
        }
        return sendings
    }

    /// Stores what was accepted, and notes what to do about the rest.
    private func take(_ results: [SendResult], of sendings: [Sending], from incarnation: Int64) throws {
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
            case .saved(let record):
                guard let draft = sending.draft, let row = knowledge.row(for: record) else {
                    fetches.oweLookUp(of: [sending.name])
                    continue
                }
                saved.append(record)
                setbacks.noteDeclared(by: record)
                var entry = draft.entry(name: sending.name, remote: row.entry)
                entry.note(renewalsIn: record.fields, fileType: knowledge.paths.fileType)
                outcomes.append(
                    Outcome(
                        base: .agreed(entry, document: draft.document), remote: .saved(row),
                        change: committer.journal(
                            action.outlivesDeletion ? JournalEntry.keptEditHere : JournalEntry.sent, by: .person,
                            path: draft.path, record: sending.name)))
                if let replaced = sending.replaced?.recordName.map({ RecordName($0) }) {
                    outcomes.append(
                        Outcome(
                            base: .removed(replaced), remote: .deleted(replaced),
                            change: committer.journal(
                                JournalEntry.recordDeleted, by: .person, path: draft.path, record: replaced)))
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
