import Foundation
import Testing

@Suite("Undo", .timeLimit(.minutes(30)))
struct UndoTests {
    /// Two folders of one zone that are synced when told to.
    private struct Pair {
        let world: RealWorld
        let laptop: RealFolder
        let desk: RealFolder

        init() async throws {
            world = try await RealWorld()
            laptop = try await world.addFolder("laptop")
            desk = try await world.addFolder("desk")
        }

        /// Syncs the first folder, and then the other with what came of it.
        func sync(_ first: RealFolder, then second: RealFolder) async throws {
            for folder in [first, second] {
                let outcome = try await RealProgram.run("sync", folder.path)
                guard [0, 4].contains(outcome.status) else { throw TestFailure(outcome.output + outcome.errors) }
            }
        }

        /// Runs a command on a path of the laptop that has to succeed, and gives what it printed.
        @discardableResult
        func undo(_ command: String, _ name: String, _ options: String...) async throws -> String {
            let outcome = try await RealProgram.run(arguments: [command, laptop.path + "/" + name] + options)
            guard outcome.status == 0 else { throw TestFailure(outcome.output + outcome.errors) }
            return outcome.output
        }
    }

    private static let first = #"{"title": "first", "rank": 1}"#
    private static let second = #"{"title": "second", "rank": 1}"#

    @Test("What others overwrote or deleted comes back with one command, and goes to them like any edit")
    func others() async throws {
        let pair = try await Pair()
        let names = ["Note/changed.json", "Note/gone.json", "a picture.png", "Album/one.txt", "Album/in/two.txt"]
        for name in names { try pair.laptop.write(name.hasSuffix("json") ? Self.first : "\0\(name)", to: name) }
        try await pair.sync(pair.laptop, then: pair.desk)
        let before = try pair.laptop.files()
        try pair.desk.write(Self.second, to: "Note/changed.json")
        try pair.desk.write("\0other", to: "a picture.png")
        try pair.desk.delete("Note/gone.json")
        try pair.desk.delete("Album")
        try await pair.sync(pair.desk, then: pair.laptop)
        #expect(try pair.laptop.files() == pair.desk.files())

        let listed = try await pair.undo("history", "")
        for line in [
            "changed in the zone     29 B  Note/changed.json", "deleted in the zone     29 B  Note/gone.json",
            "changed in the zone     14 B  a picture.png", "deleted in the zone     14 B  Album/one.txt",
        ] { #expect(listed.contains(line), "\(listed)") }
        let difference = try await pair.undo("diff", "Note/changed.json")
        #expect(difference.contains("-\(Self.first)\n") && difference.contains("+\(Self.second)\n"), "\(difference)")
        #expect(try await pair.undo("diff", "a picture.png").contains("now: 6 B, SHA-256 "))

        #expect(
            try await pair.undo("restore", "Note/changed.json")
                .contains("Note/changed.json is back, as it was until 20"))
        try await pair.undo("restore", "Note/gone.json")
        try await pair.undo("restore", "a picture.png")
        #expect(try await pair.undo("restore", "Album").split(separator: "\n").count == 2)
        #expect(try pair.laptop.files() == before)
        try await pair.sync(pair.laptop, then: pair.desk)
        #expect(try pair.desk.files() == before)

        // A restore is undone by another one.
        try await pair.undo("restore", "a picture.png")
        #expect(pair.laptop.read("a picture.png") == "\0other")
        try await pair.undo("restore", "a picture.png")
        #expect(try pair.laptop.files() == before)
    }

