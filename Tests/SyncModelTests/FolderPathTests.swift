import SyncModel
import Testing

@Suite("Folder paths")
struct FolderPathTests {
    @Test(
        "A path that could leave the root is no path",
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "a/./b", "a\0b", String(repeating: "x", count: 256),
        ])
    func unsafe(text: String) {
        #expect(FolderPath(text) == nil)
    }

    @Test("Names of dots that are no navigation are paths", arguments: ["...", ".a", "a..", "Note/.hidden"])
    func dots(text: String) {
        #expect(FolderPath(text)?.text == text)
    }

    @Test("Two normal forms of one name are two paths")
    func normalForms() throws {
        let composed = try #require(FolderPath("caf\u{e9}"))
        let decomposed = try #require(FolderPath("cafe\u{301}"))
        #expect(composed != decomposed)
        #expect(RecordName("caf\u{e9}") != RecordName("cafe\u{301}"))
    }

    @Test("Bytes that are no UTF-8 are kept, and shown as hexadecimal digits")
    func bytes() throws {
        let path = try #require(FolderPath(bytes: [0x61, 0xFF, 0x0A]))
        #expect(path.bytes == [0x61, 0xFF, 0x0A])
        #expect(path.text == nil)
        #expect(path.description == "a\\xFF\\x0A")
    }

    @Test("A sibling with the same beginning is not below")
    func below() throws {
        let note = try #require(FolderPath("Note"))
        #expect(try #require(FolderPath("Note/a")).isBelow(note))
        #expect(try !#require(FolderPath("Notes/a")).isBelow(note))
        #expect(!note.isBelow(note))
    }

    @Test("A hash survives its hexadecimal form")
    func hash() throws {
        let hash = try #require(ContentHash(bytes: 0..<32))
        #expect(ContentHash(hex: hash.hex) == hash)
        #expect(hash.hex.hasPrefix("000102"))
        #expect(ContentHash(bytes: 0..<31) == nil)
    }
}
