import RecordPaths
import SeededRandomness
import SyncModel
import Testing

@Suite("Paths and record names")
struct PathMappingTests {
    let paths = PathMapping()

    @Test(
        "A new file's record name is its path, readable",
        arguments: [
            ("Note/a.json", true, "Note/a"), ("Note/sub/a b.json", true, "Note/sub/a b"), ("a.txt", false, "a.txt"),
            ("_draft", false, "%5Fdraft"), ("50%.txt", false, "50%25.txt"), ("é", false, "%C3%A9"),
            ("a\nb", false, "a%0Ab"),
        ])
    func names(path: String, isStructured: Bool, name: String) {
        let path = FolderPath(path)!
        #expect(RecordNaming.recordName(for: path, isStructured: isStructured) == RecordName(name))
        let back =
            isStructured
            ? paths.defaultPath(of: RecordName(name), type: "Note")
            : paths.path(ofFile: RecordName(name), attribute: nil)
        #expect(back == path)
    }

    @Test("A path that is too long for a name, or whose name is taken, gets a name that ends in a hash")
    func longNames() {
        let path = FolderPath((0..<8).map { _ in String(repeating: "é", count: 40) }.joined(separator: "/"))!
        var seen: Set<RecordName> = []
        for attempt in 0..<6 {
            let name = RecordNaming.recordName(for: path, isStructured: false, attempt: attempt)
            #expect(name.rawValue.utf8.count <= 255)
            #expect(name.rawValue.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
            #expect(seen.insert(name).inserted)
        }
        let short = FolderPath("Note/a.json")!
        #expect(RecordNaming.recordName(for: short, isStructured: true, attempt: 1).rawValue.hasPrefix("Note/a~"))
        #expect(
            RecordNaming.recordName(for: short, isStructured: true, attempt: 1)
                != RecordNaming.recordName(for: FolderPath("Note/a")!, isStructured: false, attempt: 1))
    }

    static let hostile = [
        "../../etc/passwd", "a//b", ".", "..", "/", "//", "", ".zonefolder", ".zonefolder/x",
        ".ZoneFolder/state.sqlite",
        "Note/../x", "Note/", "Note//", "CON", "a\u{0}b", "a\nb", "\u{1B}[2J", "%2e%2e/x", "%2E%2E", "%2F", "a%2Fb",
        "%",
        "%zz", "é", "e\u{301}", "_x", "x/", "/x", "./x", "x/.", "~", "a~0123456789abcdef", ".json", "Note",
        "Note/.json",
        "Note/..", ".zonefolder-tmp", "x/.zonefolder/y", ".zonefolderignore/x", String(repeating: "n", count: 255),
        String(repeating: "n", count: 251), "Note/" + String(repeating: "n", count: 250),
        String(repeating: "é", count: 200),
        String(repeating: "a/", count: 127), String(repeating: "d/", count: 3000), String(repeating: ".", count: 300),
        String(repeating: "%", count: 255),
    ]

    /// Whether a path is one that no record may claim.
    func isForbidden(_ path: FolderPath) -> Bool {
        if path.names.count > 1, path.names[0].elementsEqual(".zonefolderignore".utf8) { return true }
        return path.names.contains { name in
            String(decoding: name, as: UTF8.self).lowercased().hasPrefix(".zonefolder")
                && String(decoding: name, as: UTF8.self) != ".zonefolderignore"
        }
    }

    @Test("Every record name gets a safe path, always the same one", arguments: hostile)
    func hostileNames(name: String) {
        let name = RecordName(name)
        let structured = paths.defaultPath(of: name, type: "Note")
        #expect(structured == paths.defaultPath(of: name, type: "Note"))
        #expect(FolderPath(bytes: structured.bytes) != nil)
        #expect(!isForbidden(structured))
        #expect(paths.structuredType(of: structured) == "Note")
        let file = paths.path(ofFile: name, attribute: nil)
        #expect(FolderPath(bytes: file.bytes) != nil)
        #expect(!isForbidden(file))
    }

    @Test("Every path attribute gets a safe path", arguments: hostile)
    func hostileAttributes(text: String) {
        let file = paths.path(ofFile: RecordName("x"), attribute: text)
        #expect(FolderPath(bytes: file.bytes) != nil)
        #expect(!isForbidden(file))
        let structured = paths.path(ofStructured: RecordName("x"), type: "Note", hint: text)
        #expect(paths.structuredType(of: structured) == "Note")
        #expect(!isForbidden(structured))
        #expect(!isForbidden(paths.defaultPath(of: RecordName("x"), type: text)))
    }

    @Test("Two names never meet in one path by escaping alone")
    func injective() {
        var random = SeededGenerator(seed: 7)
        let pieces = ["a", "b", "/", ".", "..", "%", "2", "E", "é", "_", "~", "\u{0}", "\n", ".zonefolder", " ", "Z"]
        var names = Set(Self.hostile.map { RecordName($0) })
        for _ in 0..<5000 {
            let count = Int.random(in: 0..<6, using: &random)
            names.insert(RecordName((0..<count).map { _ in pieces.randomElement(using: &random)! }.joined()))
        }
        // A name may try to be the escaped form of another one.
        for name in names {
            let escaped = paths.path(ofFile: name, attribute: nil)
            if let text = escaped.text { names.insert(RecordName(text)) }
        }
        var owners: [FolderPath: RecordName] = [:]
        var structured: [FolderPath: RecordName] = [:]
        for name in names {
            let other = owners.updateValue(name, forKey: paths.path(ofFile: name, attribute: nil))
            #expect(other == nil, "\(name) and \(other ?? name)")
            let second = structured.updateValue(name, forKey: paths.defaultPath(of: name, type: "Q"))
            #expect(second == nil, "\(name) and \(second ?? name)")
        }
    }

    @Test("A path that is not UTF-8 travels as its bytes")
    func bytes() {
        let path = FolderPath(bytes: [0x61, 0x2F, 0xFF, 0x25])!
        #expect(PathAttribute.text(of: path) == "/a/%FF%25")
        #expect(PathAttribute.path(of: "/a/%FF%25") == path)
        #expect(PathAttribute.path(of: "/a/b") == nil)
        #expect(PathAttribute.text(of: FolderPath("a/é%")!) == "a/é%")
        let name = RecordNaming.recordName(for: path, isStructured: false)
        #expect(name == RecordName("a/%FF%25"))
        #expect(paths.path(ofFile: name, attribute: nil) == path)
    }

    @Test("The second claimant of a path lies beside it, ever another place for ever another attempt")
    func displaced() {
        let path = FolderPath("Note/a.json")!
        let first = PathMapping.displaced(path, recordName: RecordName("x"))
        #expect(first.description.hasPrefix("Note/a~"))
        #expect(first.bytes.count == "Note/a~123456.json".utf8.count)
        #expect(paths.structuredType(of: first) == "Note")
        #expect(PathMapping.displaced(path, recordName: RecordName("y")) != first)
        #expect(PathMapping.displaced(path, recordName: RecordName("x"), attempt: 2) != first)
        let long = FolderPath("Note/" + String(repeating: "é", count: 125) + ".json")!
        let cut = PathMapping.displaced(long, recordName: RecordName("x"))
        #expect(cut.name.count <= 255)
        #expect(cut.text != nil)
        let deep = FolderPath(String(repeating: "d/", count: 2046) + "a.b")!
        let flat = PathMapping.displaced(deep, recordName: RecordName("x"))
        #expect(FolderPath(bytes: flat.bytes) != nil)
    }

    @Test(
        "Which paths can be structured records",
        arguments: [
            ("Note/a.json", "Note"), ("Note/b/c.json", "Note"), ("a.json", nil), ("Note/a.txt", nil),
            ("Note/.json", nil),
            ("File/a.json", nil), ("Users/a.json", nil), ("_N/a.json", nil), ("N-1/a.json", nil), ("1N/a.json", nil),
        ] as [(String, String?)])
    func structured(path: String, type: String?) {
        #expect(paths.structuredType(of: FolderPath(path)!) == type)
    }

    @Test("A path hint counts only for its own record type")
    func hints() {
        let name = RecordName("Note/a")
        #expect(paths.path(ofStructured: name, type: "Note", hint: "Note/b.json") == FolderPath("Note/b.json"))
        #expect(paths.path(ofStructured: name, type: "Note", hint: "Todo/b.json") == FolderPath("Note/a.json"))
        #expect(paths.path(ofStructured: RecordName("b"), type: "Note", hint: nil) == FolderPath("Note/b.json"))
    }
}
