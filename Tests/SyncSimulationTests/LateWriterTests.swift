import FolderWriting
import LocalFolder
import SyncModel
import Synchronization
import SystemPackage
import Testing

@testable import SyncSimulation

@Suite("What a program writes into a file that was replaced")
final class LateWriterTests: Sendable {
    private let time = SimulatedTime()
    private let path = FolderPath("a.txt")!
    /// Whether the disk refuses everything.
    private let isFailing = Mutex(false)

    /// A folder whose `a.txt` some program still had open when it was replaced, and now writes into.
    private func writtenLate() throws -> (FolderWriter, SimulatedDisk) {
        let disk = SimulatedDisk(time: time)
        let now = time.wall
        let inode = try disk.act { state throws(Errno) -> DiskTree.Inode in
            _ = try state.tree.make(
                SimulatedDisk.stateName, in: DiskTree.root, isDirectory: true, mode: 0o700, now: now)
            let file = try state.make(path, now: now)
            try state.tree.change(file.inode, now: now) { $0.bytes = Array("old".utf8) }
            state.tree.setWriters(1, of: file.inode)
            return file.inode
        }
        time.advance(to: .seconds(1))
        let calls = DeviceDisk(disk, random: SeededRandom(seed: 1)) { _ throws(Errno) in
            if self.isFailing.withLock(\.self) { throw .permissionDenied }
        }
        let root = try FolderRoot(opening: "/folder", on: calls)
        let writer = try FolderWriter(root: root, device: "desk", clock: { [time] in time.wall })
        let scan = FolderScanner(root: root, rules: IgnoreRules()).scan(.whole, now: time.wall, previous: { _ in nil })
        let seen = try #require(scan.files.first)
        let outcome = try writer.replace(path, with: writer.stage("new".utf8), expecting: seen.stamp, seen.hash)
        guard case .done = outcome else {
            Issue.record("\(outcome)")
            return (writer, disk)
        }
        disk.act { state in
            try? state.tree.change(inode, now: now) { $0.bytes = Array("late".utf8) }
            state.tree.setWriters(0, of: inode)
        }
        return (writer, disk)
    }

    @Test("A disk that cannot be read for a while hides it, and does not let it be forgotten")
    func unreadable() throws {
        let (writer, disk) = try writtenLate()
        isFailing.withLock { $0 = true }
        #expect(writer.lateWriters.check(now: time.wall).isEmpty)
        #expect(!writer.lateWriters.isEmpty)
        isFailing.withLock { $0 = false }
        let late = try #require(writer.lateWriters.check(now: time.wall).first)
        let copy = try writer.keepConflictCopy(of: late)
        #expect(disk.files()[copy] == Array("late".utf8))
        #expect(disk.files()[path] == Array("new".utf8))
    }

    @Test("Where it cannot be put beside its path, it is told of again until it is")
    func again() throws {
        let (writer, _) = try writtenLate()
        let late = try #require(writer.lateWriters.check(now: time.wall).first)
        isFailing.withLock { $0 = true }
        #expect(throws: FolderError.self) { try writer.keepConflictCopy(of: late) }
        writer.lateWriters.watchAgain(late, now: time.wall)
        isFailing.withLock { $0 = false }
        time.advance(to: .seconds(60))
        #expect(writer.lateWriters.check(now: time.wall).contains { $0.hash == late.hash })
        #expect(writer.lateWriters.check(now: time.wall).isEmpty)
    }
}
