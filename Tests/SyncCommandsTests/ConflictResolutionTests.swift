import FolderControl
import Testing

@testable import SyncCommands

@Suite("Settling conflicts: what the file is to have, and which are meant")
struct ConflictResolutionTests {
    @Test(
        "The fields that collided come from the copy, and every other byte of the file stays",
        arguments: [
            (["a"], #"{"a": 1, "b": 2}"#, #"{"a": 9, "b": 7}"#, #"{"a": 9, "b": 2}"#),
            (
                ["deep.p"], #"{"deep": {"p": 1, "q": 2}}"#, #"{"deep": {"q": 7, "p": 9}}"#,
                #"{"deep": {"p": 9, "q": 2}}"#
            ),
            (["a.b"], #"{"a.b": 1, "a": {"b": 2}}"#, #"{"a.b": 9}"#, #"{"a.b": 9, "a": {"b": 2}}"#),
            (["gone"], #"{"gone": 1, "b": 2}"#, #"{"b": 7}"#, #"{"b": 2}"#),
            (["new"], #"{"b": 2}"#, #"{"new": [1], "b": 7}"#, #"{"b": 2, "new": [1]}"#),
            (
                ["at.latitude"], #"{"at": {"latitude": 1, "longitude": 2}}"#,
                #"{"at": {"latitude": 8, "longitude": 9}}"#, #"{"at": {"latitude": 8, "longitude": 9}}"#
            ),
            (["deep.p"], #"{"b": 2}"#, #"{"deep": {"p": 9}}"#, #"{"b": 2, "deep": {"p": 9}}"#),
            (["a", "b"], #"{"a": 1, "b": 2, "c": 3}"#, #"{"a": 8, "b": 9, "c": 7}"#, #"{"a": 8, "b": 9, "c": 3}"#),
            ([], #"{"a": 1, "b": 2}"#, #"{"a": 9}"#, #"{"a": 9}"#), (["a"], "no JSON", #"{"a": 9}"#, #"{"a": 9}"#),
            (["a"], #"{"a": 1}"#, "no JSON", "no JSON"),
        ])
    func merge(_ fields: [String], _ file: String, _ copy: String, _ expected: String) {
        let bytes = ConflictMerge.taking(fields, of: Array(copy.utf8), into: Array(file.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test("A file that is gone comes back as the copy is")
    func gone() {
        #expect(ConflictMerge.taking(["a"], of: [1, 2], into: nil) == [1, 2])
    }

    private static func conflict(_ path: String, _ device: String, at: Int64) -> StatusReport.Conflict {
        StatusReport.Conflict(
            path: path, copy: "\(path).conflict-20260115T101112Z-\(device)", fields: ["a"], atMilliseconds: at)
    }

    @Test(
        "A path means all conflicts of its file, oldest first, or the one of a copy; with --all a folder means those below"
    )
    func choice() throws {
        let conflicts = [
            Self.conflict("a", "two", at: 2), Self.conflict("a", "one", at: 1), Self.conflict("d/b", "x", at: 3),
        ]
        #expect(try ConflictChoice.conflicts(conflicts, at: "a", all: false).map(\.atMilliseconds) == [1, 2])
        #expect(try ConflictChoice.conflicts(conflicts, at: conflicts[0].copy, all: false) == [conflicts[0]])
        #expect(try ConflictChoice.conflicts(conflicts, at: nil, all: true).count == 3)
        #expect(try ConflictChoice.conflicts(conflicts, at: "d", all: true) == [conflicts[2]])
        for (path, all) in [("d", false), ("b", true), ("e", false)] {
            let failure = #expect(throws: CommandFailure.self) {
                try ConflictChoice.conflicts(conflicts, at: path, all: all)
            }
            #expect(failure?.status == .error && failure?.message.contains("\(path) has no conflict") == true)
        }
    }

    @Test("What replaces JSON must be JSON; what replaces anything else may be anything")
    func merged() throws {
        #expect(throws: CommandFailure.self) {
            try MergedFile.check(Array("{".utf8), named: "x", insteadOf: Array("{}".utf8))
        }
        try MergedFile.check(Array("{".utf8), named: "x", insteadOf: Array("text".utf8))
        try MergedFile.check(Array("{".utf8), named: "x", insteadOf: nil)
    }
}
