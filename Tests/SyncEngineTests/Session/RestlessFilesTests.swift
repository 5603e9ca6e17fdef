import FolderControl
import Foundation
import StateStorage
import SyncModel
import SyncTiming
import Synchronization
import SystemPackage
import Testing

@testable import FolderObserving
@testable import SyncEngine

@Suite("A file that never rests", .timeLimit(.minutes(30)))
struct RestlessFilesTests {
    private static let path = FolderPath("a.log")!

    @Test("One that no look finds at rest counts as such after a while, and one that rests in between does not")
    func looks() {
        let files = RestlessFiles()
        for second in 0..<4 { files.foundUnsettled(Self.path, now: SteadyInstant.at(second)) }
        #expect(!files.neverRests(Self.path, now: SteadyInstant.at(4)))
        #expect(files.neverRests(Self.path, now: SteadyInstant.at(5)))
        #expect(files.neverResting(now: SteadyInstant.at(5)) == [Self.path])
        files.foundSettled(Self.path, isAgreed: false, isOld: false)
        files.foundUnsettled(Self.path, now: SteadyInstant.at(6))
        #expect(!files.neverRests(Self.path, now: SteadyInstant.at(10)))
        #expect(files.neverRests(Self.path, now: SteadyInstant.at(11)))
    }

    @Test(
        "One that rests at each look and is another one each time it is to be sent counts as such until the zone has it"
    )
    func overtaken() {
        let files = RestlessFiles()
        files.overtaken(Self.path, now: SteadyInstant.at(0))
        files.foundSettled(Self.path, isAgreed: false, isOld: true)
        files.overtaken(Self.path, now: SteadyInstant.at(4))
        #expect(!files.neverRests(Self.path, now: SteadyInstant.at(4)))
        #expect(files.neverRests(Self.path, now: SteadyInstant.at(5)))
        files.foundSettled(Self.path, isAgreed: true, isOld: false)
        #expect(!files.neverRests(Self.path, now: SteadyInstant.at(100)))
    }

    @Test("A copy goes out each 30 s, and at once when the file has come to rest")
    func pace() {
        let files = RestlessFiles()
        files.foundUnsettled(Self.path, now: SteadyInstant.at(0))
        files.overtaken(Self.path, now: SteadyInstant.at(0))
        #expect(files.due(Self.path) == nil)
        files.copied(Self.path, now: SteadyInstant.at(7))
        #expect(files.due(Self.path) == SteadyInstant.at(37))
        files.foundSettled(Self.path, isAgreed: false, isOld: false)
        #expect(files.due(Self.path) == SteadyInstant.at(37))
        files.foundSettled(Self.path, isAgreed: false, isOld: true)
        #expect(files.due(Self.path) == nil && files.neverRests(Self.path, now: SteadyInstant.at(8)))
    }

    @Test("The next look comes after half the time for which it has not rested, and at once after it has")
    func delays() {
        let files = RestlessFiles()
        #expect(files.delay(for: Self.path, now: SteadyInstant.at(0)) == .milliseconds(30))
        files.foundUnsettled(Self.path, now: SteadyInstant.at(0))
        files.foundUnsettled(Self.path, now: SteadyInstant.at(1))
        let delays = [0, 1, 4, 10, 1000].map { files.delay(for: Self.path, now: SteadyInstant.at($0)) }
        #expect(delays == [.milliseconds(30), .milliseconds(500), .seconds(2), .seconds(5), .seconds(8)])
        files.foundSettled(Self.path, isAgreed: false, isOld: false)
        #expect(files.delay(for: Self.path, now: SteadyInstant.at(1000)) == .milliseconds(30))
    }

    @Test("A file that grows whenever it is read arrives as it stood, again each 30 s, and whole in the end")
    func arrives() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("begin\n", to: "a.log")
            try laptop.write("text", to: "b.txt")
            let file = laptop.folder.appending("a.log").string
            let disk = WatchedDisk(of: laptop.folder)
            let count = Mutex(0)
            disk.afterReading("a.log") {
                guard let log = FileHandle(forWritingAtPath: file), (try? log.seekToEnd()) != nil else { return }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                try? log.write(contentsOf: Data("line \(number)\n".utf8))
                try? log.close()
            }
            let passed = Mutex(Duration.zero)
            let clock = SessionClock(wall: SessionClock.system.wall, steady: { passed.withLock(\.self) })
            let (session, store) = try laptop.start(clock: clock, disk: disk)
            func run(seconds: Int) async throws -> Set<String> {
                var versions: Set<String> = []
                for _ in 0..<seconds {
                    await session.cycle()
                    passed.withLock { $0 += .seconds(1) }
                    await session.cycle()
                    try await desk.sync()
                    if let text = desk.read("a.log") { versions.insert(text) }
                }
                return versions
            }
            let early = try await run(seconds: 3)
            #expect(early.isEmpty && desk.read("b.txt") == "text")
            let first = try await run(seconds: 10)
            #expect(first.count == 1)
            let later = try await run(seconds: 30)
            #expect(later.count == 2)
            let whole = try #require(laptop.read("a.log"))
            for text in later { #expect(text.hasPrefix("begin\n") && whole.hasPrefix(text)) }
            #expect(try await session.report(daemon: nil, watch: nil).verdict != .inSync)

            disk.afterReading("a.log") {}
            _ = try await run(seconds: 35)
            #expect(desk.read("a.log") == laptop.read("a.log"))
            #expect(try await session.report(daemon: nil, watch: nil).verdict == .inSync)
            #expect(try await desk.sync().conflicts.isEmpty)
            try store.close()
        }
    }

    @Test(
        "Where no copy of it can be made, a person is told why, and it arrives once one can",
        arguments: [Errno.noSpace, .diskQuotaExceeded, .ioError, .readOnlyFileSystem])
    func noCopy(error: Errno) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("begin\n", to: "a.log")
            let file = laptop.folder.appending("a.log").string
            let disk = WatchedDisk(of: laptop.folder)
            disk.afterReading("a.log") {
                guard let log = FileHandle(forWritingAtPath: file), (try? log.seekToEnd()) != nil else { return }
                try? log.write(contentsOf: Data("line\n".utf8))
                try? log.close()
            }
            disk.failWrites(with: error)
            let time = SkippedTime()
            let (session, store) = try laptop.start(clock: time.clock, disk: disk)
            var told: Set<String> = []
            for _ in 0..<15 {
                await session.cycle()
                told.formUnion(try await session.report(daemon: nil, watch: nil).held.map(\.code))
                time.skip(.seconds(1))
            }
            let isFull = error == .noSpace || error == .diskQuotaExceeded
            #expect(told.contains(isFull ? "diskFull" : "pathBlocked"), "\(told)")
            disk.failWrites(with: nil)
            for _ in 0..<70 {
                time.skip(.seconds(1))
                await session.cycle()
            }
            try store.close()
            try await desk.sync()
            #expect(desk.read("a.log")?.hasPrefix("begin\nline\n") == true)
        }
    }
}
