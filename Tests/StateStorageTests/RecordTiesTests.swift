import SyncModel
import Testing

@testable import StateRows

@Suite("How a record is tied to others (S4.19)")
struct RecordTiesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let record: String
        var parent: String?
        let ties: RecordTies

        var testDescription: String { "\(record), parent \(parent ?? "none")" }
    }

    @Test(
        "A record that may refer to others, or keep them from being deleted, is told by its words",
        arguments: [
            Row(record: "", ties: []),
            Row(record: #"{"fields":{"n":{"value":1,"type":"INT64"}}}"#, ties: []),
            Row(record: "REFERENCE", ties: .refers),
            Row(record: #"{"a":{"type":"REFERENCE_LIST"}}"#, ties: .refers),
            Row(record: #"{"a":{"value":{"action":"NONE"},"type":"REFERENCE"}}"#, ties: .refers),
            Row(record: #"{"a":{"value":{"action":"VALIDATE"},"type":"REFERENCE"}}"#, ties: [.refers, .keepsOthers]),
            Row(record: #"{"a":{"value":{"action":"VALIDATE"}}}"#, ties: .keepsOthers),
            Row(record: "{}", parent: "folder", ties: .keepsOthers),
            Row(record: "REFERENC", ties: []),
            Row(record: #"{"a":{"value":"reference, validate"}}"#, ties: []),
        ])
    func byWords(row: Row) {
        let entry = RemoteEntry(
            name: RecordName("n"), recordType: "Note", changeTag: "1", path: FolderPath("Note/n.json")!,
            createdMilliseconds: 0)
        var stored = RemoteRow(entry: entry, record: Array(row.record.utf8))
        stored.parent = row.parent
        #expect(RecordTies(of: stored) == row.ties)
    }
}
