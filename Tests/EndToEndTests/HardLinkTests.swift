import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("What no event tells of, as a person sees it", .timeLimit(.minutes(30)))
struct HardLinkTests {
    private static func append(_ text: String, to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    @Test("A file written through its name in another directory is sent under each of its names, and stays no conflict")
    func otherName() async throws {
        let pair = try await RealPair()
        let (laptop, desk) = (pair.laptop, pair.desk)
        try await pair.share("one\n", as: "docs/a.txt")
        try FileManager.default.createDirectory(atPath: laptop.path + "/deep", withIntermediateDirectories: true)
        guard link(laptop.path + "/docs/a.txt", laptop.path + "/deep/b.txt") == 0 else { throw TestFailure("no link") }
        #expect(try await eventually { desk.read("deep/b.txt") == "one\n" })
        try Self.append("two\n", to: laptop.path + "/deep/b.txt")
        for name in ["docs/a.txt", "deep/b.txt"] {
            #expect(try await eventually { desk.read(name) == "one\ntwo\n" }, "\(name)")
        }
        try desk.write("from the desk\n", to: "docs/a.txt")
        #expect(try await eventually { laptop.read("docs/a.txt") == "from the desk\n" })
        try await pair.settle()
        #expect(try laptop.copies().isEmpty && desk.copies().isEmpty)
        #expect(laptop.read("deep/b.txt") == "one\ntwo\n")
    }

    @Test("What was written through a name outside the folder is found by `status --wait`, which says when it looked")
    func nameOutside() async throws {
        let pair = try await RealPair()
        let (laptop, desk) = (pair.laptop, pair.desk)
        try await pair.share("one\n", as: "a.txt")
        let outside = pair.world.place.path + "/outside"
        guard link(laptop.path + "/a.txt", outside) == 0 else { throw TestFailure("no link") }
        try await pair.settle()
        try Self.append("two\n", to: outside)
        let answer = try await RealProgram.run("status", laptop.path, "--wait=60")
        #expect(answer.status == 0 && answer.output.contains("looked"), "\(answer.output)")
        #expect(try await eventually { desk.read("a.txt") == "one\ntwo\n" })
    }

    @Test("A file that is appended to every 10 ms arrives as it stood, again and again, and whole in the end")
    func neverRests() async throws {
        let pair = try await RealPair()
        let (laptop, desk) = (pair.laptop, pair.desk)
        let path = laptop.path + "/a.log"
        try laptop.write("", to: "a.log")
        let isOver = Mutex(false)
        let writer = Task.detached {
            var count = 0
            while !isOver.withLock(\.self) {
                // As a shell does with `>>`: each time it is closed.
                try Self.append("line \(count)\n", to: path)
                count += 1
                try await Task.sleep(for: .milliseconds(10))
            }
            return count
        }
        // Its empty beginning may have got through.
        let began = ContinuousClock.now
        #expect(try await eventually { desk.read("a.log")?.isEmpty == false })
        let first = desk.read("a.log") ?? ""
        print("the first version came after \(ContinuousClock.now - began)")
        #expect(try await eventually { desk.read("a.log") != first })
        print("the second one after \(ContinuousClock.now - began)")
        isOver.withLock { $0 = true }
        let count = try await writer.value
        let whole = (0..<count).map { "line \($0)\n" }.joined()
        #expect(whole.hasPrefix(first))
        #expect(try await eventually { desk.read("a.log") == whole })
        try await pair.settle()
        #expect(try laptop.copies().isEmpty && desk.copies().isEmpty)
    }
}
