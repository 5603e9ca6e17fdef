import FolderWriting
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
            program.goOn()
            if let copy = try writer.snapshot(of: "a.log") { copies.append(try Self.text(of: copy)) }
        }
        let count = program.stop()
        #expect(count > 0 && copies.count == 20)
        let all = start + (0..<count).map { "line \($0)\n" }.joined()
        for copy in copies { #expect(all.hasPrefix(copy) && copy.utf8.count >= start.utf8.count) }
    }

    /// Appends lines without a pause, on a thread of its own: the tests' threads are few. However slow the machine is that
    /// copies them, they are no more than so many for each time that it is told to go on.
    private final class Program: Sendable {
        private static let linesEachTime = 5000
        private let isOver = Mutex(false)
        private let written = Mutex(0)
        private let hasBegun = DispatchSemaphore(value: 0)
        private let mayGoOn = DispatchSemaphore(value: 0)
        private let hasEnded = DispatchSemaphore(value: 0)

        init(appendingTo log: FileHandle) {
            let thread = Thread { [self] in
                while !isOver.withLock(\.self) {
                    mayGoOn.wait()
                    append(to: log)
                }
                hasEnded.signal()
            }
            thread.start()
        }

        private func append(to log: FileHandle) {
            for line in 0..<Self.linesEachTime where !isOver.withLock(\.self) {
                let count = written.withLock(\.self)
                let isWritten = (try? log.write(contentsOf: Data("line \(count)\n".utf8))) != nil
                written.withLock { $0 += isWritten ? 1 : 0 }
                if line == 0 { hasBegun.signal() }
            }
        }

        /// It has tried to write something more when this returns.
        func goOn() {
            mayGoOn.signal()
            hasBegun.wait()
        }

        /// How many lines it has written in all.
        func stop() -> Int {
            isOver.withLock { $0 = true }
            mayGoOn.signal()
            hasEnded.wait()
            return written.withLock(\.self)
        }
    }
}
