package import CloudKitClient
import CloudKitWire
import FolderKnowledge
package import FolderWriting
import LocalFolder
import ProblemSentences
package import RecordMapping
import RecordPaths
package import RequestPacing
package import SyncModel
import Synchronization

/// Brings bytes into staging and staged files into the folder; knows nothing of trees and plans.
package struct Receiver: Sendable {
    let database: CloudKitDatabase
    let writer: FolderWriter
    /// Called with the bytes of each finished download.
    let onBytes: @Sendable (Int64) -> Void

    package init(database: CloudKitDatabase, writer: FolderWriter, onBytes: @escaping @Sendable (Int64) -> Void) {
        (self.database, self.writer, self.onBytes) = (database, writer, onBytes)
    }

    /// Assets that travel at the same time.
    private static let parallelDownloads = 8

    /// A download that failed, and what to do about it.
    package struct Failure: Error {
        package let reaction: ErrorReaction
        package let reason: String
        /// What keeps the bytes from being put away here.
        package var problem: Problem?
        package var obstacle = RetryObstacle.server

        package init(
            reaction: ErrorReaction, reason: String, problem: Problem? = nil, obstacle: RetryObstacle = .server
        ) {
            (self.reaction, self.reason, self.problem, self.obstacle) = (reaction, reason, problem, obstacle)
        }
    }

    // MARK: Downloads

    /// Downloads the assets of some records; each record gets all of its own, those that were found in the folder among
    /// them, or the first failure.
    package func download(_ receivings: [Receiving]) async -> [Result<[AssetSlot: AssetBytes], Failure>] {
        await withTaskGroup(of: (Int, AssetSlot, Result<AssetBytes, Failure>).self) { group in
            var results = receivings.map { Result<[AssetSlot: AssetBytes], Failure>.success($0.found) }
            func take(_ next: (Int, AssetSlot, Result<AssetBytes, Failure>)?) {
                guard let (index, slot, result) = next, case .success(var files) = results[index] else { return }
                switch result {
                case .success(let file):
                    files[slot] = file
                    results[index] = .success(files)
                case .failure(let failure): results[index] = .failure(failure)
                }
            }
            var running = 0
            for (index, receiving) in receivings.enumerated() {
                for (slot, download) in receiving.downloads {
                    if running >= Self.parallelDownloads { take(await group.next()) } else { running += 1 }
                    group.addTask { (index, slot, await self.download(download, in: slot, for: receiving)) }
                }
            }
            while let next = await group.next() { take(next) }
            return results
        }
    }

    /// Fetches an asset until its bytes are proven, or it has to be held.
    private func download(
        _ download: AssetDownload, in slot: AssetSlot, for receiving: Receiving
    ) async -> Result<AssetBytes, Failure> {
        var fetches: [AssetWitnesses.Fetch] = []
        while true {
            let isFresh = !fetches.isEmpty
            let fetched = await fetch(download.asset, for: receiving, overFreshConnection: isFresh)
            guard case .success(var bytes) = fetched, case .staging(let file) = bytes.place else { return fetched }
            fetches.append(AssetWitnesses.Fetch(size: file.size, hash: bytes.hash, isFresh: isFresh))
            switch download.witnesses.verdict(on: fetches) {
            case .accepted: return fetched
            case .acceptedOverStaleHash:
                bytes.isOverStaleHash = true
                return .success(bytes)
            case .fetchAgain: continue
            case .refused(let difference):
                let problem = Problem.wrongBytes(download.path, in: slot, of: receiving.action.path, difference)
                return .failure(
                    Failure(
                        reaction: .retry(after: nil, pausing: .item), reason: problem.message, problem: problem))
            }
        }
    }

    private func fetch(
        _ asset: Asset, for receiving: Receiving, overFreshConnection isFresh: Bool
    ) async -> Result<AssetBytes, Failure> {
        guard let url = asset.downloadURL else {
            return .failure(
                Failure(reaction: .lookUpAndMerge, reason: "The record names no place to read its asset from"))
        }
        let path = receiving.action.path
        let problem = Mutex<Problem?>(nil)
        do {
            let file = try writer.stage()
            let start = Mutex<[UInt8]>([])
            let count = try await database.downloadAsset(
                from: url, fileName: "asset", overFreshConnection: isFresh
            ) { bytes in
                start.withLock {
                    if $0.count < AssetNaming.sniffedBytes { $0 += bytes.prefix(AssetNaming.sniffedBytes) }
                }
                // An answer without end must not fill the disk; that it is too long shows with one byte.
                let room = asset.size.map { max(0, $0 + 1 - file.size) } ?? .max
                do throws(FolderError) {
                    try file.write(bytes.prefix(Int(clamping: room)))
                } catch {
                    problem.withLock { $0 = .cannotWrite(path, error) }
                    throw error
                }
            }
            onBytes(count)
            // Synced later, together with others. Whether it can be executed depends on the file in whose place it comes.
            let hash = try file.finish(modified: receiving.modified, syncing: false)
            return .success(AssetBytes(place: .staging(file), hash: hash, firstBytes: start.withLock { $0 }))
        } catch let error as CloudKitError {
            return .failure(
                Failure(
                    reaction: error.reaction(attempts: receiving.attempts), reason: error.message,
                    problem: problem.withLock(\.self), obstacle: error.obstacle))
        } catch let error as FolderError {
            return .failure(
                Failure(
                    reaction: .retry(after: nil, pausing: .item), reason: error.message,
                    problem: .cannotWrite(path, error)))
        } catch {
            return .failure(Failure(reaction: .retry(after: nil, pausing: .item), reason: "\(error)"))
        }
    }

    // MARK: Writing

    /// Puts files into the folder; everything that is reported as done is durable.
    /// - Throws: `FolderError` where what was put there cannot be made durable: it is there, and a loss of power may take it.
    package func write(_ writings: [Writing]) throws -> [WriteResult] {
        var staged: [Placement.Staged?] = []
        var results: [WriteResult?] = []
        for writing in writings {
            do throws(FolderError) {
                staged.append(try stage(writing))
                results.append(staged.last! == nil ? .superseded() : nil)
            } catch {
                staged.append(nil)
                results.append(.held(.cannotWrite(writing.path, error)))
            }
        }
        do {
            let files = staged.compactMap(\.self).flatMap { [$0.file].compactMap(\.self) + $0.copies.values }
            // What stays as a person saved it is agreed on from now on.
            let kept = writings.flatMap { [$0.keptPath].compactMap(\.self) + $0.keptAssets.map(\.path) }
            try writer.makeDurable(files + writings.flatMap { $0.assets.map(\.file) }, besides: kept)
        } catch {
            // Nothing was put into the folder.
            return writings.map { .held(.cannotWrite($0.path, error)) }
        }
        let batch = WriteBatch()
        for (index, writing) in writings.enumerated() where results[index] == nil {
            var placement = Placement(of: writing, staged[index]!, writer: writer, batch: batch)
            results[index] = placement.run()
        }
        try batch.finish()
        return results.map { $0 ?? .superseded() }
    }

    /// - Returns: `nil` where the folder is no longer as planned with.
    private func stage(_ writing: Writing) throws(FolderError) -> Placement.Staged? {
        var staged = Placement.Staged()
        for (index, asset) in writing.carriedAssets.enumerated() where !asset.isMoved {
            guard let copy = try copy(of: asset) else { return nil }
            staged.copies[index] = copy
        }
        // The zone does not have the bit of an asset: it stays as it is here.
        for asset in writing.assets { try asset.file.setExecutable(asset.replaces?.stamp.executable ?? false) }
        if let lost = writing.lostThere { staged.zones = try writer.stage(lost.document, syncing: false) }
        switch writing.content {
        case .bytes(let bytes):
            staged.file = try writer.stage(
                bytes, executable: writing.isExecutable, modified: writing.modified, syncing: false)
        case .staged(let file):
            try file.setExecutable(writing.isExecutable)
            staged.file = file
        case .keep: break
        }
        return staged
    }

    private func copy(of asset: Writing.CarriedAsset) throws(FolderError) -> StagedFile? {
        guard
            let source = try FolderReader(root: writer.root).openForUpload(asset.source, expecting: asset.version.stamp)
        else { return nil }
        let file = try writer.stage()
        while let piece = try source.next() { try file.write(piece) }
        guard try source.finish() == .unchanged(asset.version.hash) else { return nil }
        try file.finish(
            executable: asset.version.stamp.executable, modified: asset.version.stamp.modified, syncing: false)
        return file
    }
}
