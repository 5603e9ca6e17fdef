import FolderControl
import FolderSettings
import GRDB
import StateStorage
import SyncModel
import SystemPackage
import Testing

@testable import SyncEngine

/// What was written into the folder and could not be stored is no edit, however far the zone has moved on (invariants 6, 11).
@Suite("A version that was written and not stored", .timeLimit(.minutes(30)))
struct WrittenTests {
    private static func inState(of device: EngineDevice, _ sql: String) throws {
        let queue = try DatabaseQueue(path: device.folder.appending(".zonefolder/state.sqlite").string)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// The desk writes what came, and cannot store that: the process ends there, or goes on once it can.
    private static func interrupted(
        _ desk: EngineDevice, isRestarted: Bool, by elsewhere: () async throws -> Void
    ) async throws {
        for event in ["INSERT", "UPDATE"] {
            try inState(
                of: desk, "CREATE TRIGGER broken\(event) BEFORE \(event) ON base BEGIN SELECT RAISE(ABORT, 'disk'); END"
            )
        }
        await desk.look()
        for event in ["INSERT", "UPDATE"] { try inState(of: desk, "DROP TRIGGER broken\(event)") }
        try await elsewhere()
        if isRestarted { try desk.restart() } else { desk.pass(.seconds(120)) }
        try await desk.sync()
        desk.pass(.seconds(5))
        try await desk.sync()
    }

    @Test(
        "A number that both sides changed is changed once by each, also where that takes it back",
        arguments: [false, true], [13, 5])
    func counter(isRestarted: Bool, here: Int) async throws {
        try await EngineWorld.run { world in
            let merge = MergePolicies(fields: ["Note": ["visits": .counter]])
            let (laptop, desk) = (
                try world.device("laptop") { $0.merge = merge }, try world.device("desk") { $0.merge = merge }
            )
            try laptop.write(#"{"visits": 10}"#, to: "Note/a.json")
            try await converge(laptop, desk)
            try laptop.write(#"{"visits": 15}"#, to: "Note/a.json")
            try await laptop.sync()
            try desk.write(#"{"visits": \#(here)}"#, to: "Note/a.json")
            let merged = #"{"visits": \#(here + 5)}"#
            try await Self.interrupted(desk, isRestarted: isRestarted) {
                #expect(desk.read("Note/a.json") == merged)
            }
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/a.json": merged])
        }
    }

    @Test(
        "A note's new picture that was put there is no edit where the note has yet another one by now",
        arguments: [false, true])
    func picture(isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let note = #"{"pic": {"$asset": "a.jpg"}}"#
            try laptop.write("first", to: "Note/a.jpg")
            try laptop.write(note, to: "Note/n.json")
            try await converge(laptop, desk)
            try laptop.write("second", to: "Note/a.jpg")
            try await laptop.sync()
            try await Self.interrupted(desk, isRestarted: isRestarted) {
                #expect(desk.read("Note/a.jpg") == "second")
                try laptop.write("third", to: "Note/a.jpg")
                try await laptop.sync()
            }
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "third", "Note/n.json": note])
        }
    }

    @Test("What was deleted elsewhere meanwhile is gone here too", arguments: [false, true])
    func deleted(isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: [
                "Note/a.json": #"{"n": 1}"#, "a.txt": "1", "rest.txt": "1",
            ])
            try laptop.write(#"{"n": 2}"#, to: "Note/a.json")
            try laptop.write("2", to: "a.txt")
            try laptop.write("new", to: "new.txt")
            try await laptop.sync()
            try await Self.interrupted(desk, isRestarted: isRestarted) {
                #expect(desk.read("a.txt") == "2" && desk.read("new.txt") == "new")
                for name in ["Note/a.json", "a.txt", "new.txt"] { try laptop.delete(name) }
                laptop.pass(.seconds(5))
                try await laptop.sync()
                laptop.pass(.seconds(5))
                try await laptop.sync()
            }
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["rest.txt": "1"])
        }
    }

    @Test("What was edited elsewhere meanwhile is received, without a conflict", arguments: [false, true])
    func edited(isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.json": #"{"n": 1}"#, "a.txt": "1"])
            for number in [2, 3] {
                try laptop.write(#"{"n": \#(number)}"#, to: "Note/a.json")
                try laptop.write("\(number)", to: "a.txt")
                if number == 2 { try await laptop.sync() }
            }
            try await Self.interrupted(desk, isRestarted: isRestarted) { try await laptop.sync() }
            #expect(try desk.conflictCopies().isEmpty)
            try await expectInSync(laptop, desk, with: ["Note/a.json": #"{"n": 3}"#, "a.txt": "3"])
        }
    }

    @Test("What the disk cannot keep once it is written is no edit either", arguments: [false, true])
    func notDurable(isRestarted: Bool) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for name in ["a.txt", "rest.txt"] { try laptop.write("1", to: name) }
            try await laptop.sync()
            try await desk.sync()
            try laptop.write("2", to: "a.txt")
            try laptop.write("new", to: "new.txt")
            try await laptop.sync()

            let disk = WatchedDisk(of: desk.folder)
            disk.damage("")
            let time = SkippedTime()
            let (session, store) = try desk.start(clock: time.clock, disk: disk)
            await session.oweDatabaseFetch()
            await session.cycle()
            #expect(desk.read("a.txt") == "2" && desk.read("new.txt") == "new")
            for name in ["a.txt", "new.txt"] { try laptop.delete(name) }
            try await laptop.sync()
            for _ in 0..<2 {
                time.skip(.seconds(120))
                await session.oweEverything()
                await session.oweDatabaseFetch()
                await session.cycle()
                #expect(try await session.report(daemon: nil, watch: nil).verdict == .attention)
            }
            disk.damageNothing()
            if !isRestarted {
                time.skip(.seconds(120))
                await session.settle()
            }
            try store.close()
            #expect(try await desk.sync().verdict == .inSync)
            #expect(desk.files() == ["rest.txt"])
            #expect(try await laptop.sync().verdict == .inSync)
            #expect(laptop.files() == ["rest.txt"])
        }
    }

    @Test("A directory that was renamed elsewhere during a first sync is there once", arguments: [false, true])
    func renamed(isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<5 { try laptop.write("text \(number)", to: "old/\(number).txt") }
            try await laptop.sync()
            let desk = try world.device("desk")
            try await Self.interrupted(desk, isRestarted: isRestarted) {
                #expect(desk.read("old/3.txt") == "text 3")
                try laptop.move("old", to: "new")
                try await laptop.sync()
            }
            try await converge(laptop, desk)
            let files = Dictionary(uniqueKeysWithValues: (0..<5).map { ("new/\($0).txt", "text \($0)") })
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test(
        "Notes that were moved elsewhere are moved as a whole, with the picture that they share",
        arguments: [false, true])
    func movedWithPicture(isRestarted: Bool) async throws {
        try await EngineWorld.run { world in
            let note = #"{"pic": {"$asset": "p.jpg"}}"#
            let (laptop, desk) = try await world.pair(with: [
                "Note/a/1.json": note, "Note/a/2.json": note, "Note/a/p.jpg": "picture",
            ])
            try laptop.move("Note/a", to: "Note/b")
            try await laptop.sync()
            try await Self.interrupted(desk, isRestarted: isRestarted) {
                #expect(desk.read("Note/b/1.json") == note && desk.read("Note/a/p.jpg") == "picture")
            }
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: ["Note/b/1.json": note, "Note/b/2.json": note, "Note/b/p.jpg": "picture"])
        }
    }
}
