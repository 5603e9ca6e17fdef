import CloudKitWire
import FolderKnowledge
import FolderObserving
import LocalFolder
import Logging
import RecordTrees
import RemoteZone
import SessionCore
import StateRows
import SyncActions
import SyncModel
import SyncTiming
import SystemPackage
import ZoneFetching

/// From plan to acts: what the trees call for is done, stored, and planned again until nothing is left.
final class PlanRunner {
    private let environment: SessionEnvironment
    private let inbox: Inbox
    private let knowledge: Knowledge
    private let setbacks: Setbacks
    private let events: EventRecorder
    private let fetches: OwedFetches
    private let access: ZoneAccess
    private let observer: FolderObserver
    private let fetcher: ZoneFetcher
    private let work: PlannedWork
    private let attention: Attention
    private let committer: Committer
    private let importer: Importer
    private let exporter: Exporter
    private let progress: ProgressMeter
    private let stop: StopRequest

    /// Acts by these parts.
    init(
        _ environment: SessionEnvironment, inbox: Inbox, knowledge: Knowledge, setbacks: Setbacks,
        events: EventRecorder, fetches: OwedFetches, access: ZoneAccess, observer: FolderObserver,
        fetcher: ZoneFetcher, work: PlannedWork, attention: Attention, committer: Committer, importer: Importer,
        exporter: Exporter, progress: ProgressMeter, stop: StopRequest
    ) {
        (self.environment, self.inbox, self.knowledge, self.setbacks) = (environment, inbox, knowledge, setbacks)
        (self.events, self.fetches, self.access, self.observer) = (events, fetches, access, observer)
        (self.fetcher, self.work, self.attention, self.committer) = (fetcher, work, attention, committer)
        (self.importer, self.exporter, self.progress, self.stop) = (importer, exporter, progress, stop)
    }

    private var now: SteadyInstant { environment.clock.now }
    private var isPaused: Bool { knowledge.isPaused(at: environment.clock.milliseconds) }

    /// Stores what the last process wrote and could not store, or this one.
    func adoptWritten() throws {
        guard observer.looks.hasLooked, observer.looks.unread == nil, observer.isRootSafe else { return }
        try importer.adoptWritten()
    }

    /// Tells what waits for a person, and does nothing. That takes a plan: what was asked before a start, and was not answered,
    /// would else be neither told nor known at the next one, and what a person deletes or puts back meanwhile is asked for as it
    /// is now.
    func tell() throws {
        let isKnown = observer.looks.hasLooked && observer.isRootSafe && knowledge.zoneFacts.created
        // What waits meanwhile may be very much.
        if isKnown, !work.hasPlanned || knowledge.trees.hasNewMarks { try work.plan() }
        try attention.store()
    }

    /// Plans and acts until nothing is left that can be done now.
    nonisolated(nonsending) func run() async throws {
        if observer.isRootSafe, knowledge.zoneFacts.created { try importer.withdrawWritten() }
        var idle = 0
        // What was agreed on with a zone that is gone is nothing to act on.
        while !stop.isMade, observer.isRootSafe, knowledge.zoneFacts.created, !setbacks.isServerAway, !isPaused {
            try work.plan()
            try attention.store()
            // Whatever the zone deleted before, and can be seen, is asked for by now.
            try work.noteAsked()
            let actions = work.runnable()
            guard !actions.isEmpty else { break }
            if actions.contains(where: { $0.isDeleting }) {
                observer.checkRoot()
                guard observer.isRootSafe else { return }
            }
            progress.begin(files: actions.count, bytes: knowledge.trees.plannedBytes(of: actions), at: now)
            let before = committer.count.total
            try await carryOut(actions)
            // An action that is superseded costs a look and a new plan; without any progress, wait for events.
            idle = committer.count.total == before ? idle + 1 : 0
            if idle >= 3 || isPaused { break }
            if inbox.hasDue(at: now) || !observer.looks.paths.isEmpty { try await observer.observe() }
            access.takePushes()
            // Also where an answer was lost and the look-up failed: what the server took must be known before more is sent.
            if !fetches.isEmpty { guard try await fetcher.fetch() else { break } }
        }
        try events.end(.import)
        knowledge.forgetTakenOutFiles()
        try knowledge.storeProvenance()
        progress.end()
    }

    nonisolated(nonsending) private func carryOut(_ actions: [Action]) async throws {
        // What came is in the folder then, and what is sent from now on is none of it.
        if actions.allSatisfy({ $0.isSending || $0.kind == .forget }) { try events.end(.import) }
        try importer.forget(actions)
        // Moves in the folder are cheap and make room for what is written.
        try importer.move(actions)
        var receiving = actions.filter { $0.kind == .writeFile || $0.kind == .reconcile }
        for action in receiving.filter(observer.isToBeRead) { observer.superseded(action) }
        receiving.removeAll(where: observer.isToBeRead)
        try await importer.receive(receiving)
        // New rules hold for what would be sent now.
        if observer.looks.paths.contains(.ignoreFile) { return }
        guard !isPaused else { return }
        try await exporter.send(actions.only { $0.isSending && !$0.isOfReceivedAsset(in: knowledge.trees) })
        if !isPaused { try importer.deleteFiles(actions) }
    }
}