    @Test("A merge, a settled conflict and a bad day are undone; elsewhere, nothing changes in the folder")
    func ownVersion() async throws {
        let pair = try await Pair()
        for name in ["Note/merged.json", "Note/day.json"] { try pair.laptop.write(Self.first, to: name) }
        try pair.laptop.write("base\n", to: "a.txt")
        try await pair.sync(pair.laptop, then: pair.desk)
        try pair.desk.write(#"{"title": "first", "rank": 7}"#, to: "Note/merged.json")
        try pair.desk.write("theirs\n", to: "a.txt")
        try pair.desk.write("{}", to: "Note/day.json")
        try pair.laptop.write(Self.second, to: "Note/merged.json")
        try pair.laptop.write("mine\n", to: "a.txt")
        try await pair.sync(pair.desk, then: pair.laptop)
        #expect(pair.laptop.read("Note/merged.json") == #"{"title": "second", "rank": 7}"#)
        let copies = try pair.laptop.files().keys.filter { $0.contains(".conflict-") }
        for copy in copies { try pair.laptop.delete(copy) }

        let elsewhere = pair.world.place.appending(path: "else/where")
        let before = try pair.laptop.files()
        try await pair.undo("restore", "Note/day.json", "--to", elsewhere.path)
        try await pair.undo("restore", "a.txt", "--to", elsewhere.path)
        #expect(try String(contentsOf: elsewhere.appending(path: "day.json"), encoding: .utf8) == Self.first)
        #expect(try String(contentsOf: elsewhere.appending(path: "a.txt"), encoding: .utf8) == "mine\n")
        #expect(try pair.laptop.files() == before)
        let again = try await RealProgram.run("restore", pair.laptop.path + "/a.txt", "--to", elsewhere.path)
        #expect(again.status == 1 && again.errors.contains("a.txt is in \(elsewhere.path) already"), "\(again.errors)")

        try await pair.undo("restore", "Note/merged.json")
        try await pair.undo("restore", "a.txt")
        #expect(pair.laptop.read("Note/merged.json") == Self.second)
        #expect(pair.laptop.read("a.txt") == "mine\n")

        // Written days ago and overwritten today: it is what stood there yesterday.
        let kept = try FileManager.default.subpathsOfDirectory(atPath: pair.laptop.path + "/.zonefolder/history")
            .first { $0.hasSuffix("Note/day.json") }
        let age = Date(timeIntervalSinceNow: -3 * 86_400)
        try FileManager.default.setAttributes(
            [.modificationDate: age], ofItemAtPath: pair.laptop.path + "/.zonefolder/history/" + (try #require(kept)))
        // Of what was written today, nobody knows whether it was there.
        let note = pair.laptop.path + "/Note"
        let restored = try await RealProgram.run("restore", note, "--at", "yesterday")
        #expect(
            restored.status == 0
                && restored.errors.contains("What Note/merged.json was at that time is not kept, or it was not there."),
            "\(restored)")
        #expect(pair.laptop.read("Note/day.json") == Self.first)
        #expect(pair.laptop.read("Note/merged.json") == Self.second)
        try await pair.sync(pair.laptop, then: pair.desk)
        #expect(pair.desk.read("Note/merged.json") == Self.second)
        #expect(pair.desk.read("a.txt") == "mine\n")
        #expect(pair.desk.read("Note/day.json") == Self.first)
    }

    @Test("What one deleted oneself comes back, also before it was sent; a large deletion is taken back with a word")
    func own() async throws {
        let pair = try await Pair()
        try pair.laptop.write(Self.first, to: "Note/own.json")
        for number in 0..<30 { try pair.laptop.write("\0picture \(number)", to: "\(number).png") }
        try await pair.sync(pair.laptop, then: pair.desk)
        let before = try pair.laptop.files()
        try pair.laptop.delete("Note/own.json")
        try await pair.undo("restore", "Note/own.json")
        #expect(try pair.laptop.files() == before)

        for name in ["Note/own.json", "7.png"] { try pair.laptop.delete(name) }
        try await pair.sync(pair.laptop, then: pair.desk)
        #expect(pair.desk.read("7.png") == nil)
        try await pair.undo("restore", "Note/own.json")
        try await pair.undo("restore", "7.png")
        #expect(try pair.laptop.files() == before)
        try await pair.sync(pair.laptop, then: pair.desk)
        #expect(try pair.desk.files() == before)

        let daemon = try pair.laptop.run()
        try await pair.laptop.untilDaemonAnswers(daemon)
        let nothing = try await RealProgram.run("reject", pair.laptop.path)
        #expect(nothing.status == 1 && nothing.errors.contains("Nothing waits for a word in \(pair.laptop.path)."))
        for name in before.keys { try pair.laptop.delete(name) }
        let waiting = try await RealProgram.run("status", pair.laptop.path, "--wait=60")
        #expect(waiting.status == 7 && waiting.output.contains("zonefolder reject "), "\(waiting)")
        let unknown = try await RealProgram.run("reject", "0123456789abcdef", pair.laptop.path)
        #expect(unknown.status == 1 && unknown.errors.contains("No batch '0123456789abcdef' waits"))
        let rejected = try await RealProgram.run("reject", pair.laptop.path)
        // The two that went before had come back: they are among the 31.
        #expect(
            rejected.output
                == "The deletion of 31 files is rejected: what was deleted here comes back from the zone.\n")
        #expect(try await pair.laptop.settledVerdict() == "in-sync")
        #expect(try pair.laptop.files() == before)

        for name in before.keys { try pair.laptop.delete(name) }
        #expect(try await RealProgram.run("status", pair.laptop.path, "--wait=60").status == 7)
        let approved = try await RealProgram.run("approve", in: pair.laptop.path)
        #expect(approved.output.hasPrefix("The deletion of 31 files passes: the zone deletes them too"), "\(approved)")
        #expect(try await pair.laptop.settledVerdict() == "in-sync")
        let whole = try await RealProgram.run("restore", pair.laptop.path)
        #expect(
            whole.status == 2
                && whole.errors.contains("; `zonefolder restore \(pair.laptop.path) --deleted-since '20"),
            "\(whole.errors)")
        #expect(whole.errors.contains("31 files went from 20"), "\(whole.errors)")
        daemon.terminate()
        #expect(try await daemon.ended(within: .seconds(120)) == 0)
        #expect(try await RealProgram.run("reject", pair.laptop.path).status == 5)
        #expect(try await pair.undo("restore", "Note").contains("Note/own.json is back"))
    }

