import CloudKitClient
import CloudKitWire
import FolderKnowledge
import LocalFolder
import Logging
import ProblemSentences
import RecordMapping
import RecordSending
import StateStorage
import SyncModel
import SyncPlanning
import SyncTiming

/// Bringing the folder's changes into the zone.
extension FolderSession {
    /// Groups of actions under way at a time.
    private static let groupsInFlight = 3

    /// Sends what the actions call for: deletions that make room first, then creations and changes, then the other
    /// deletions.
    func send(_ actions: [Action]) async throws {
        guard !actions.isEmpty else { return }
        beginEvent(.export)
        let deletions = actions.filter { $0.kind == .deleteRecord }
        let (replaced, missing) = (deletions.filter { isReplaced($0) }, deletions.filter { !isReplaced($0) })
        try await sendAll(confirmed(replaced))
        try await sendAll(actions.only { $0.kind != .deleteRecord })
        try await keepAssets(ofDeleted: missing)
        // Only now: what is sent before them can take minutes, in which a file may come back.
        try await sendAll(confirmed(missing))
        try endEvent(.export)
        let names = fetches.takeLookUps()
        guard !names.isEmpty else { return }
        try await lookUp(names)
    }

    private func sendAll(_ planned: [Action]) async throws {
        let actions = try await durable(planned)
        guard !actions.isEmpty else { return }
        let meter = progress
        let sender = Sender(
            database: environment.database, zoneID: knowledge.zoneID, reader: reader,
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
                guard !isStopping, !isPaused, !isServerAway, !isDatabasePaused,
                    knowledge.zoneFacts.incarnation == incarnation
                else { break }
                let actions = withoutKept(withoutUndeclared(order.actions(of: group)), order.keepers)
                askForMissingFields(actions)
                let prepared = settle(try outgoing.prepare(actions, in: order), of: actions)
                let sendings = withRequired(prepared, in: order).map(belowSharedRoot)
                guard !sendings.isEmpty else { continue }
                try storedEvent(.export)
                try noteSent(sendings)
                if underWay.count >= Self.groupsInFlight {
                    try await take(underWay.removeFirst(), from: incarnation)
                }
                let answers = Task(executorPreference: environment.executor) { await sender.send(sendings) }
                underWay.append(UnderWay(group: number, sendings: sendings, answers: answers))
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
            knowledge: knowledge, reader: reader, logger: logger,
            fileToSend: { try self.fileToSend($0, $1) },
            neverRests: { self.restless.neverRests($0, now: self.now) },
            isRefused: { self.refusals[$0] != nil })
    }

    /// A group of operations whose answers are still to come.
    private struct UnderWay {
        let group: Int
        let sendings: [Sending]
        let answers: Task<[SendResult], Never>
    }

    private func take(_ group: UnderWay, from incarnation: Int64) async throws {
        try take(await group.answers.value, of: group.sendings, from: incarnation)
    }

