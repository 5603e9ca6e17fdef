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

    @Test("A path that gets another name, or one more, is never longer than a path can be")
    func longest() throws {
        let above = String(repeating: String(repeating: "d", count: 99) + "/", count: 40)
        let path = try #require(FolderPath(above + "a"))
        let name = [UInt8](repeating: 0x61, count: 95)
        #expect(path.replacing(name: name)?.bytes.count == FolderPath.longest)
        #expect(path.replacing(name: name + [0x61]) == nil)
        #expect(path.appending(name: name.dropLast(2))?.bytes.count == FolderPath.longest)
        #expect(path.appending(name: name.dropLast()) == nil)
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
        // What turns the direction of writing makes one name look like another one.
        #expect(FolderPath("a\u{202E}gpj.exe")?.description == #"a\xE2\x80\xAEgpj.exe"#)
        #expect(FolderPath("\u{5D0}\u{200F}.txt")?.description == "\u{5D0}\u{200F}.txt")
    }

    @Test(
        "What is shown of a path is that path, whatever its bytes, and no other one's",
        arguments: [#"a\xFFb"#, #"a\x"#, #"a\\x41"#, "a\nb", "caf\u{e9}", "a\u{202E}b", #"\x5CxFF"#, "a\u{7F}\\"])
    func shown(text: String) throws {
        let path = try #require(FolderPath(text))
        #expect(FolderPath(shown: path.description) == path, "\(path)")
        let others = [[0x61, 0xFF, 0x62], [0x61, 0x5C, 0xFF], Array(text.utf8) + [0xFF]] as [[UInt8]]
        for other in others.compactMap({ FolderPath(bytes: $0) }) {
            #expect(FolderPath(shown: other.description) == other, "\(other)")
            #expect(other.description != path.description)
        }
        #expect(FolderPath(shown: #"a\x2F\x2Fb"#) == nil)
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
