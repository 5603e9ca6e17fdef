import Foundation
import Testing

@Suite("Records of another web client", .timeLimit(.minutes(30)))
struct ForeignRecordTests {
    @Test("Every type arrives as a plain file, alike on two devices; an edit sends that field only (S1.20, S4.2)")
    func everyType() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try await laptop.sync()
        let client = try await WebClient(world)
        _ = try await client.create("All", "target", fields: #"{"s": {"value": "t", "type": "STRING"}}"#)
        let picture = Data([0x89] + "PNG\r\n\u{1A}\n".utf8)
        let cover = try await client.upload(picture, to: "as", of: "all", "All")
        let first = try await client.upload(Data("%PDF-1".utf8), to: "asl", of: "all", "All")
        let second = try await client.upload(Data("text\n".utf8), to: "asl", of: "all", "All")
        let made = try await client.create(
            "All", "all",
            fields: Self.fields.dropLast() + #","as":{"value":\#(cover),"type":"ASSETID"},"#
                + #""asl":{"value":[\#(first),\#(second)],"type":"ASSETID_LIST"}}"#)
        #expect(made["serverErrorCode"] == .null, "\(made)")
        let before = try await client.records()[Array("all".utf8)]?["fields"].lasting.members ?? [:]

        try await laptop.sync()
        try await desk.sync()
        #expect(try String(decoding: laptop.bytes("All/all.json"), as: UTF8.self) == Self.file)
        #expect(try laptop.bytes("All/all.as.png") == Array(picture))
        #expect(try laptop.bytes("All/all.asl.0.pdf") == Array("%PDF-1".utf8))
        #expect(try laptop.bytes("All/all.asl.1.txt") == Array("text\n".utf8))
        #expect(try laptop.fileBytes() == desk.fileBytes())

        let edited = Self.file.replacing("text é", with: "TEXT é")
        try desk.write(edited, to: "All/all.json")
        try await desk.sync()
        try await laptop.sync()
        #expect(laptop.read("All/all.json") == edited)
        let after = try await client.records()[Array("all".utf8)]?["fields"].lasting.members ?? [:]
        let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        // The hints say what references and assets are called in the file.
        #expect(changed.subtracting(["zonefolder"]) == ["s"])
        #expect(after["sec"]?["isEncrypted"] == .bool(true))
        #expect(after["zonefolder"]?["value"].string.contains("hidden") == false)
    }

    @Test(
        "Another client's change of one field leaves the file's layout, on every device (S1.20)",
        arguments: LayoutRow.all)
    func layout(_ row: LayoutRow) async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        for (index, file) in row.files.enumerated() { try laptop.write(file.text, to: "T\(index)/it.json") }
        try await laptop.sync()
        try await desk.sync()
        let client = try await WebClient(world)
        for (index, file) in row.files.enumerated() {
            let result = try await client.change("T\(index)/it", fields: file.change)
            #expect(result["serverErrorCode"] == .null, "\(result)")
        }
        try await laptop.sync()
        try await desk.sync()
        for (index, file) in row.files.enumerated() {
            #expect(laptop.read("T\(index)/it.json") == file.result)
            #expect(desk.read("T\(index)/it.json") == file.result)
        }
    }

