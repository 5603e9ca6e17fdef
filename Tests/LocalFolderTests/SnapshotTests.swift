import Foundation
import LocalFolder
import SyncModel
import Synchronization
import Testing

@Suite("A copy of a file that never rests")
struct SnapshotTests {
    private static func text(of snapshot: FileSnapshot) throws -> String {
        let reader = try snapshot.file.open(as: "copy")
        var bytes: [UInt8] = []
        while let piece = try reader.next() { bytes += piece }
        #expect(try reader.finish() == .unchanged(snapshot.hash))
        #expect(bytes.count == snapshot.stamp.size)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("A file at rest is copied as it is, and nothing of the copy is left once nobody needs it")
    func atRest() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        for text in ["", "one", String(repeating: "long ", count: 200_000)] {
            try folder.write(text, to: "a.txt")
            var snapshot = try writer.snapshot(of: "a.txt")
            let copy = try #require(snapshot)
            #expect(try Self.text(of: copy) == text)
            #expect(copy.hash == (try folder.file("a.txt")).hash)
            #expect(copy.stamp == (try folder.file("a.txt")).stamp)
            snapshot = nil
        }
        #expect(folder.staged().isEmpty)
        #expect(try writer.snapshot(of: "no.txt") == nil)
    }

    @Test("A file that grows all the time is copied as it was at one moment")
    func growing() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        let start = String(repeating: "a line that was there before\n", count: 40_000)
        try folder.write(start, to: "a.log")
        let log = try #require(FileHandle(forWritingAtPath: folder.absolute("a.log")))
        try log.seekToEnd()
        let program = Program(appendingTo: log)
        var copies: [String] = []
        for _ in 0..<20 {
            if let copy = try writer.snapshot(of: "a.log") { copies.append(try Self.text(of: copy)) }
        }
        let count = program.stop()
        #expect(count > 0 && copies.count == 20)
        let all = start + (0..<count).map { "line \($0)\n" }.joined()
        for copy in copies { #expect(all.hasPrefix(copy) && copy.utf8.count >= start.utf8.count) }
    }

    /// Appends to a file without a pause, on a thread of its own: the tests' threads are few.
    private final class Program: Sendable {
        private let isOver = Mutex(false)
        private let written = Mutex(0)
        private let hasBegun = DispatchSemaphore(value: 0)
        private let hasEnded = DispatchSemaphore(value: 0)

        /// Has written something when it returns.
        init(appendingTo log: FileHandle) {
            let thread = Thread { [self] in
                while !isOver.withLock(\.self) {
                    let count = written.withLock(\.self)
                    guard (try? log.write(contentsOf: Data("line \(count)\n".utf8))) != nil else { break }
                    written.withLock { $0 += 1 }
                    if count == 0 { hasBegun.signal() }
                }
                hasEnded.signal()
            }
            thread.start()
            hasBegun.wait()
        }

        /// How many lines it has written in all.
        func stop() -> Int {
            isOver.withLock { $0 = true }
            hasEnded.wait()
            return written.withLock(\.self)
        }
    }
}
