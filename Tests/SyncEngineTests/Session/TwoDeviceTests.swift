import FolderControl
import SystemPackage
import Testing

/// What one device changes between two syncs.
typealias Edit = @Sendable (EngineDevice) throws -> Void

/// Two devices that agree, then change things without knowing of each other, and what both folders hold in the end.
struct TwoDeviceCase: Sendable, CustomTestStringConvertible {
    let name: String
    let start: [String: String]
    let first: Edit
    let second: Edit
    /// All files but conflict copies.
    let end: [String: String]
    /// The texts of the conflict copies on both devices.
    var copies: [String] = []

    var testDescription: String { name }
}

@Suite("Two devices (reliability §4.8, §4.9, §4.22)", .timeLimit(.minutes(30)))
struct TwoDeviceTests {
    @Test("What two devices change apart ends alike on both, and nothing that a person saved is lost", arguments: cases)
    func apart(_ example: TwoDeviceCase) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let desk = try world.device("desk")
            for (path, text) in example.start { try laptop.write(text, to: path) }
            try await converge(laptop, desk)
            #expect(try desk.files() == example.start)

            try example.first(laptop)
            try example.second(desk)
            try await converge(laptop, desk)

            for device in [laptop, desk] {
                let files = try device.files()
                #expect(files.filter { !$0.key.contains(".conflict-") } == example.end)
                #expect(try device.folder.appending(".zonefolder/staging").names().isEmpty)
            }
            let copies = try [laptop, desk].flatMap { device in
                let files = try device.files()
                return try device.conflictCopies().map { files[$0]! }
            }
            #expect(copies.sorted() == example.copies.sorted())

