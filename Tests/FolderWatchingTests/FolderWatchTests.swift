import FolderWatching
import Foundation
import SyncModel
import Testing

/// A folder of its own under the temporary directory.
private struct TemporaryFolder: ~Copyable {
    let url: URL
    init() throws {
        url = URL(fileURLWithPath: "/tmp/watch-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    var bytes: [UInt8] { Array(url.path.utf8) }
    func make(_ path: String) throws {
        try FileManager.default.createDirectory(at: url.appending(path: path), withIntermediateDirectories: true)
    }
    func write(_ path: String) throws { try Data("x".utf8).write(to: url.appending(path: path)) }
    func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(at: url.appending(path: from), to: url.appending(path: to))
    }
}

/// A folder that is watched, with the events that came and were not read yet.
private struct WatchedFolder {
    let watch: FolderWatch
    let events: AsyncStream<[WatchEvent]>

    init(_ path: [UInt8]) throws {
        let (events, received) = AsyncStream.makeStream(of: [WatchEvent].self)
        watch = try FolderWatcher.shared().begin(folder: path) { received.yield($0) }
        self.events = events
    }
}

/// Reads on until an event is there. The deadline only ends a test that has failed already.
private func first(
    _ folder: WatchedFolder, where matches: @escaping @Sendable (WatchEvent) -> Bool
) async -> WatchEvent? {
    await withTaskGroup(of: WatchEvent?.self) { group in
        group.addTask {
            for await batch in folder.events {
                if let found = batch.first(where: matches) { return found }
            }
            return nil
        }
        group.addTask {
            try? await Task.sleep(for: .seconds(120))
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}

private func isChange(_ kind: PathChange.Kind, _ path: String) -> @Sendable (WatchEvent) -> Bool {
    let path = FolderPath(path)
    return {
        if case .changed(let change) = $0 { change.kind == kind && change.path == path } else { false }
    }
}

@Suite("Watching real folders", .serialized)
struct FolderWatchTests {
    @Test("A closed file, a cookie, and nothing else of the state directory")
    func eventsOfAFolder() async throws {
        let folder = try TemporaryFolder()
        try folder.make(".zonefolder/cookies")
        let watched = try WatchedFolder(folder.bytes)
        let watch = watched.watch
        #expect(watch.watch(nil) == .watched)
        #expect(watch.watchCookies(in: FolderPath(".zonefolder/cookies")!) == .watched)
        try folder.write("a")
        try folder.write(".zonefolder/cookies/c1")
        var seen: [WatchEvent] = []
        read: for await batch in watched.events {
            seen += batch
            for event in batch { if case .cookie = event { break read } }
        }
        #expect(seen.contains(.cookie(Array("c1".utf8))))
        // A process that another test starts just then holds the file open a moment longer.
        if !seen.contains(where: isChange(.closedAfterWrite, "a")) {
            #expect(await first(watched, where: isChange(.closedAfterWrite, "a")) != nil)
        }
        for case .changed(let change) in seen { #expect(change.path?.bytes.starts(with: Array(".zone".utf8)) != true) }
    }

    @Test("That the state directory is gone is told as a change of the folder itself, also while it is open here")
    func stateDirectoryGone() async throws {
        let folder = try TemporaryFolder()
        try folder.make(".zonefolder/cookies")
        let cookies = open(folder.url.appending(path: ".zonefolder/cookies").path, O_RDONLY | O_DIRECTORY)
        #expect(cookies >= 0)
        defer { close(cookies) }
        let watched = try WatchedFolder(folder.bytes)
        #expect(watched.watch.watch(nil) == .watched)
        #expect(watched.watch.watchCookies(in: FolderPath(".zonefolder/cookies")!) == .watched)
        try FileManager.default.removeItem(at: folder.url.appending(path: ".zonefolder"))
        let event = await first(watched) { if case .changed(let change) = $0 { change.path == nil } else { false } }
        #expect(event != nil)
    }

    @Test("A moved directory's events come under its new name, with no scan in between")
    func movedDirectory() async throws {
        let folder = try TemporaryFolder()
        try folder.make("d/e")
        let watched = try WatchedFolder(folder.bytes)
        let watch = watched.watch
        for path in [nil, FolderPath("d"), FolderPath("d/e")] { #expect(watch.watch(path) == .watched) }
        try folder.move("d", "n")
        try folder.write("n/e/f")
        #expect(await first(watched, where: isChange(.closedAfterWrite, "n/e/f")) != nil)
        #expect(watch.coverage.watched == 3)
    }

    @Test("A directory made again in the place of another is watched again")
    func recreatedDirectory() async throws {
        let folder = try TemporaryFolder()
        let watched = try WatchedFolder(folder.bytes)
        let watch = watched.watch
        #expect(watch.watch(nil) == .watched)
        for round in 0..<5 {
            try folder.make("d")
            #expect(await first(watched, where: isChange(.created, "d")) != nil)
            #expect(watch.watch(FolderPath("d")) == .watched)
            try folder.write("d/f\(round)")
            #expect(await first(watched, where: isChange(.closedAfterWrite, "d/f\(round)")) != nil)
            try FileManager.default.removeItem(at: folder.url.appending(path: "d"))
            #expect(await first(watched, where: isChange(.deleted, "d")) != nil)
        }
    }

    @Test("A queue that overflows asks for everything, and watching goes on (invariant 21)")
    func overflow() async throws {
        let folder = try TemporaryFolder()
        let watcher = try FolderWatcher.shared()
        let watched = try WatchedFolder(folder.bytes)
        let watch = watched.watch
        #expect(watch.watch(nil) == .watched)
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = (Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 16_384) / 2 + 100
        try watcher.whilePaused { for number in 0..<count { try folder.write("f\(number)") } }
        #expect(await first(watched) { $0 == .overflow } != nil)
        try folder.write("after")
        #expect(await first(watched, where: isChange(.closedAfterWrite, "after")) != nil)
    }

    @Test("A folder that is moved away is gone")
    func rootMoved() async throws {
        let folder = try TemporaryFolder()
        try folder.make("root")
        let watched = try WatchedFolder(folder.bytes + Array("/root".utf8))
        let watch = watched.watch
        #expect(watch.watch(nil) == .watched)
        try folder.move("root", "other")
        #expect(await first(watched) { $0 == .rootGone } != nil)
        #expect(watch.coverage.watched == 0)
        #expect(watch.watch(nil) == .absent)
    }

    @Test("20,000 directories are watched; watching them again changes nothing")
    func manyDirectories() throws {
        let folder = try TemporaryFolder()
        let paths = (0..<20_000).map { FolderPath("d\($0 / 200)/e\($0 % 200)")! }
        for path in paths { try folder.make(path.text!) }
        let watch = try WatchedFolder(folder.bytes).watch
        let start = ContinuousClock.now
        for path in paths { #expect(watch.watch(path) == .watched) }
        print("20,000 watches:", start.duration(to: .now))
        #expect(watch.coverage.watched == 20_000)
        for path in paths { _ = watch.watch(path) }
        #expect(watch.coverage.watched == 20_000)
    }
}
