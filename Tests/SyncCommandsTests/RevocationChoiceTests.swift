import ArgumentParser
import Testing

@testable import SyncCommands

@Suite("Which of several is meant by the beginning of an ID, and rows of text")
struct RevocationChoiceTests {
    private static let ids = ["aaaaaa11", "aaaaaa22", "bbbbbb33"]

    @Test("One that begins so is meant; none or several are said, and nothing is revoked")
    func choice() throws {
        #expect(try RevocationChoice.one(of: Self.ids, named: "bbbbbb", "key", "serve key list") == "bbbbbb33")
        #expect(try RevocationChoice.one(of: Self.ids, named: "aaaaaa2", "key", "serve key list") == "aaaaaa22")
        for (text, status, said) in [
            ("aaaaaa", ExitStatus.usage, "more than one key"), ("cccccc", .error, "zonefolder serve key list"),
        ] {
            let failure = #expect(throws: CommandFailure.self) {
                try RevocationChoice.one(of: Self.ids, named: text, "key", "serve key list")
            }
            #expect(failure?.status == status && failure?.message.contains(said) == true)
        }
        #expect(throws: Never.self) { try RevocationChoice.check("0a1b2c") }
        for text in ["", "0a1b2", "0A1B2C", "zzzzzz", String(repeating: "0", count: 65)] {
            #expect(throws: ValidationError.self) { try RevocationChoice.check(text) }
        }
    }

    @Test("Columns are as wide as their widest cell, and no line ends with a space")
    func columns() {
        #expect(TextColumns.lines([["a", "bb", ""], ["ccc", "d", "e"], ["f"]]) == ["a    bb", "ccc  d   e", "f"])
        #expect(TextColumns.lines([]).isEmpty)
    }
}
