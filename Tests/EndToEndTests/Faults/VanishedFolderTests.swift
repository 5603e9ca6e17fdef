import Foundation
import Testing

/// Absence is not deletion (reliability §2, invariant 16).
@Suite("A folder that vanishes", .timeLimit(.minutes(30)))
struct VanishedFolderTests {
    /// More than may be deleted without a question.
    private static let count = 40

    enum Disk: CaseIterable, Sendable { case loopDevice, bind }

    @Test(
        "Unmounted while the daemon runs, and mounted again: nothing is deleted anywhere, and it goes on by itself",
        .enabled(if: PrivateMounts.isPossible, "needs root and mount namespaces"), arguments: Disk.allCases)
    func unmounted(disk: Disk) async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let mounts = try await PrivateMounts()
        let mount: [String]
        switch disk {
        case .loopDevice:
            let image = world.place.appending(path: "image").path
            try await mounts.must("truncate", "-s", "16M", image)
            try await mounts.must("mkfs.ext4", "-q", "-F", "-m", "0", image)
            mount = ["-o", "loop", image]
        case .bind:
            let other = world.place.appending(path: "disk").path
            try await mounts.must("mkdir", other)
            try await mounts.must("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", other)
            mount = ["--bind", other]
        }
        let desk: MountedFolder
        do {
            desk = try await world.addFolder("desk", in: mounts, mount: mount)
        } catch let error as TestFailure where disk == .loopDevice && error.description.hasPrefix("mount:") {
            print("no loop devices here: \(error)")
            return
        }
        for number in 0..<Self.count { try laptop.write("first \(number)\n", to: "f\(number).txt") }
        try await laptop.sync()
        let daemon = try desk.run()
        #expect(try await eventually { desk.files.read("f\(Self.count - 1).txt") != nil })
        #expect(try await desk.report("--wait=120").verdict == "in-sync")

        // As a disk that is pulled: the daemon still has it open.
        try await mounts.must("umount", "-l", desk.path)
        #expect(try desk.files.contents().isEmpty)
        try laptop.write("second\n", to: "f0.txt")
        try await laptop.sync()
        #expect(try await eventually { daemon.errors.contains("Nothing is done until the folder is back") })
        let gone = try await mounts.run([RealProgram.executable.path, "status", desk.path])
        #expect(gone.status != 0 && gone.errors.contains("unmounted"), "\(gone.errors)")
        #expect(try desk.files.contents().isEmpty, "something was written where the folder is not")

