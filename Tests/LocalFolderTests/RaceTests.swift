import Glibc
import LocalFolder
import SeededRandomness
import SyncModel
import Synchronization
import SystemPackage
import Testing

@testable import FolderWriting

/// A person saves while a remote change is being written: whatever the order of the two, nobody's bytes are lost
/// (reliability.md, invariants 1 and 3).
@Suite("Races with saves", .serialized)
struct RaceTests {
    enum Save: CaseIterable, Sendable {
        /// A new file, renamed over the old one.
        case rename
        /// As the shell's `>`.
        case truncate
        /// Opened before, written in place later, in two pieces.
        case inPlace
        case deleteAndCreate
    }

    enum Change: CaseIterable, Sendable {
        case replace, delete, move
    }

    @Test("A save during a remote change survives it", arguments: Save.allCases, Change.allCases)
    func hammer(save: Save, change: Change) throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        var random = SeededGenerator(seed: 7)
        var counts: [String: Int] = [:]
        for round in 0..<200 {
            let path: FolderPath = "d/f"
            for name in listTree(folder.absolute("d")) { folder.remove("d/\(name)") }
            // So that the directory is not emptied under the person's hands.
            try folder.write("keeper", to: "d/keeper")
            try folder.write("old \(round)", to: "d/f")
            let file = try folder.file("d/f")
            let staged = try writer.stage(Array("remote \(round)".utf8))
            let saved = "saved \(round)"
            let spins = Int.random(in: 0..<6000, using: &random)
            let delay = Int.random(in: 0..<6000, using: &random)
            let gate = Atomic(0)
            let other = OwnThread {
                gate.add(1, ordering: .sequentiallyConsistent)
                while gate.load(ordering: .sequentiallyConsistent) < 2 {}
                spin(spins)
                Self.perform(save, saved, folder, spins)
            }
            gate.add(1, ordering: .sequentiallyConsistent)
            while gate.load(ordering: .sequentiallyConsistent) < 2 {}
            spin(delay)
            let outcome =
                switch change {
                case .replace: try writer.replace(path, with: staged, expecting: file.stamp, file.hash)
                case .delete: try writer.delete(path, expecting: file.stamp, file.hash)
                case .move: try writer.move(path, to: "d/g", expecting: file.stamp, file.hash)
                }
            other.join()

            // Never partial: what stands at the path is a whole version.
            let current = folder.read("d/f")
            let whole: [String?] = [nil, "old \(round)", "remote \(round)", saved, ""]
            #expect(whole.contains(current), "\(current ?? "nothing")")
            var kept = listTree(folder.absolute("d")).compactMap { folder.read("d/\($0)") }
            let isVisible = kept.contains(saved)
            let late = writer.lateWriters.check(now: now())
            for write in late { _ = try writer.keepConflictCopy(of: write) }
            kept = listTree(folder.absolute("d")).compactMap { folder.read("d/\($0)") }
            kept += folder.historyContents()
            #expect(kept.contains(saved), "\(save) during \(change), round \(round): \(outcome)")
            if outcome.isDone, change == .replace {
                #expect(current == "remote \(round)" || current == saved)
            }
            counts["\(outcome.isDone ? "done" : "superseded")\(isVisible ? "" : ", late")", default: 0] += 1
            if round % 50 == 49 { folder.remove(".zonefolder/history/" + (firstBucket(of: folder) ?? "none")) }
        }
        #expect(counts.values.reduce(0, +) == 200)
    }

    private func firstBucket(of folder: TemporaryFolder) -> String? {
        listTree(folder.absolute(".zonefolder/history")).first.map { String($0.dropLast()) }
    }

    private static func perform(_ save: Save, _ text: String, _ folder: TemporaryFolder, _ pause: Int) {
        switch save {
        case .rename:
            try? folder.save(text, over: "d/f")
        case .truncate:
            let file = open(folder.absolute("d/f"), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            spin(pause / 2)
            _ = write(file, text, text.utf8.count)
            close(file)
        case .inPlace:
            let file = open(folder.absolute("d/f"), O_WRONLY | O_CREAT, 0o644)
            spin(pause / 2)
            ftruncate(file, 0)
            let half = text.utf8.count / 2
            _ = pwrite(file, text, half, 0)
            spin(pause / 2)
            _ = pwrite(file, String(text.dropFirst(half)), text.utf8.count - half, off_t(half))
            close(file)
        case .deleteAndCreate:
            unlink(folder.absolute("d/f"))
            spin(pause / 2)
            try? writeFile(folder.absolute("d/f"), Array(text.utf8))
        }
    }

    @Test("A reader sees the old file or the new one, whole, and never none")
    func readers() throws {
        let folder = try TemporaryFolder()
        let writer = try folder.writer()
        let texts = [String(repeating: "a", count: 5000), String(repeating: "b", count: 9000)]
        try folder.write(texts[0], to: "f")
        let isOver = Atomic(false)
        let bad = Mutex<[String]>([])
        let other = OwnThread {
            while !isOver.load(ordering: .relaxed) {
                let seen = folder.read("f")
                if seen.map(texts.contains) != true { bad.withLock { $0.append(seen ?? "nothing") } }
            }
        }
        for round in 1...300 {
            let file = try folder.file("f")
            let staged = try writer.stage(Array(texts[round % 2].utf8))
            #expect(try writer.replace("f", with: staged, expecting: file.stamp, file.hash).isDone)
        }
        isOver.store(true, ordering: .relaxed)
        other.join()
        #expect(bad.withLock { $0 }.isEmpty)
    }

    @Test("Directories that turn into links under a write lead it nowhere")
    func swappedDirectories() throws {
        let folder = try TemporaryFolder()
        let outside = try TemporaryFolder()
        try outside.write("outside", to: "f")
        try folder.makeDirectories("real")
        let writer = try folder.writer()
        let isOver = Atomic(false)
        let other = OwnThread {
            while !isOver.load(ordering: .relaxed) {
                rename(folder.absolute("real"), folder.absolute("aside"))
                symlink(outside.path, folder.absolute("real"))
                unlink(folder.absolute("real"))
                rename(folder.absolute("aside"), folder.absolute("real"))
            }
        }
        for round in 0..<500 {
            let path = try #require(FolderPath("real/f\(round)"))
            _ = try? writer.create(path, writer.stage([1]))
            _ = folder.scan(.paths([path]))
        }
        isOver.store(true, ordering: .relaxed)
        other.join()
        #expect(outside.tree() == ["f"])
    }
}

/// Some time that is too short to sleep.
@Sendable private func spin(_ count: Int) {
    let sink = Atomic(0)
    for _ in 0..<count { sink.add(1, ordering: .relaxed) }
}
