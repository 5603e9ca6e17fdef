import CloudKitSchema
import Testing

@testable import SyncCommands

@Suite("What schema commands print")
struct SchemaReportTests {
    @Test(
        "Each change is one line of text and one JSON object",
        arguments: [
            (.addRole("r"), #"{"change":"addRole","role":"r"}"#),
            (.removeRole("r"), #"{"change":"removeRole","role":"r"}"#),
            (.addRecordType("T"), #"{"change":"addRecordType","recordType":"T"}"#),
            (.removeRecordType("T"), #"{"change":"removeRecordType","recordType":"T"}"#),
            (
                .addField("f", of: "T", type: .list(.int64)),
                #"{"change":"addField","field":"f","recordType":"T","type":"LIST<INT64>"}"#
            ),
            (
                .removeField("f", of: "T", type: .encrypted(.string)),
                #"{"change":"removeField","field":"f","recordType":"T","type":"ENCRYPTED STRING"}"#
            ),
            (
                .retypeField("f", of: "T", from: .init(.number), to: .init(.numberPreferringInt64)),
                #"{"change":"retypeField","field":"f","newType":"NUMBER PREFERRED AS INT64","recordType":"T","type":"NUMBER"}"#
            ),
            (
                .addIndex(.sortable, field: "f", of: "T"),
                #"{"change":"addIndex","field":"f","index":"SORTABLE","recordType":"T"}"#
            ),
            (
                .removeIndex(.queryable, field: "f", of: "T"),
                #"{"change":"removeIndex","field":"f","index":"QUERYABLE","recordType":"T"}"#
            ),
            (
                .addGrant(.read, role: "r", of: "T"),
                #"{"change":"addGrant","permission":"READ","recordType":"T","role":"r"}"#
            ),
            (
                .removeGrant(.write, role: "r", of: "T"),
                #"{"change":"removeGrant","permission":"WRITE","recordType":"T","role":"r"}"#
            ),
        ] as [(SchemaChange, String)])
    func change(change: SchemaChange, json: String) throws {
        let report = SchemaChangeReport(from: "a", to: "b", changes: [change])
        #expect(try JSONText.line(report) == #"{"changes":[\#(json)],"from":"a","to":"b"}"#)
        #expect(report.text("1 change.") == "\(change)\na → b: 1 change.")
    }

    @Test("A problem is printed as compilers print places")
    func problem() {
        #expect(
            SchemaProblem("Wrong.", at: SchemaPosition(line: 3, column: 9)).line(in: "a.ckdb") == "a.ckdb:3:9: Wrong.")
        #expect(SchemaProblem("Wrong.").line(in: "a.ckdb") == "a.ckdb: Wrong.")
    }
}