        try await mounts.must(words: ["mount"] + mount + [desk.path])
        #expect(try await eventually { desk.files.read("f0.txt") == "second\n" })
        #expect(try await desk.report("--wait=120").verdict == "in-sync")
        try desk.files.write("third\n", to: "f1.txt")
        #expect(try await desk.report("--wait=120").verdict == "in-sync")
        try await laptop.sync()
        #expect(laptop.read("f1.txt") == "third\n")
        let (here, there) = (try laptop.contents(), try desk.files.contents())
        #expect(Difference(here, there).unequal.isEmpty && here.count == Self.count)
        #expect(try StateHonesty.living(in: world) == Self.count)
        #expect(daemon.isRunning)
    }

    @Test("Its marker is lost while the daemon runs: nothing is deleted anywhere until a person says so")
    func lostMarker() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: Self.count)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")

        let state = desk.url.appending(path: ".zonefolder")
        let away = world.place.appending(path: "away")
        try FileManager.default.moveItem(at: state, to: away)
        for number in 0..<Self.count - 1 { try desk.delete("f\(number).txt") }
        #expect(try await eventually { daemon.errors.contains("Nothing is done until the folder is back") })
        let gone = try await RealProgram.run("status", desk.path)
        #expect(gone.status == 78, "\(gone.output) \(gone.errors)")
        #expect(try StateHonesty.living(in: world) == Self.count)

        // With the marker it is the folder again, and so many deletions are asked about.
        try FileManager.default.moveItem(at: away, to: state)
        #expect(try await desk.settledVerdict() == "attention")
        #expect(try await RealProgram.run("status", desk.path).status == 7)
        #expect(try StateHonesty.living(in: world) == Self.count)
        try await laptop.sync()
        #expect(try laptop.contents().count == Self.count)
        #expect(daemon.isRunning)
    }

    @Test(
        "Its state directory is removed while the daemon runs: that ends, and has no part in what is set up there anew")
    func removedState() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: 2)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")

        let state = desk.url.appending(path: ".zonefolder")
        let kept = world.place.appending(path: "kept")
        for name in ["config.toml", "credentials"] {
            try? FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: state.appending(path: name), to: kept.appending(path: name))
        }
        try FileManager.default.removeItem(at: state)
        // As the next one is set up at once.
        try FileManager.default.copyItem(at: kept, to: state)
        try desk.write("private\n", to: "own.txt")
        #expect(try await eventually { !daemon.isRunning })
        #expect(daemon.errors.contains("is not synced any more: its state directory was removed or replaced"))
        try await laptop.sync()
        #expect(try laptop.contents().count == 2, "a daemon that nobody reaches any more sends nothing")
        #expect(try desk.contents().count == 3)

        #expect(try await desk.pass().status == 0)
        try await laptop.sync()
        #expect(try laptop.contents() == desk.contents() && desk.copies().isEmpty)
        #expect(try StateHonesty.living(in: world) == 3)
    }

    @Test("A daemon whose state directory is removed ends at once, also where nothing else is done in the folder")
    func removedStateAtRest() async throws {
        let world = try await RealWorld()
        let (_, desk) = try await world.pair(files: 2)
        let daemon = try desk.run()
        try await desk.untilDaemonAnswers(daemon)
        #expect(try await desk.settledVerdict() == "in-sync")
        try FileManager.default.removeItem(at: desk.url.appending(path: ".zonefolder"))
        // It asks the server again after half a minute only.
        #expect(try await eventually(within: .seconds(20)) { !daemon.isRunning })
        #expect(daemon.errors.contains("is not synced any more: its state directory was removed or replaced"))
    }

    @Test("An empty directory in its place is not synced, and an emptied one asks before it deletes anything")
    func emptyRoot() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: Self.count)
        let away = world.place.appending(path: "away")
        try FileManager.default.moveItem(at: desk.url, to: away)
        try FileManager.default.createDirectory(at: desk.url, withIntermediateDirectories: false)
        for command in ["run", "sync", "status"] {
            let outcome = try await RealProgram.run(command, desk.path)
            #expect(outcome.status == 78 && outcome.errors.contains("unmounted"), "\(command): \(outcome)")
        }
        try FileManager.default.removeItem(at: desk.url)
        try FileManager.default.moveItem(at: away, to: desk.url)
        for name in try desk.contents().keys { try desk.delete(name) }
        let outcome = try await desk.pass()
        #expect(outcome.status == 7, "\(outcome.output)")
        #expect(try StateHonesty.living(in: world) == Self.count)
        try await laptop.sync()
        #expect(try laptop.contents().count == Self.count)
    }

    @Test("Its state is lost: what both sides have is known again, what the zone has comes back, nothing is deleted")
    func lostState() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: Self.count)
        for name in try desk.names(in: "").filter({ $0.hasPrefix("state.sqlite") }) {
            try desk.delete(".zonefolder/" + name)
        }
        try desk.delete("f0.txt")
        try desk.write("only here\n", to: "own.txt")
        try await desk.sync()
        try await laptop.sync()
        let expected = try laptop.contents()
        #expect(expected.count == Self.count + 1)
        #expect(try desk.contents() == expected)
        #expect(try StateHonesty.living(in: world) == Self.count + 1)
    }

    @Test("Its state is taken from an older backup: nothing is lost, sent twice or in conflict")
    func oldState() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = try await world.pair(files: Self.count)
        let backup = world.place.appending(path: "backup")
        let state = desk.url.appending(path: ".zonefolder")
        try FileManager.default.copyItem(at: state, to: backup)
        // Both sides go on: edits, a move, a deletion, a new file.
        for number in 1..<6 { try laptop.write("second \(number)\n", to: "f\(number).txt") }
        // The new one first: in the inode of a file that just went it would be taken for that one, renamed.
        try laptop.write("new\n", to: "new.txt")
        try laptop.delete("f6.txt")
        try FileManager.default.moveItem(atPath: laptop.path + "/f7.txt", toPath: laptop.path + "/moved.txt")
        try await laptop.sync()
        try await desk.sync()
        try desk.write("third\n", to: "f8.txt")
        try await desk.sync()

        try FileManager.default.removeItem(at: state)
        try FileManager.default.moveItem(at: backup, to: state)
        try desk.write("fourth\n", to: "f9.txt")
        let expected = try desk.contents()
        for _ in 0..<2 {
            try await desk.sync()
            try await laptop.sync()
        }
        for folder in [desk, laptop] {
            let difference = Difference(try folder.contents(), expected)
            #expect(difference.isEmpty, "\(folder.url.lastPathComponent): \(difference)")
        }
        #expect(try StateHonesty.living(in: world) == expected.count)
    }
}

extension RealWorld {
    /// Two folders in sync that have some files.
    func pair(files count: Int) async throws -> (laptop: RealFolder, desk: RealFolder) {
        let (laptop, desk) = (try await addFolder("laptop"), try await addFolder("desk"))
        for number in 0..<count { try laptop.write("first \(number)\n", to: "f\(number).txt") }
        try await laptop.sync()
        try await desk.sync()
        return (laptop, desk)
    }
}