    @Test("What was deleted since a time comes back, and no file that is there is changed")
    func deletedSince() async throws {
        let pair = try await Pair()
        let names = ["Note/own.json", "a.txt", "b.txt", "in/c.txt", "again.txt", "edited.txt"]
        for name in names { try pair.laptop.write(name.hasSuffix("json") ? Self.first : "old\n", to: name) }
        for number in 0..<20 { try pair.laptop.write("\(number)", to: "\(number).txt") }
        try await pair.sync(pair.laptop, then: pair.desk)
        for name in ["Note/own.json", "a.txt", "again.txt"] { try pair.laptop.delete(name) }
        try await pair.sync(pair.laptop, then: pair.desk)
        for name in ["b.txt", "in"] { try pair.desk.delete(name) }
        for name in ["again.txt", "edited.txt"] { try pair.desk.write("new\n", to: name) }
        try await pair.sync(pair.desk, then: pair.laptop)
        let before = try pair.laptop.files()

        let copies = pair.world.place.appending(path: "copies").path
        #expect(
            try await pair.undo("restore", "", "--deleted-since", "1h", "--to", copies)
                .split(separator: "\n").count == 4)
        #expect(try pair.laptop.files() == before)
        #expect(try await pair.undo("restore", "in", "--deleted-since", "1h").contains("in/c.txt is back, as it was"))
        let restored = try await pair.undo("restore", "", "--deleted-since", "1h")
        #expect(restored.hasSuffix("3 files came back, and no file that is there was changed.\n"), "\(restored)")
        #expect(pair.laptop.read("Note/own.json") == Self.first)
        for name in ["a.txt", "b.txt", "in/c.txt"] { #expect(pair.laptop.read(name) == "old\n") }
        for name in ["again.txt", "edited.txt"] { #expect(pair.laptop.read(name) == "new\n") }
        let nothing = try await RealProgram.run("restore", pair.laptop.path, "--deleted-since", "1h")
        #expect(nothing.status == 1 && nothing.errors.contains("that was deleted since 20"), "\(nothing.errors)")
    }

    @Test("What is kept of a file under the name that it had before is told where it is asked for by the new one")
    func renamed() async throws {
        let pair = try await Pair()
        for text in [Self.first, Self.second] {
            try pair.laptop.write(text, to: "Note/old.json")
            try await pair.sync(pair.laptop, then: pair.desk)
        }
        try FileManager.default.moveItem(
            atPath: pair.laptop.path + "/Note/old.json", toPath: pair.laptop.path + "/Note/new.json")
        try await pair.sync(pair.laptop, then: pair.desk)
        let way = "`zonefolder history \(pair.laptop.path)/Note/old.json` lists what is kept under that name."
        let listed = try await RealProgram.run("history", pair.laptop.path + "/Note/new.json")
        #expect(listed.status == 0 && listed.output.isEmpty && listed.errors.contains(way), "\(listed)")
        for command in ["restore", "diff"] {
            let refused = try await RealProgram.run(arguments: [command, pair.laptop.path + "/Note/new.json"])
            #expect(
                refused.status == 1 && refused.errors.contains("kept under this name. What is at Note/new.json was at ")
            )
            #expect(refused.errors.contains(way), "\(refused.errors)")
        }
    }

    @Test("A settled conflict stays so where its directory is restored; its copy comes back by its name")
    func settledConflict() async throws {
        let pair = try await Pair()
        for name in ["d/f.txt", "d/gone.txt"] { try pair.laptop.write("base\n", to: name) }
        try await pair.sync(pair.laptop, then: pair.desk)
        try pair.desk.write("theirs\n", to: "d/f.txt")
        try pair.laptop.write("mine\n", to: "d/f.txt")
        try await pair.sync(pair.desk, then: pair.laptop)
        let copy = try #require(try pair.laptop.files().keys.first { $0.contains(".conflict-") })
        try await pair.undo("resolve", "d/f.txt", "--theirs")
        try pair.laptop.delete("d/gone.txt")
        try await pair.sync(pair.laptop, then: pair.desk)

        let restored = try await pair.undo("restore", "d")
        #expect(restored.contains("d/gone.txt is back") && !restored.contains(".conflict-"), "\(restored)")
        #expect(pair.laptop.read(copy) == nil)
        try await pair.undo("restore", copy)
        #expect(pair.laptop.read(copy) == "mine\n")
    }

