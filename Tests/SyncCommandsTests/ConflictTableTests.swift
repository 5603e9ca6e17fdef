import ArgumentParser
import FolderControl
import Foundation
import SystemPackage
import Testing

@testable import SyncCommands

@Suite("A conflict, side by side")
struct ConflictTableTests {
    private static func lines(zone: String, yours: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zf-conflict-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = "a.conflict-laptop-20261129T100000.txt"
        try Data(zone.utf8).write(to: folder.appending(path: "a.txt"))
        try Data(yours.utf8).write(to: folder.appending(path: copy))
        let conflict = StatusReport.Conflict(path: "a.txt", copy: copy, fields: [], atMilliseconds: 0)
        let comparison = ConflictComparison(conflict, in: FilePath(folder.path), device: "laptop")
        return ConflictTable.lines(of: comparison, account: nil)
    }

    @Test("Of two texts the lines are shown in which they differ, of very many the first")
    func texts() throws {
        let few = try Self.lines(zone: "one\ntwo\n", yours: "one\n2\n")
        #expect(few.contains("  the zone's lines with -, yours with +:"))
        #expect(few.contains("  -two") && few.contains("  +2") && few.contains("   one"))
        let many = try Self.lines(
            zone: (0..<99).map { "a\($0)\n" }.joined(), yours: (0..<99).map { "b\($0)\n" }.joined())
        #expect(many.contains("  -a0") && !many.contains("  -a50"))
        #expect(many.contains { $0.hasPrefix("  … and ") })
    }

    @Test("Of objects the fields are, and of what is no text the sizes alone")
    func others() throws {
        let objects = try Self.lines(zone: #"{"a": 1}"#, yours: #"{"a": 2}"#)
        #expect(objects.contains { $0.hasPrefix("  a ") } && !objects.contains { $0.hasPrefix("  the zone's lines") })
        let bytes = try Self.lines(zone: "a\0b", yours: "a\0c")
        #expect(bytes.contains { $0.hasPrefix("  size ") } && !bytes.contains { $0.hasPrefix("  the zone's lines") })
    }
    @Test(
        "The way out names a path so that a command takes it for no option",
        arguments: [
            ("-q.txt", "./-q.txt"), ("--mine", "./--mine"), ("-a b.txt", "'./-a b.txt'"), ("a/-q.txt", "a/-q.txt"),
            ("q-.txt", "q-.txt"),
        ])
    func dashes(path: String, word: String) {
        #expect(ConflictText.remedy(path).hasPrefix("zonefolder resolve \(word) --mine, "))
    }

    @Test("An option behind two dashes is no option, and the message says how the path is written then")
    func optionBehindDashes() throws {
        let error = try #require(throws: (any Error).self) {
            try ZonefolderCommand.parseAsRoot(["resolve", "--", "-q.txt", "--mine"])
        }
        #expect(ZonefolderCommand.message(for: error).contains("write ./-q.txt, and no --."))
        #expect(throws: Never.self) { try ZonefolderCommand.parseAsRoot(["resolve", "./-q.txt", "--mine"]) }
        #expect(throws: Never.self) { try ZonefolderCommand.parseAsRoot(["resolve", "--mine", "--", "-q.txt"]) }
    }
}
