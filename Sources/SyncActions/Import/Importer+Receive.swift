import CloudKitClient
import FolderKnowledge
import FolderObserving
import FolderSettings
import Logging
import ProblemSentences
import RecordMapping
import RecordReceiving
import SessionCore
package import SyncModel
import SyncTiming
import ZoneFetching

/// Bringing the zone's changes into the folder: download into staging, compose, write, store.
extension Importer {
    /// Records received at a time: their files become durable together, and so do their base rows.
    private static let chunk = 200
    /// How often it is asked whether a disk that was too full has room again.
    private static let diskCheckInterval = Duration.seconds(5)

    /// Writes and reconciles what the actions call for.
    package nonisolated(nonsending) func receive(_ actions: [Action]) async throws {
        let meter = progress
        let receiver = Receiver(
            database: environment.database, writer: environment.writer, onBytes: { meter.add(bytes: $0) })
        for start in stride(from: 0, to: actions.count, by: Self.chunk) {
            guard !stop.isMade, !knowledge.isPaused(at: environment.clock.milliseconds), !setbacks.isDatabasePaused
            else { return }
            let some = actions[start..<min(start + Self.chunk, actions.count)]
            let planned = knowledge.trees.plannedBytes(of: some)
            let receivings = try receivings(some)
            let composed = try compose(receivings, await receiver.download(receivings))
            let chunk = WritingChunk(composed, trees: knowledge.trees)
            for writing in chunk.leftOut { observer.superseded(writing.receiving.action) }
            let writings = chunk.writings.filter { !waits($0.receiving.action, for: $0.awaitedRecords) }
            try noteWritten(writings)
            do {
                let results = try await Self.write(writings, with: receiver)
                try take(results, of: writings)
            } catch {
                // What was written is found there by a look.
                for path in writings.flatMap({ [$0.path] + $0.assetPaths }) { observer.looks.owe(path) }
                throw error
            }
            meter.complete(files: some.count, bytes: planned)
        }
        try forgetWritten()
        let names = fetches.takeLookUps()
        guard !names.isEmpty else { return }
        try await fetcher.lookUp(names)
    }

    /// What some actions have to bring into the folder, as far as it can come now.
    private func receivings(_ actions: some Collection<Action>) throws -> [Receiving] {
        let incoming = Incoming(knowledge: knowledge, reader: environment.reader)
        var room = DiskRoom(environment.diskSpace(), reserve: environment.configuration.diskReserve)
        return try actions.compactMap { action in
            var receiving: Receiving
            switch try incoming.receiving(action) {
            case .receiving(let read): receiving = read
            case .superseded:
                observer.superseded(action)
                return nil
            case .held(let problem):
                setbacks.hold(action, problem)
                return nil
            }
            // Before anything is transferred.
            guard !waits(action, for: incoming.recordsToGo(before: receiving)) else { return nil }
            guard room.take(receiving.neededBytes) else {
                // Nothing was transferred: this can be asked again soon.
                setbacks.hold(action, .diskAlmostFull(action.path), for: Self.diskCheckInterval)
                return nil
            }
            receiving.attempts = setbacks.failures(of: action)
            return receiving
        }
    }

    /// What is written of what was downloaded.
    private func compose(
        _ receivings: [Receiving], _ downloads: [Result<[AssetSlot: AssetBytes], Receiver.Failure>]
    ) throws -> [Writing] {
        let incoming = Incoming(knowledge: knowledge, reader: environment.reader)
        let named = incoming.namedAssets(receivings)
        var composed: [Writing] = []
        for (var receiving, download) in zip(receivings, downloads) {
            receiving.namedBeside = named
            switch download {
            case .success(let files):
                if let writing = try incoming.compose(receiving, files) {
                    composed.append(writing)
                } else {
                    observer.superseded(receiving.action)
                }
            case .failure(let failure): downloadFailed(receiving, failure)
            }
        }
        return composed
    }

    /// How long it is waited for what is likely on its way, and how often. A device takes four seconds to be sure that a file
    /// was deleted.
    private static let wait = (length: Duration.seconds(3), times: 3)

    /// Whether a file would be copied for records alone that are likely to be gone in a moment: who sent what comes takes them away
    /// right after it.
    private func waits(_ action: Action, for records: Set<RecordName>) -> Bool {
        guard !records.isEmpty, setbacks.refusal(of: action)?.count ?? 0 < Self.wait.times else { return false }
        setbacks.hold(action, .attachedElsewhere(action.path), for: Self.wait.length)
        setbacks.noteWait(of: action, for: records, isOnItsWay: true)
        fetches.oweZone()
        return true
    }

    /// Off the session's own executor: writing blocks for the disk.
    @concurrent
    private static func write(_ writings: [Writing], with receiver: Receiver) async throws -> [WriteResult] {
        try receiver.write(writings)
    }

    func downloadFailed(_ receiving: Receiving, _ failure: Receiver.Failure) {
        let action = receiving.action
        logger.info("A download failed", metadata: ["path": "\(action.path)", "reason": "\(failure.reason)"])
        if let problem = failure.problem { return setbacks.hold(action, problem) }
        if case .retry(let after, let pause) = failure.reaction {
            setbacks.failed(action, after: after, pausing: pause, for: failure.obstacle)
        } else {
            setbacks.failed(action)
        }
        // Its URL expired, or the record changed: a new look at the record has a new one.
        if failure.reaction == .lookUpAndMerge { fetches.oweLookUp(of: [receiving.entry.name]) }
        if case .hold(let hold) = failure.reaction {
            setbacks.hold(action, .refused(action.path, hold, .download, reason: failure.reason))
        }
    }
}
