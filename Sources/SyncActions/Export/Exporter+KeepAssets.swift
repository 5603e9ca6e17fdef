import CloudKitClient
import CloudKitWire
import FolderKnowledge
import FolderSettings
import FolderWriting
import Logging
import RecordMapping
import RecordReceiving
import RecordTrees
import SessionCore
import SyncModel
import SyncTiming
import ZoneFetching

/// Keeping what an edit or a deletion in this folder takes away: what the zone's changes take away is in the history anyhow.
extension Exporter {
    /// Records whose assets are fetched together.
    private static let assetChunk = 50

    /// Fetches the assets that records are about to lose, for their files were deleted, and puts them into the history.
    ///
    /// What cannot be had is not kept: no deletion waits for that. Nor is what would take the room on the disk that others' files
    /// wait for: a person may delete this to make it.
    nonisolated(nonsending) func keepDeletedAssets(of actions: [Action]) async throws {
        var left = environment.configuration.ownHistoryLimit
        guard left > 0 else { return }
        var room = DiskRoom(environment.diskSpace(), reserve: environment.configuration.diskReserve)
        room.leave(work.bytesAwaitingRoom)
        for start in stride(from: 0, to: actions.count, by: Self.assetChunk) {
            guard !stop.isMade, !setbacks.isServerAway, !setbacks.isDatabasePaused else { return }
            let some = actions[start..<min(start + Self.assetChunk, actions.count)]
            let receivings = try some.compactMap { action -> Receiving? in
                guard let receiving = try unkeptAssets(lostBy: action), receiving.neededBytes <= left,
                    room.take(receiving.neededBytes)
                else { return nil }
                left -= receiving.neededBytes
                return receiving
            }
            try await keepAssets(of: receivings)
        }
    }

    nonisolated(nonsending) private func keepAssets(of receivings: [Receiving], isLastTry: Bool = false) async throws {
        guard !receivings.isEmpty else { return }
        let meter = progress
        let receiver = Receiver(
            database: environment.database, writer: environment.writer, onBytes: { meter.add(bytes: $0) })
        var expired: [Receiving] = []
        let batch = WriteBatch()
        for (receiving, download) in zip(receivings, await receiver.download(receivings)) {
            do {
                for (slot, bytes) in try download.get() {
                    guard case .staging(let file) = bytes.place, let path = receiving.downloads[slot]?.path else {
                        continue
                    }
                    try environment.writer.keep(file, of: path, as: .deletedHere, batch: batch)
                }
                versions.noteAssets(of: receiving.entry)
            } catch let failure as Receiver.Failure where failure.reaction == .lookUpAndMerge && !isLastTry {
                expired.append(receiving)
            } catch {
                logger.info(
                    "What was deleted here could not be kept",
                    metadata: ["path": "\(receiving.action.path)", "error": "\(error)"])
            }
        }
        try batch.finish()
        guard !expired.isEmpty else { return }
        // Its links were too old.
        try await fetcher.lookUp(expired.map(\.entry.name))
        try await keepAssets(of: expired.compactMap { try unkeptAssets(lostBy: $0.action) }, isLastTry: true)
    }

    var incoming: Incoming { Incoming(knowledge: knowledge, reader: environment.reader) }

    /// What is to be fetched of a record before this is sent; `nil` where there is nothing, or it is kept already.
    private func unkeptAssets(lostBy action: Action) throws -> Receiving? {
        guard let name = action.record, let tag = action.changeTag, !versions.hasAssets(of: name, tag: tag)
        else {
            return nil
        }
        return try incoming.lastVersion(of: action, now: environment.clock.wall())
    }
}