            // At rest: nothing more is sent, and nothing is written.
            _ = laptop.network.takeOperations()
            try await laptop.sync()
            #expect(Set(laptop.network.takeOperations()).isSubset(of: ["changes/database", "changes/zone"]))
            let verdict = try await laptop.report().verdict
            #expect(verdict == (try laptop.conflictCopies().isEmpty ? .inSync : .attention))
            try laptop.close()
            try desk.close()
        }
    }

    static let cases: [TwoDeviceCase] = [
        TwoDeviceCase(
            name: "different fields", start: ["Note/a.json": #"{"title": "one", "count": 1}"#],
            first: { try $0.write(#"{"title": "two", "count": 1}"#, to: "Note/a.json") },
            second: { try $0.write(#"{"title": "one", "count": 2}"#, to: "Note/a.json") },
            end: ["Note/a.json": #"{"title": "two", "count": 2}"#]),
        TwoDeviceCase(
            name: "the same field", start: ["Note/a.json": #"{"title": "one", "count": 1}"#],
            first: { try $0.write(#"{"title": "two", "count": 1}"#, to: "Note/a.json") },
            second: { try $0.write(#"{"title": "three", "count": 2}"#, to: "Note/a.json") },
            end: ["Note/a.json": #"{"title": "two", "count": 2}"#], copies: [#"{"title": "three", "count": 2}"#]),
        TwoDeviceCase(
            name: "the same change", start: ["Note/a.json": #"{"title": "one"}"#, "b.txt": "one"],
            first: {
                try $0.write(#"{"title": "two"}"#, to: "Note/a.json")
                try $0.write("two", to: "b.txt")
            },
            second: {
                try $0.write(#"{"title": "two"}"#, to: "Note/a.json")
                try $0.write("two", to: "b.txt")
            },
            end: ["Note/a.json": #"{"title": "two"}"#, "b.txt": "two"]),
        TwoDeviceCase(
            name: "two versions of a plain file", start: ["b.txt": "one"],
            first: { try $0.write("two", to: "b.txt") }, second: { try $0.write("three", to: "b.txt") },
            end: ["b.txt": "two"], copies: ["three"]),
        TwoDeviceCase(
            name: "created alike", start: [:],
            first: { try $0.write(#"{"title": "one"}"#, to: "Note/a.json") },
            second: { try $0.write(#"{"title": "one"}"#, to: "Note/a.json") },
            end: ["Note/a.json": #"{"title": "one"}"#]),
        TwoDeviceCase(
            name: "created apart under one path", start: [:],
            first: { try $0.write("one", to: "a.txt") }, second: { try $0.write("two", to: "a.txt") },
            end: ["a.txt": "one"], copies: ["two"]),
        TwoDeviceCase(
            name: "edited against deleted", start: ["Note/a.json": #"{"n": 1}"#, "b.txt": "one"],
            first: {
                try $0.delete("Note/a.json")
                try $0.delete("b.txt")
            },
            second: {
                try $0.write(#"{"n": 2}"#, to: "Note/a.json")
                try $0.write("two", to: "b.txt")
            },
            end: ["Note/a.json": #"{"n": 2}"#, "b.txt": "two"]),
        TwoDeviceCase(
            name: "deleted against edited", start: ["Note/a.json": #"{"n": 1}"#, "b.txt": "one"],
            first: {
                try $0.write(#"{"n": 2}"#, to: "Note/a.json")
                try $0.write("two", to: "b.txt")
            },
            second: {
                try $0.delete("Note/a.json")
                try $0.delete("b.txt")
            },
            end: ["Note/a.json": #"{"n": 2}"#, "b.txt": "two"]),
        TwoDeviceCase(
            name: "deleted on both", start: ["Note/a.json": #"{"n": 1}"#, "b.txt": "one", "c.txt": "kept"],
            first: {
                try $0.delete("Note/a.json")
                try $0.delete("b.txt")
            },
            second: {
                try $0.delete("Note/a.json")
                try $0.delete("b.txt")
            }, end: ["c.txt": "kept"]),
        TwoDeviceCase(
            name: "renamed against edited", start: ["Note/a.json": #"{"n": 1, "m": 1}"#, "b.txt": "one"],
            first: {
                try $0.move("Note/a.json", to: "Note/deep/z.json")
                try $0.move("b.txt", to: "c/b.txt")
            },
            second: {
                try $0.write(#"{"n": 2, "m": 1}"#, to: "Note/a.json")
                try $0.write("two", to: "b.txt")
            },
            end: ["Note/deep/z.json": #"{"n": 2, "m": 1}"#, "c/b.txt": "two"]),
        TwoDeviceCase(
            name: "renamed to two places", start: ["b.txt": "one"],
            first: { try $0.move("b.txt", to: "c.txt") }, second: { try $0.move("b.txt", to: "d.txt") },
            end: ["c.txt": "one"]),
        TwoDeviceCase(
            name: "renamed against deleted", start: ["b.txt": "one"],
            first: { try $0.delete("b.txt") }, second: { try $0.move("b.txt", to: "d.txt") },
            end: ["d.txt": "one"]),
        TwoDeviceCase(
            name: "two names swapped", start: ["a.txt": "a", "b.txt": "b"],
            first: {
                try $0.move("a.txt", to: "t")
                try $0.move("b.txt", to: "a.txt")
                try $0.move("t", to: "b.txt")
            }, second: { _ in }, end: ["a.txt": "b", "b.txt": "a"]),
        TwoDeviceCase(
            name: "a chain of renames", start: ["a.txt": "a", "b.txt": "b", "c.txt": "c"],
            first: {
                try $0.move("c.txt", to: "d.txt")
                try $0.move("b.txt", to: "c.txt")
                try $0.move("a.txt", to: "b.txt")
            }, second: { _ in }, end: ["b.txt": "a", "c.txt": "b", "d.txt": "c"]),
        TwoDeviceCase(
            name: "renamed and edited at once", start: ["a.txt": "a", "Note/a.json": #"{"n": 1}"#],
            first: {
                try $0.move("a.txt", to: "b.txt")
                try $0.write("b", to: "b.txt")
                try $0.move("Note/a.json", to: "Note/b.json")
                try $0.write(#"{"n": 2}"#, to: "Note/b.json")
            }, second: { _ in }, end: ["b.txt": "b", "Note/b.json": #"{"n": 2}"#]),
        TwoDeviceCase(
            name: "a file becomes a folder", start: ["a": "a"],
            first: {
                try $0.delete("a")
                try $0.write("b", to: "a/b")
            }, second: { _ in }, end: ["a/b": "b"]),
        TwoDeviceCase(
            name: "a folder becomes a file", start: ["a/b": "b"],
            first: {
                try $0.delete("a")
                try $0.write("a", to: "a")
            }, second: { _ in }, end: ["a": "a"]),
        TwoDeviceCase(
            name: "a file takes its folder's name", start: ["a/b": "b"],
            first: {
                try $0.move("a/b", to: "c")
                try $0.delete("a")
                try $0.move("c", to: "a")
            }, second: { _ in }, end: ["a": "b"]),
        TwoDeviceCase(
            name: "a file goes into a folder of its own name", start: ["a": "b"],
            first: {
                try $0.move("a", to: "c")
                try $0.move("c", to: "a/b")
            }, second: { _ in }, end: ["a/b": "b"]),
        TwoDeviceCase(
            name: "a folder renamed against a file added to it", start: ["a/b": "b"],
            first: { try $0.move("a", to: "c") }, second: { try $0.write("new", to: "a/n") },
            end: ["c/b": "b", "a/n": "new"]),
        TwoDeviceCase(
            name: "a structured file becomes a plain one", start: ["Note/a.json": #"{"n": 1}"#],
            first: { try $0.write("[1, 2]", to: "Note/a.json") }, second: { _ in }, end: ["Note/a.json": "[1, 2]"]),
        TwoDeviceCase(
            name: "a plain file becomes a structured one", start: ["Note/a.json": "[1, 2]"],
            first: { try $0.write(#"{"n": 1}"#, to: "Note/a.json") }, second: { _ in },
            end: ["Note/a.json": #"{"n": 1}"#]),
        TwoDeviceCase(
            name: "a record moves to another type", start: ["Note/a.json": #"{"n": 1}"#],
            first: { try $0.move("Note/a.json", to: "Todo/a.json") }, second: { _ in },
            end: ["Todo/a.json": #"{"n": 1}"#]),
        TwoDeviceCase(
            name: "a name in another case", start: ["a.txt": "a"],
            first: { try $0.move("a.txt", to: "A.txt") }, second: { try $0.write("b", to: "B.txt") },
            end: ["A.txt": "a", "B.txt": "b"]),
        TwoDeviceCase(
            name: "names in two normal forms", start: [:],
            first: { try $0.write("one", to: "caf\u{E9}.txt") }, second: { try $0.write("two", to: "cafe\u{301}.txt") },
            end: ["caf%C3%A9.txt": "one", "cafe%CC%81.txt": "two"]),
        TwoDeviceCase(
            name: "an attached picture changed against a field",
            start: ["Note/a.json": #"{"n": 1, "pic": {"$asset": "a.png"}}"#, "Note/a.png": "png"],
            first: { try $0.write("png2", to: "Note/a.png") },
            second: { try $0.write(#"{"n": 2, "pic": {"$asset": "a.png"}}"#, to: "Note/a.json") },
            end: ["Note/a.json": #"{"n": 2, "pic": {"$asset": "a.png"}}"#, "Note/a.png": "png2"]),
        TwoDeviceCase(
            name: "an attached picture changed on both",
            start: ["Note/a.json": #"{"n": 1, "pic": {"$asset": "a.png"}}"#, "Note/a.png": "png"],
            first: { try $0.write("png2", to: "Note/a.png") }, second: { try $0.write("png3", to: "Note/a.png") },
            end: ["Note/a.json": #"{"n": 1, "pic": {"$asset": "a.png"}}"#, "Note/a.png": "png2"], copies: ["png3"]),
        TwoDeviceCase(
            name: "nested values and lists", start: ["Note/a.json": #"{"o": {"a": 1, "b": 1}, "l": ["x"]}"#],
            first: { try $0.write(#"{"o": {"a": 2, "b": 1}, "l": ["x", "y"]}"#, to: "Note/a.json") },
            second: { try $0.write(#"{"o": {"a": 1, "b": 2}, "l": ["x", "z"]}"#, to: "Note/a.json") },
            end: ["Note/a.json": #"{"o": {"a": 2, "b": 2}, "l": ["x", "z", "y"]}"#]),
    ]
}
