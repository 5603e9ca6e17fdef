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
    /// How large a request may be, by how the last ones went.
    var requestLimit = RequestLimit()

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
                    entry.note(renewalsIn: record.fields, fileType: knowledge.fileType)
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
}