    @Test("Where two fields name one file and another client changes one of them, both keep their bytes")
    func sharedFile() async throws {
        let world = try await RealWorld()
        let laptop = try await world.addFolder("laptop")
        let desk = try await world.addFolder("desk")
        try laptop.write(#"{"big": {"$asset": "a.txt"}, "small": {"$asset": "a.txt"}}"#, to: "Note/two.json")
        try laptop.write("one", to: "Note/a.txt")
        try await laptop.sync()
        let client = try await WebClient(world)
        let asset = try await client.upload(Data("two".utf8), to: "small", of: "Note/two", "Note")
        _ = try await client.change("Note/two", fields: #"{"small":{"value":\#(asset),"type":"ASSETID"}}"#)
        try await desk.sync()
        try await laptop.sync()
        #expect(try laptop.fileBytes() == desk.fileBytes())
        #expect(desk.read("Note/a.txt") == "one")
        #expect(desk.read("Note/two.small.txt") == "two")
        let record = try await client.records()[Array("Note/two".utf8)] ?? .null
        #expect(try await client.download(record["fields"]["big"]) == Data("one".utf8))
        #expect(try await client.download(record["fields"]["small"]) == Data("two".utf8))
    }

    private static let fields = #"""
        {"s":{"value":"text é 😀","type":"STRING"},"i":{"value":9007199254740993,"type":"INT64"},
        "d":{"value":1,"type":"DOUBLE"},"t":{"value":1790000000123,"type":"TIMESTAMP"},
        "b":{"value":"AAEC/w==","type":"BYTES"},"r":{"value":{"recordName":"target","action":"DELETE_SELF"},"type":"REFERENCE"},
        "r2":{"value":{"recordName":"target","action":"NONE"},"type":"REFERENCE"},
        "r3":{"value":{"recordName":"absent","action":"NONE"},"type":"REFERENCE"},
        "l":{"value":{"latitude":48.2,"longitude":16.37,"altitude":171.5,"timestamp":1790000000123},"type":"LOCATION"},
        "sl":{"value":["a","b"],"type":"STRING_LIST"},"il":{"value":[1,9007199254740993],"type":"INT64_LIST"},
        "dl":{"value":[1.5,2],"type":"DOUBLE_LIST"},"tl":{"value":[0,-1],"type":"TIMESTAMP_LIST"},
        "bl":{"value":["AA==",""],"type":"BYTES_LIST"},
        "rl":{"value":[{"recordName":"target","action":"NONE"}],"type":"REFERENCE_LIST"},
        "ll":{"value":[{"latitude":1,"longitude":2}],"type":"LOCATION_LIST"},
        "sec":{"value":"hidden","type":"STRING","isEncrypted":true},
        "seb":{"value":"AAEC","type":"BYTES","isEncrypted":true}}
        """#

    private static let file = #"""
        {
          "as": "all.as.png",
          "asl": [
            "all.asl.0.pdf",
            "all.asl.1.txt"
          ],
          "b": "AAEC/w==",
          "bl": [
            "AA==",
            ""
          ],
          "d": 1.0,
          "dl": [
            1.5,
            2.0
          ],
          "i": 9007199254740993,
          "il": [
            1,
            9007199254740993
          ],
          "l": {
            "latitude": 48.2,
            "longitude": 16.37,
            "altitude": 171.5,
            "timestamp": "2026-09-21T14:13:20.123Z"
          },
          "ll": [
            {
              "latitude": 1.0,
              "longitude": 2.0
            }
          ],
          "r": {
            "$ref": "All/target.json",
            "action": "DELETE_SELF"
          },
          "r2": "All/target.json",
          "r3": {
            "$ref": {
              "recordName": "absent"
            }
          },
          "rl": [
            "All/target.json"
          ],
          "s": "text é 😀",
          "seb": "AAEC",
          "sec": "hidden",
          "sl": [
            "a",
            "b"
          ],
          "t": "2026-09-21T14:13:20.123Z",
          "tl": [
            "1970-01-01T00:00:00.000Z",
            "1969-12-31T23:59:59.999Z"
          ]
        }

        """#
}

/// Files, what another client changes in their records, and the files that come of it.
struct LayoutRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var files: [(text: String, change: String, result: String)]

    static let all = [
        LayoutRow(
            testDescription: "white space",
            files: [
                (
                    "{\r\n\t\"b\" : 1 ,\r\n\t\"a\":\"x\"\r\n}", #"{"b":{"value":2,"type":"INT64"}}"#,
                    "{\r\n\t\"b\" : 2 ,\r\n\t\"a\":\"x\"\r\n}"
                ),
                (
                    "\t{\"z\":1,\"a\":[1,2]}\n\n", #"{"a":{"value":[3],"type":"INT64_LIST"}}"#,
                    "\t{\"z\":1,\"a\":[\n    3\n  ]}\n\n"
                ),
                (#"{"z":1, "a":2}"#, #"{"z":{"value":null}}"#, #"{"a":2}"#),
                (#"{"z":1, "b":2}"#, #"{"a":{"value":"new","type":"STRING"}}"#, #"{"z":1, "b":2, "a":"new"}"#),
            ]),
        LayoutRow(
            testDescription: "what CloudKit has no type for",
            files: [
                (
                    #"{"t": true, "f": false, "n": null, "e": []}"#, #"{"t":{"value":0,"type":"INT64"}}"#,
                    #"{"t": false, "f": false, "n": null, "e": []}"#
                ),
                (
                    #"{"o": {"x" :1}, "s": "a"}"#, #"{"s":{"value":"b","type":"STRING"}}"#,
                    #"{"o": {"x" :1}, "s": "b"}"#
                ),
                (
                    #"{"a key": 1.50, "\u00e9": "\u00e9"}"#, #"{"a_key_8fa3aab2":{"value":2.5,"type":"DOUBLE"}}"#,
                    #"{"a key": 2.5, "\u00e9": "\u00e9"}"#
                ),
            ]),
    ]
}