    /// Deals with what needs no sending, and gives the rest.
    private func settle(_ prepared: [Preparation], of actions: [Action]) -> [Sending] {
        var sendings: [Sending] = []
        var outcomes: [Outcome] = []
        var misfits: [(action: Action, problem: Problem)] = []
        var lackingTarget: [FolderPath] = []
        for (action, preparation) in zip(actions, prepared) {
            switch preparation {
            case .send(var sending):
                sending.attempts = RetryKey(action).map { retry.failures(of: $0) } ?? 0
                sendings.append(sending)
            case .agreed(let name, let draft):
                guard let remote = knowledge.trees.remote[name] else { continue }
                var entry = draft.entry(name: name, remote: remote)
                if !entry.assets.isEmpty, let record = try? knowledge.remoteRecord(named: name) {
                    entry.note(renewalsIn: record.fields, fileType: knowledge.paths.fileType)
                }
                if entry == knowledge.trees.base[name], let key = RetryKey(action) {
                    // Agreed before, and still taken for edited: not again at once.
                    stoodStill(key)
                    continue
                }
                outcomes.append(Outcome(base: .agreed(entry, document: draft.document)))
            case .superseded:
                noteOvertaken(action)
                superseded(action)
            case .misfit(let problem): misfits.append((action, problem))
            case .held(let problem):
                holdBack(action, problem)
                // What it refers to has gone since it was read: it is looked at again when that comes.
                if problem.code == .referenceRefused { lackingTarget.append(action.path) }
            }
        }
        do {
            try settle(misfits: misfits)
            try commit(outcomes)
            try reform(lackingTarget)
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
                refusals.noteDeclared(by: record)
                var entry = draft.entry(name: sending.name, remote: row.entry)
                entry.note(renewalsIn: record.fields, fileType: knowledge.paths.fileType)
                outcomes.append(
                    Outcome(
                        base: .agreed(entry, document: draft.document), remote: .saved(row),
                        change: journal(
                            action.outlivesDeletion ? JournalEntry.keptEditHere : JournalEntry.sent, by: .person,
                            path: draft.path, record: sending.name)))
                if let replaced = sending.replaced?.recordName.map({ RecordName($0) }) {
                    outcomes.append(
                        Outcome(
                            base: .removed(replaced), remote: .deleted(replaced),
                            change: journal(
                                JournalEntry.recordDeleted, by: .person, path: draft.path, record: replaced)))
                }
            case .deleted:
                outcomes.append(
                    Outcome(
                        base: .removed(sending.name), remote: .deleted(sending.name),
                        change: journal(
                            JournalEntry.recordDeleted, by: .person, path: action.path, record: sending.name)))
            case .superseded:
                try forgetSent(sending)
                noteOvertaken(action)
                superseded(action)
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
                noteFailure(of: .record(sending.name), reaction, code: code, message: "\(action.path): \(reason)")
                guard knowledge.zoneFacts.incarnation == incarnation else { return }
                continue
            case .unanswered(let code, let reason):
                noteFailure(of: .record(sending.name), .lookUpAndMerge, code: code, message: reason)
                isUnanswered = true
                refused(sending, .lookUpAndMerge, reason: reason, for: .network)
                continue
            }
            if let key = RetryKey(action) { succeeded(key) }
        }
        try hold(refusedForReferences: refusedReferences)
        try commit(outcomes)
        for (clash, sending, reason) in clashes { try settle(clash, of: sending, reason: reason) }
        let deleted = results.count { if case .deleted = $0 { true } else { false } }
        let changed = results.count { if case .saved = $0 { true } else { false } }
        eventLog.count(.export, changed: changed, deleted: deleted)
        // What did not get through in time is asked for, and goes in smaller requests.
        requestLimit.note(isAnswered: !isUnanswered)
        deletionMemory.note(deleted, inZone: true, now: now)
        // Our own saves do not come back by the feed: what they tell of the schema has to outlast this process too.
        try knowledge.learn(from: saved)
        progress.complete(files: results.count, bytes: plannedBytes(of: sendings.map(\.action)))
        if !outcomes.isEmpty { lastTimes.notePush(at: environment.clock.milliseconds) }
    }

    private func refused(
        _ sending: Sending, _ reaction: ErrorReaction, reason: String, isOfRecord: Bool = false,
        for obstacle: RetryObstacle
    ) {
        let action = sending.action
        logger.info(
            "The server did not take a change",
            metadata: ["path": "\(action.path)", "reason": "\(reason)", "reaction": "\(reaction)"])
        // Of a shared zone the account may lack the right to one record, and be well.
        if !isShared || !isOfRecord { doubtAccount(after: reaction, reason: reason) }
        switch reaction {
        case .retry(let after, let pause):
            if pause == .database, obstacle == .server { trouble.notePause(reason) }
            if let key = RetryKey(action) { waitAfterFailure(key, after: after, pausing: pause, for: obstacle) }
        case .lookUpAndMerge, .recreate(.record), .done:
            fetches.oweLookUp(
                of: [sending.name] + [sending.replaced?.recordName.map { RecordName($0) }].compactMap(\.self))
            if let key = RetryKey(action) { stoodStill(key, for: obstacle) }
        case .hold(.brokenReference): break  // All of an answer are held together.
        case .hold(.missingFromSchema): refusedBySchema(sending, reason: reason)
        case .hold(.noPermission) where isShared:
            hold(
                action,
                .notWritable(
                    action.path, zone: knowledge.zoneID.zoneName, isDeletion: action.kind == .deleteRecord,
                    reason: reason))
        case .hold(let hold):
            let subject: Hold.Subject = action.kind == .deleteRecord ? .deletion : .file
            self.hold(action, .refused(action.path, hold, subject, reason: reason))
        case .split: self.hold(action, .refused(action.path, .tooLarge, .file, reason: reason))
        case .signIn:
            credentialsWereRefused()
            if let key = RetryKey(action) { waitAfterFailure(key, after: nil, pausing: .item) }
        case .recreate(.zone):
            if knowledge.zoneFacts.created { zoneIsGone() }
        case .recreate, .refetch:
            if let key = RetryKey(action) { waitAfterFailure(key, after: nil, pausing: .item) }
        }
    }
}