    @Test("Elsewhere, a file that is still what it was then is written as well, and one that came later is not")
    func unchangedElsewhere() async throws {
        let pair = try await Pair()
        let age = Date(timeIntervalSinceNow: -3 * 86_400)
        for name in ["d/same.txt", "d/changed.txt"] {
            try pair.laptop.write("old\n", to: name)
            try FileManager.default.setAttributes(
                [.modificationDate: age], ofItemAtPath: pair.laptop.path + "/" + name)
        }
        try pair.laptop.write("new\n", to: "d/later.txt")
        try await pair.sync(pair.laptop, then: pair.desk)
        try pair.desk.write("theirs\n", to: "d/changed.txt")
        try await pair.sync(pair.desk, then: pair.laptop)
        let before = try pair.laptop.files()

        let place = pair.world.place.appending(path: "then")
        let copied = try await pair.undo("restore", "d", "--at", "yesterday", "--to", place.path)
        #expect(copied.split(separator: "\n").count == 2, "\(copied)")
        for name in ["d/same.txt", "d/changed.txt"] {
            #expect(try String(contentsOf: place.appending(path: name), encoding: .utf8) == "old\n")
        }
        let one = pair.world.place.appending(path: "one")
        #expect(
            try await pair.undo("restore", "d/same.txt", "--at", "yesterday", "--to", one.path)
                == "\(one.path)/same.txt is d/same.txt as it stands now: it was not written to since.\n")
        let later = try await RealProgram.run(
            "restore", pair.laptop.path + "/d/later.txt", "--at", "yesterday", "--to", one.path)
        #expect(later.status == 1 && later.errors.contains("No earlier version of "), "\(later)")
        #expect(try pair.laptop.files() == before)
    }

    @Test("What cannot be restored is an error that names it and the way out, and changes nothing")
    func refused() async throws {
        let pair = try await Pair()
        try pair.laptop.write("text\n", to: "a.txt")
        try pair.laptop.write("text\n", to: "b.txt")
        for number in 0..<5 { try pair.laptop.write("stays\n", to: "\(number).txt") }
        try await pair.sync(pair.laptop, then: pair.desk)
        for name in ["a.txt", "b.txt"] { try pair.desk.delete(name) }
        try await pair.sync(pair.desk, then: pair.laptop)
        let outside = pair.world.place.appending(path: "outside.txt").path
        try "precious".write(toFile: outside, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            atPath: pair.laptop.path + "/a.txt", withDestinationPath: outside)
        try pair.laptop.write("in its way\n", to: "b.txt/in/x.txt")
        let before = try pair.laptop.files()
        for (words, status, errors) in [
            (["a.txt"], 1, "a.txt is a symbolic link, which is never followed. Move it aside."),
            (["b.txt"], 1, "The directory b.txt stands where a file belongs. Move it aside."),
            (["c.txt"], 1, "No earlier version of \(pair.laptop.path)/c.txt is kept."),
            (["a.txt", "--at", "soon"], 2, "--at cannot be 'soon'. It takes 2026-11-24, "),
            (["a.txt", "--at", "2999-01-01"], 2, "--at 2999-01-01 is still to come"),
            (["a.txt", "--at", "52w"], 1, "is not kept, or it was not there. The oldest version is the one until 20"),
            (["", "--to", pair.laptop.path + "/.zonefolder/x"], 2, "belongs to zonefolder itself"),
            (["", "--to", pair.laptop.path + "/old"], 2, "/old is in the folder itself, where copies would be synced"),
            ([""], 2, "Say since when with --deleted-since TIME, which changes no file that is there, or which time "),
            (["", "--deleted-since", "1h", "--at", "1h"], 2, "--deleted-since brings back what went since one"),
            (["", "--deleted-since", "2999-01-01"], 2, "--deleted-since 2999-01-01 is still to come"),
            (["3.txt", "--deleted-since", "1h"], 1, "/3.txt that was deleted since 20"),
        ] as [([String], Int32, String)] {
            let outcome = try await RealProgram.run(
                arguments: ["restore", pair.laptop.path + "/" + words[0]] + words.dropFirst())
            #expect(outcome.status == status && outcome.output.isEmpty, "\(words): \(outcome)")
            #expect(outcome.errors.contains(errors), "\(words): \(outcome.errors)")
        }
        #expect(try pair.laptop.files() == before)
        #expect(try String(contentsOfFile: outside, encoding: .utf8) == "precious")
        let missing = try await RealProgram.run("restore")
        #expect(missing.status == 2 && missing.errors.contains("Missing expected argument '<path>'"))
    }
}
