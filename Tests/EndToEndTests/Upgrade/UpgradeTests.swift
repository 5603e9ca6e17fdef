import Foundation
import Testing

@Suite("A state of an earlier version (invariant 25)", .timeLimit(.minutes(10)))
struct UpgradeTests {
    /// The newest migration that each stored state knows.
    private static let earlier = [17]

    @Test("Goes on where it was: what waited is sent and fetched, and nothing else is", arguments: earlier)
    func goesOn(migration: Int) async throws {
        let states = try await StoredStates(of: migration)
        let (folder, other) = (states.folder, states.other)
        let before = (folder: try folder.files(), other: try other.files())
        let mark = try StateHonesty.changes(of: states.world)

        // A broken file was held until version 18, and goes as a plain one since. A conflict waits for a person, as before.
        try await folder.sync()
        try await other.sync(expecting: 4)
        var expected = before.folder
        expected["Note/note 08.json"] = before.other["Note/note 08.json"]
        #expect(Difference(try folder.files(), expected).isEmpty)
        expected = before.other
        for sent in ["Note/note 07.json", "Note/broken.json"] { expected[sent] = before.folder[sent] }
        #expect(Difference(try other.files(), expected).isEmpty)
        #expect(try StateHonesty.changes(of: states.world) == mark + 2)
        #expect(try await other.report().conflicts.map(\.path) == ["Note/note 05.json"])
        #expect(try await folder.report().held.isEmpty)
        for device in [folder, other] {
            #expect(try StateHonesty.violations(device, against: states.world) == [])
            #expect(try device.names(in: "staging").isEmpty)
        }

        // And what is done from now on goes both ways, also to a device that is new.
        try folder.write("plain text, changed", to: "files/read me.txt")
        try other.delete("Note/note 10.json")
        try other.delete(try #require(try other.copies().first))
        try await other.sync()
        try await folder.sync()
        try await other.sync()
        #expect(Difference(try folder.files().filter { $0.key != "files/left.tmp" }, try other.files()).isEmpty)
        #expect(other.read("files/read me.txt") == "plain text, changed")
        #expect(folder.read("Note/note 10.json") == nil)
    }

    @Test("Is brought up to date by a later start where one was killed at it, and loses nothing", arguments: earlier)
    func killed(migration: Int) async throws {
        let states = try await StoredStates(of: migration)
        let folder = states.folder
        let before = try folder.files()
        let log = states.world.place.appending(path: "calls")
        try await states.other.sync(expecting: 4)
        let whole = try await folder.pass(with: FaultInjection(below: folder.url, log: log))
        #expect(whole.status == 0, "\(whole)")
        let expected = try folder.files()

        var killed = 0
        for point in try CrashPoint.points(in: log, below: folder.url, count: 24)
        where point.step.contains("state.sqlite") {
            try await states.restoreFolder()
            let ending = try await folder.pass(
                with: FaultInjection(below: folder.url, point: (point.number, point.act)))
            killed += ending.status == -9 ? 1 : 0
            #expect(try CrashCheck.oldOrNew(folder, before: before, expected: expected) == [], "\(point)")
            let again = try await folder.pass()
            #expect(again.status == 0, "\(point): \(again)")
            #expect(Difference(try folder.files(), expected).isEmpty, "\(point)")
            #expect(try StateHonesty.violations(folder, against: states.world) == [], "\(point)")
        }
        print("killed at \(killed) points")
        #expect(killed > 5)
    }
}
