import FolderControl
import FolderHistory
import FolderSettings
import Foundation
import LocalFolder
import StateStorage
import SyncModel
import Synchronization
import SystemPackage
import Testing

@testable import SessionCore
@testable import SyncEngine

@Suite("A person who makes room on a disk that is almost full", .timeLimit(.minutes(30)))
struct MadeRoomTests {
    /// A disk of which a test says how many bytes it has free, before the file that is waited for is on it.
    private final class SmallDisk: Sendable {
        private let free: Mutex<Int64>
        private let awaited: FilePath

        init(free: Int64, awaiting path: FilePath) {
            self.free = Mutex(free)
            awaited = path
        }

        var space: DiskSpace {
            let used: Int64 = FileManager.default.fileExists(atPath: awaited.string) ? 200_000 : 0
            return free.withLock { DiskSpace(available: $0 - used, size: 1 << 40) }
        }

        func becomes(free bytes: Int64) { free.withLock { $0 = bytes } }
    }

    @Test(
        "What is deleted for that is fetched to be kept only where the disk has room for it besides what waits",
        arguments: [(250_000, false), (400_000, true)])
    func deletes(free: Int64, keeps: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(String(repeating: "o", count: 120_000), to: "old.txt")
            try laptop.write("stays", to: "b.txt")
            try await converge(laptop, desk)
            try desk.write(String(repeating: "n", count: 200_000), to: "new.txt")
            try await desk.sync()
            let disk = SmallDisk(free: 100_000, awaiting: laptop.folder.appending("new.txt"))
            var environment = await laptop.session.environment
            environment.configuration.diskReserve = 0
            environment.diskSpace = { disk.space }
            let session = try FolderSession(
                environment, inbox: Inbox(clock: environment.clock), logger: EngineWorld.quiet)
            await session.settle()
            #expect(try await session.report(daemon: nil, watch: nil).held.map(\.code) == ["diskFull"])
            #expect(laptop.read("new.txt") == nil)

            try laptop.delete("old.txt")
            disk.becomes(free: free)
            await session.settle()
            let kept = try KeptVersions(
                of: StateDirectory.open(in: laptop.folder), atOrBelow: FolderPath("old.txt"))
            #expect(!kept.all.isEmpty == keeps)
            #expect(try await session.report(daemon: nil, watch: nil).records == 2)

            laptop.pass(.seconds(6))
            await session.settle()
            #expect(laptop.read("new.txt")?.count == 200_000)
            try laptop.close()
            try desk.close()
        }
    }
}
