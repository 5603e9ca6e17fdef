import LocalFolder
import SyncModel
import Testing

@Suite("Conflict copies' names")
struct ConflictCopyNameTests {
    static let time: Int64 = 1_768_471_872  // 2026-01-15 10:11:12 UTC

    @Test(
        "The time and the device come before the ending",
        arguments: [
            ("Note/a.json", "Note/a.conflict-20260115T101112Z-laptop.json"),
            ("a.tar.gz", "a.tar.conflict-20260115T101112Z-laptop.gz"),
            ("Makefile", "Makefile.conflict-20260115T101112Z-laptop"),
            (".profile", ".profile.conflict-20260115T101112Z-laptop"),
            (".a.json", ".a.conflict-20260115T101112Z-laptop.json"),
            ("d.d/x", "d.d/x.conflict-20260115T101112Z-laptop"),
        ])
    func name(path: String, expected: String) throws {
        let path = try #require(FolderPath(path))
        let copy = try #require(ConflictCopyName.make(for: path, at: Self.time, device: "laptop"))
        #expect(copy.text == expected)
        #expect(ConflictCopyName.isConflictCopy(copy))
        #expect(ConflictCopyName.original(of: copy) == path)
        #expect(!ConflictCopyName.isConflictCopy(path))
    }

    @Test("A copy of a copy is named like a copy of the original")
    func copyOfCopy() {
        let copy: FolderPath = "a.conflict-20200101T000000Z-other-2.json"
        #expect(
            ConflictCopyName.make(for: copy, at: Self.time, device: "laptop")?.text
                == "a.conflict-20260115T101112Z-laptop.json")
    }

    @Test(
        "A device's name cannot lead anywhere",
        arguments: ["../x", "my laptop", "", "ä", String(repeating: "x", count: 99)])
    func device(name: String) throws {
        let path: FolderPath = "a.json"
        for attempt in [1, 2, 99] {
            let copy = try #require(ConflictCopyName.make(for: path, at: Self.time, device: name, attempt: attempt))
            #expect(copy.parent == nil)
            #expect(copy.bytes.allSatisfy { $0 < 0x80 })
            #expect(ConflictCopyName.original(of: copy) == path)
        }
    }

    @Test("The zone's version is told from those of devices, whatever these are called")
    func zone() throws {
        let path: FolderPath = "Note/a.json"
        for attempt in [1, 2] {
            let copy = try #require(ConflictCopyName.make(for: path, at: 0, device: nil, attempt: attempt))
            #expect(copy.description == "Note/a.conflict-19700101T000000Z-zone\(attempt == 1 ? "" : "-2").json")
            #expect(ConflictCopyName.isOfZone(copy))
            #expect(ConflictCopyName.original(of: copy) == path)
            for device in ["zone", "zone-2", "zone 7", "zones", "oak", ""] {
                let copy = try #require(ConflictCopyName.make(for: path, at: 0, device: device, attempt: attempt))
                #expect(!ConflictCopyName.isOfZone(copy), "\(copy)")
                #expect(ConflictCopyName.original(of: copy) == path)
            }
        }
        #expect(!ConflictCopyName.isOfZone(path))
    }

    @Test("The longest name gives way at a character's border")
    func longest() throws {
        let path = try #require(FolderPath("d/" + String(repeating: "ä", count: 125) + ".json"))
        for device in ["a", "ab", "abc", "abcd"] {
            let copy = try #require(ConflictCopyName.make(for: path, at: Self.time, device: device, attempt: 12))
            #expect(copy.name.count <= 255)
            #expect(copy.name.count > 250)
            #expect(copy.text != nil)
            #expect(ConflictCopyName.isConflictCopy(copy))
        }
        let ending = try #require(FolderPath("a." + String(repeating: "x", count: 253)))
        #expect(try #require(ConflictCopyName.make(for: ending, at: Self.time, device: "a")).name.count <= 255)
        // Bytes that begin no character have no border.
        let odd = try #require(FolderPath(bytes: [UInt8](repeating: 0x80, count: 255)))
        #expect(try #require(ConflictCopyName.make(for: odd, at: Self.time, device: "a")).name.count == 255)
    }

    @Test(
        "A long path leaves its copies less room: first the stem gives way, then the ending, then there is no copy",
        arguments: [
            (50, "note-ä.conflict-20260115T101112Z-laptop.json"), (51, "note-.conflict-20260115T101112Z-laptop.json"),
            (57, "note-.conflict-20260115T101112Z-laptop"), (61, "n.conflict-20260115T101112Z-laptop"), (62, nil),
        ] as [(Int, String?)])
    func longestPath(last: Int, expected: String?) throws {
        let above = String(repeating: String(repeating: "d", count: 99) + "/", count: 40)
        let path = try #require(FolderPath(above + String(repeating: "e", count: last - 1) + "/note-ä.json"))
        let copy = ConflictCopyName.make(for: path, at: Self.time, device: "laptop")
        #expect(copy.map { String(decoding: $0.name, as: UTF8.self) } == expected)
        if let copy {
            #expect(copy.parent == path.parent && FolderPath(bytes: copy.bytes) == copy)
            #expect(ConflictCopyName.isConflictCopy(copy))
        }
    }

    @Test(
        "What only resembles a conflict copy is a file like any other",
        arguments: [
            "a.conflict-20260115T101112Z", "a.conflict-20260115T101112Z-", "a.conflict-2026-laptop.json",
            "a.conflict-20260115X101112Z-laptop.json", "conflict-20260115T101112Z-laptop.json",
            "a.conflict-20260115T101112Z-lap top.json",
        ])
    func others(path: String) throws {
        #expect(try !ConflictCopyName.isConflictCopy(#require(FolderPath(path))))
    }

    @Test(
        "Times are those of the calendar",
        arguments: [
            (Int64(0), "19700101T000000Z"), (951_782_400, "20000229T000000Z"), (4_107_542_399, "21000228T235959Z"),
            (-1, "19691231T235959Z"), (1_709_164_800, "20240229T000000Z"), (1_735_689_599, "20241231T235959Z"),
        ])
    func times(seconds: Int64, text: String) {
        let path: FolderPath = "a"
        #expect(ConflictCopyName.make(for: path, at: seconds, device: "d")?.text == "a.conflict-\(text)-d")
    }
}
