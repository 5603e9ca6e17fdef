import Testing

@testable import SyncCommands

@Suite("The index that a refused query lacks")
struct MissingIndexTests {
    @Test(
        "A refusal that names it becomes the command that makes it",
        arguments: [
            (
                "The server refused it: BAD_REQUEST: Field 'recordName' is not marked queryable.", "iCloud.zonefolder",
                "zonefolder schema index Note recordName --data DIR"
            ),
            (
                "Field 'rank' is not marked sortable", "iCloud.com.example",
                "zonefolder schema index Note rank --kind sortable --data DIR --container iCloud.com.example"
            ),
            ("Field 'a' is not marked curious", "iCloud.zonefolder", nil),
            ("Unknown field 'a'", "iCloud.zonefolder", nil),
        ])
    func command(message: String, container: String, command: String?) {
        #expect(MissingIndex(in: message, recordType: "Note")?.command(in: container) == command)
    }
}
