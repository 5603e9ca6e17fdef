import FolderControl
import Foundation
import GRDB
import StateStorage
import SyncTiming
import SystemPackage
import Testing

@testable import SyncEngine

/// What is known of a file's times has to survive a crash with the times themselves.
@Suite("Settled files", .timeLimit(.minutes(30)))
struct SettledTests {
    @Test("A file that was hashed within the clock's grain of its last change is read again after a crash")
    func crash() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("first", to: "a.txt")
            // The clock stands at the file's own time: whatever is written now may leave the stamp as it is.
            var status = stat()
            #expect(stat(laptop.folder.appending("a.txt").string, &status) == 0)
            let time = Self.nanoseconds(status.st_ctim)
            let clock = SessionClock(wall: { time }, steady: SessionClock.system.steady)
            let (session, store) = try laptop.start(clock: clock)
            try await session.observe()
            try store.close()
            // Killed. The same tick, the same stamp, other bytes:
            try laptop.write("other", to: "a.txt")
            try Self.pretendUnchanged("a.txt", laptop)
            #expect(try await laptop.sync().verdict == .inSync)
            try await desk.sync()
            #expect(desk.read("a.txt") == "other")
        }
    }

    @Test("At rest, every file is known by its stamp: the next start reads none again")
    func rest() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<20 { try laptop.write("text \(number)", to: "\(number).txt") }
            for device in [laptop, desk] {
                try await device.sync()
                let counts = try device.inState { db in
                    try ["local", "local WHERE settled = 0", "sent"].map {
                        try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")
                    }
                }
                #expect(counts == [20, 0, 0])
            }
        }
    }

    /// Gives the stored row the stamp that the file has now, as if both writes had come in one tick.
    private static func pretendUnchanged(_ path: String, _ device: CrashDevice) throws {
        var status = stat()
        guard stat(device.folder.appending(path).string, &status) == 0 else { throw CocoaError(.fileReadUnknown) }
        try device.inState { db in
            try db.execute(
                sql: "UPDATE local SET inode = ?, size_bytes = ?, modified_ns = ?, changed_ns = ?",
                arguments: [
                    Int64(bitPattern: UInt64(status.st_ino)), Int64(status.st_size), nanoseconds(status.st_mtim),
                    nanoseconds(status.st_ctim),
                ])
            #expect(db.changesCount == 1)
        }
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
