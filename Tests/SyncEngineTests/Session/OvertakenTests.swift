import Foundation
import LocalFolder
import SyncModel
import SystemPackage
import Testing

@Suite("What a person does to a received file in the instant in which it is put into place (reliability 4.6)")
struct OvertakenTests {
    @Test("The conflict copy stays, be the merged file deleted or saved over", arguments: [true, false])
    func copyStays(isDeleted: Bool) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"title": "first"}"#, to: "Note/a.json")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write(#"{"title": "the laptop's"}"#, to: "Note/a.json")
            try desk.write(#"{"title": "the desk's"}"#, to: "Note/a.json")
            try await laptop.sync()

            let disk = WatchedDisk(of: desk.folder)
            let path = desk.folder.appending("Note/a.json").string
            // What the exchange brought out is read once more: by then the merged file stands in the folder.
            disk.afterReading("Note/a.json") {
                guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains("laptop") else {
                    return
                }
                if isDeleted {
                    try? FileManager.default.removeItem(atPath: path)
                } else {
                    try? Data(#"{"title": "the desk's second"}"#.utf8).write(
                        to: URL(filePath: path), options: .atomic)
                }
            }
            try await desk.sync(on: disk)
            try await desk.sync()
            let titles = Set(desk.files().compactMap { desk.read($0) })
            #expect(titles.contains { $0.contains("the laptop's") })
            #expect(titles.contains { $0.contains(#""the desk's""#) }, "\(titles)")
            if !isDeleted { #expect(titles.contains { $0.contains("the desk's second") }) }
        }
    }

    @Test(
        "A version that is saved over before it is replaced gets no conflict copy, one that is taken away has one",
        arguments: [true, false])
    func doneWith(isSaved: Bool) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("first", to: "a.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write("the laptop's", to: "a.txt")
            try desk.write("the desk's", to: "a.txt")
            try await laptop.sync()

            let disk = WatchedDisk(of: desk.folder)
            let path = desk.folder.appending("a.txt").string
            // The copy is made; its original is still there.
            disk.afterPlacing("a.conflict-") {
                if isSaved {
                    try? Data("the desk's second".utf8).write(to: URL(filePath: path), options: .atomic)
                } else {
                    try? FileManager.default.removeItem(atPath: path)
                }
            }
            try await desk.sync(on: disk)
            try await desk.sync()
            let texts = desk.files().compactMap { desk.read($0) }
            #expect(texts.sorted() == [isSaved ? "the desk's second" : "the desk's", "the laptop's"])
        }
    }

    @Test("A received file that is renamed at once stays the record's file: it is at its new path alone, everywhere")
    func renamed() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("first", to: "a.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write("second", to: "a.txt")
            try await laptop.sync()

            let disk = WatchedDisk(of: desk.folder)
            let (path, new) = (desk.folder.appending("a.txt").string, desk.folder.appending("b.txt").string)
            disk.afterReading("a.txt") {
                guard (try? String(contentsOfFile: path, encoding: .utf8)) == "second" else { return }
                try? FileManager.default.moveItem(atPath: path, toPath: new)
            }
            try await desk.sync(on: disk)
            try await desk.sync()
            #expect(desk.files() == ["b.txt"])
            try await laptop.sync()
            #expect(laptop.files() == ["b.txt"])
            #expect(laptop.read("b.txt") == "second")
        }
    }

    @Test("A file renamed over one that another device just saved with the same bytes outlives that one's deletion")
    func renamedOverEqual() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("the words", to: "b.txt")
            try laptop.write("others", to: "c.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write("the words", to: "c.txt")
            try await laptop.sync()

            try desk.move("b.txt", to: "c.txt")
            try await desk.sync()
            // Of the two files that the laptop still has, its person deletes the one.
            try FileManager.default.removeItem(atPath: laptop.folder.appending("c.txt").string)
            try await laptop.sync()
            try await desk.sync()
            try await laptop.sync()
            #expect(desk.read("c.txt") == "the words", "\(desk.files())")
            #expect(laptop.files() == desk.files())
        }
    }

    @Test(
        "A file renamed to where another device just saved an equal one outlives that one's deletion (invariant 6)",
        arguments: ["txt", "json"], [false, true])
    func renamedToEqual(ending: String, isReplaced: Bool) async throws {
        let words = ending == "json" ? #"{"title": "the words"}"# : "the words"
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(words, to: "Note/b.\(ending)")
            try laptop.write("others", to: "keep.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write(words, to: "Note/c.\(ending)")
            try await laptop.sync()

            try desk.move("Note/b.\(ending)", to: "Note/c.\(ending)")
            if isReplaced { try desk.write("{}", to: "Note/b.\(ending)") }
            try await desk.sync()
            // Of the two files that the laptop still has, its person deletes the one.
            try FileManager.default.removeItem(atPath: laptop.folder.appending("Note/c.\(ending)").string)
            for device in [laptop, desk, laptop] { try await device.sync() }
            #expect(desk.read("Note/c.\(ending)") == words, "\(desk.files())")
            #expect(laptop.files() == desk.files())
        }
    }

    @Test("A file renamed over one that has its fields elsewhere already, and more, outlives that one's deletion")
    func renamedUnderEdit() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write(#"{"title": "the words"}"#, to: "Note/b.json")
            try laptop.write(#"{"title": "others"}"#, to: "Note/c.json")
            try laptop.write("others", to: "keep.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.write(#"{"title": "the words", "n": 1}"#, to: "Note/c.json")
            try await laptop.sync()

            try desk.move("Note/b.json", to: "Note/c.json")
            try await desk.sync()
            try FileManager.default.removeItem(atPath: laptop.folder.appending("Note/c.json").string)
            for device in [laptop, desk, laptop] { try await device.sync() }
            #expect(desk.read("Note/c.json")?.contains("the words") ?? false, "\(desk.files())")
            #expect(laptop.files() == desk.files())
        }
    }

    @Test("A received file that moves up over an equal one, whose record is deleted, is kept and sent")
    func movedUp() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (name, text) in [("four", "of four"), ("five", "of five"), ("six", "the words")] {
                try laptop.write(text, to: "\(name).txt")
            }
            try await laptop.sync()
            try await desk.sync()
            try laptop.move("six.txt", to: "five.txt")
            try await laptop.sync()

            let disk = WatchedDisk(of: desk.folder)
            let (folder, path) = (desk.folder, desk.folder.appending("five.txt").string)
            disk.afterReading("five.txt") {
                guard (try? String(contentsOfFile: path, encoding: .utf8)) == "the words" else { return }
                rename(path, folder.appending("six.txt").string)
                rename(folder.appending("four.txt").string, path)
            }
            try await desk.sync(on: disk)
            try await desk.sync()
            try await laptop.sync()
            #expect(desk.read("six.txt") == "the words", "\(desk.files())")
            #expect(desk.read("five.txt") == "of four")
            #expect(laptop.files() == desk.files())
        }
    }

    @Test(
        "A file renamed over an equal one that another device edits meanwhile is kept beside the edit (reliability 4.7)",
        arguments: ["txt", "json"])
    func editedThere(ending: String) async throws {
        let words = ending == "json" ? #"{"title": "the words"}"# : "the words"
        let edit = ending == "json" ? #"{"title": "the edit"}"# : "the edit"
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for name in ["a", "b"] { try laptop.write(words, to: "Note/\(name).\(ending)") }
            try await laptop.sync()
            try await desk.sync()
            try laptop.write(edit, to: "Note/a.\(ending)")
            try await laptop.sync()
            try desk.move("Note/b.\(ending)", to: "Note/a.\(ending)")
            for device in [desk, laptop, desk] { try await device.sync() }
            #expect(Set(desk.files().map { desk.read($0) }) == [words, edit])
            #expect(desk.read("Note/a.\(ending)") == edit)
            #expect(laptop.read("Note/a.\(ending)") == edit)
        }
    }

    @Test("A file renamed over an equal one that another device moves and deletes lives on (reliability 4.7)")
    func movedThere() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for name in ["b", "c"] { try laptop.write("the words", to: "\(name).txt") }
            try laptop.write("others", to: "keep.txt")
            try await laptop.sync()
            try await desk.sync()
            try laptop.move("c.txt", to: "d.txt")
            try await laptop.sync()
            try desk.move("b.txt", to: "c.txt")
            try await desk.sync()
            try FileManager.default.removeItem(atPath: laptop.folder.appending("d.txt").string)
            for device in [laptop, desk, laptop] { try await device.sync() }
            #expect(desk.read("d.txt") == "the words", "\(desk.files())")
            #expect(laptop.files() == desk.files())
        }
    }

    @Test(
        "A file renamed over another one, of which somebody else edits a value that both have, is kept beside the merge"
    )
    func valuesHere() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await Self.makeNotes(laptop, desk)
            try laptop.write(#"{"title": "one", "count": 2}"#, to: "Note/a.json")
            try await laptop.sync()
            try desk.move("Note/b.json", to: "Note/a.json")
            for device in [desk, laptop, desk] { try await device.sync() }
            #expect(desk.read("Note/a.json") == #"{"title": "two", "count": 2}"#)
            #expect(
                Set(desk.files().map { desk.read($0) }) == [
                    #"{"title": "two", "count": 2}"#, #"{"title": "two", "count": 1}"#,
                ])
            #expect(laptop.read("Note/a.json") == desk.read("Note/a.json"))
        }
    }

    @Test(
        "A value that is edited while somebody else puts another note over the file is kept beside that one",
        arguments: [false, true])
    func valuesThere(isOlder: Bool) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await Self.makeNotes(laptop, desk)
            if isOlder {
                // Nor does it matter whether the editor knew the version that the note is put over.
                try desk.write(#"{"title": "newer", "count": 1}"#, to: "Note/a.json")
                try await desk.sync()
            }
            try desk.move("Note/b.json", to: "Note/a.json")
            try await desk.sync()
            try laptop.write(#"{"title": "one", "count": 2}"#, to: "Note/a.json")
            for device in [laptop, desk, laptop] { try await device.sync() }
            #expect(
                Set(laptop.files().map { laptop.read($0) }) == [
                    #"{"title": "two", "count": 1}"#, #"{"title": "one", "count": 2}"#,
                ])
            for device in [laptop, desk] {
                #expect(device.read("Note/a.json") == #"{"title": "two", "count": 1}"#)
            }
        }
    }

    @Test("What was said of a file that was put over another one is said once: later edits of both sides merge")
    func saidOnce() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await Self.makeNotes(laptop, desk)
            try desk.move("Note/b.json", to: "Note/a.json")
            for device in [desk, laptop] { try await device.sync() }
            try desk.write(#"{"title": "three", "count": 1}"#, to: "Note/a.json")
            try await desk.sync()
            try laptop.write(#"{"title": "two", "count": 2}"#, to: "Note/a.json")
            for device in [laptop, desk] {
                try await device.sync()
                #expect(device.files() == ["Note/a.json"])
                #expect(device.read("Note/a.json") == #"{"title": "three", "count": 2}"#)
            }
        }
    }

    @Test("A file renamed over another one merges with an edit elsewhere, and leaves no copy where it keeps all it has")
    func mergedThere() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try await Self.makeNotes(laptop, desk)
            try laptop.write(#"{"title": "one", "count": 1, "more": 2}"#, to: "Note/a.json")
            try await laptop.sync()
            try desk.move("Note/b.json", to: "Note/a.json")
            for device in [desk, laptop, desk] { try await device.sync() }
            for device in [laptop, desk] {
                #expect(device.files() == ["Note/a.json"])
                #expect(device.read("Note/a.json") == #"{"title": "two", "count": 1, "more": 2}"#)
            }
        }
    }

    /// Two notes that have one value alike and one not.
    private static func makeNotes(_ laptop: CrashDevice, _ desk: CrashDevice) async throws {
        try laptop.write(#"{"title": "one", "count": 1}"#, to: "Note/a.json")
        try laptop.write(#"{"title": "two", "count": 1}"#, to: "Note/b.json")
        try await laptop.sync()
        try await desk.sync()
    }
}
