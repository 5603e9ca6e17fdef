import Logging
import NIOPosix
import SystemPackage

/// Removes what no record names any more from a server that runs, each hour.
///
/// An asset goes that no record named at two looks, an hour apart, and that no client was promised meanwhile. So a link to it
/// that was given out before is good for some time yet, and so is every receipt.
struct AssetSweeper: Sendable {
    private let store: RecordStore
    private let files: AssetFiles
    private let pool: NIOThreadPool
    private let logger: Logger
    private let clock: any Clock<Duration>

    private static let interval: Duration = .seconds(60 * 60)
    /// Assets in one transaction, for which all who save something wait.
    private static let batch = 100

    init(of server: WebServicesServer, clock: any Clock<Duration> = ContinuousClock()) {
        store = server.store
        files = server.files
        pool = server.filePool
        logger = server.logger
        self.clock = clock
    }

    /// Sweeps each hour until the task is cancelled.
    func run() async {
        var unused: Set<[UInt8]> = []
        while await waits() { unused = await sweep(unusedBefore: unused) }
    }

    /// - Returns: `false` where the task was cancelled.
    private func waits() async -> Bool {
        do {
            try await clock.sleep(for: Self.interval)
            return true
        } catch {
            return false
        }
    }

    /// Removes what is unused and was so at the last look. A directory that fails keeps no other one from being swept.
    /// - Returns: What is unused by now, by SHA-256.
    func sweep(unusedBefore: Set<[UInt8]>) async -> Set<[UInt8]> {
        var unused: Set<[UInt8]> = []
        for folder in await folders() {
            guard !Task.isCancelled else { break }
            do {
                unused.formUnion(try await pool.runIfActive { try sweep(folder, unusedBefore) })
            } catch is CancellationError {
                break
            } catch {
                report(error, folder)
            }
        }
        return unused
    }

    private func folders() async -> [FilePath] {
        do {
            return try await pool.runIfActive { try files.folders() }
        } catch is CancellationError {
            return []
        } catch {
            report(error, files.directory)
            return []
        }
    }

    private func sweep(_ folder: FilePath, _ unusedBefore: Set<[UInt8]>) throws -> Set<[UInt8]> {
        let now = store.surroundings.now()
        var unused = Set(try store.unused(among: files.assets(in: folder)))
        let due = Array(unused.intersection(unusedBefore))
        for start in stride(from: 0, to: due.count, by: Self.batch) {
            let batch = Array(due[start..<min(start + Self.batch, due.count)])
            unused.subtract(
                try store.forgetUnused(among: batch) { asset in try files.removeUnused(asset, now: now) })
        }
        return unused
    }

    private func report(_ error: any Error, _ directory: FilePath) {
        logger.error(
            "Unused assets were not removed", metadata: ["directory": "\(directory)", "error": "\(error)"])
    }
}
