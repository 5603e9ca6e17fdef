import CloudKitWire
import Testing
import WireCoding

@Suite("Field values (protocol §4)")
struct FieldValueTests {
    static let place: Location = {
        var place = Location(latitude: 51.5, longitude: -0.0)
        (place.altitude, place.timestamp, place.course) = (12, 1_790_000_000_123, 0.25)
        return place
    }()

    static let values: [(FieldValue, String)] = [
        (.string("é\n\""), #"{"value":"é\n\"","type":"STRING"}"#),
        (.int64(.max), #"{"value":9223372036854775807,"type":"INT64"}"#),
        (.int64(.min), #"{"value":-9223372036854775808,"type":"INT64"}"#),
        (.int64(9_007_199_254_740_993), #"{"value":9007199254740993,"type":"INT64"}"#),
        (.double(1), #"{"value":1.0,"type":"DOUBLE"}"#), (.double(-0.0), #"{"value":-0.0,"type":"DOUBLE"}"#),
        (.double(0.1), #"{"value":0.1,"type":"DOUBLE"}"#),
        (.timestamp(1_790_000_000_123), #"{"value":1790000000123,"type":"TIMESTAMP"}"#),
        (.timestamp(-1), #"{"value":-1,"type":"TIMESTAMP"}"#), (.bytes([]), #"{"value":"","type":"BYTES"}"#),
        (.bytes([0, 255, 1, 254]), #"{"value":"AP8B/g==","type":"BYTES"}"#),
        (
            .reference(Reference(recordName: "r", zoneID: ZoneID(zoneName: "Z"), action: .deleteSelf)),
            #"{"value":{"recordName":"r","zoneID":{"zoneName":"Z"},"action":"DELETE_SELF"},"type":"REFERENCE"}"#
        ),
        (
            .location(place),
            #"{"value":{"latitude":51.5,"longitude":-0.0,"altitude":12,"course":0.25,"timestamp":1790000000123},"type":"LOCATION"}"#
        ),
        (
            .asset(
                Asset(fileChecksum: "AX4c", size: 48213, receipt: "A0d", wrappingKey: "lx", referenceChecksum: "Aa")),
            #"{"value":{"fileChecksum":"AX4c","size":48213,"receipt":"A0d","wrappingKey":"lx","referenceChecksum":"Aa"},"type":"ASSETID"}"#
        ),
        (.stringList(["a", ""]), #"{"value":["a",""],"type":"STRING_LIST"}"#),
        (.int64List([1, .max]), #"{"value":[1,9223372036854775807],"type":"INT64_LIST"}"#),
        (.doubleList([1, 1e300]), #"{"value":[1.0,1e+300],"type":"DOUBLE_LIST"}"#),
        (.timestampList([0, 5]), #"{"value":[0,5],"type":"TIMESTAMP_LIST"}"#),
        (.bytesList([[1], []]), #"{"value":["AQ==",""],"type":"BYTES_LIST"}"#),
        (
            .referenceList([Reference(recordName: "r")]),
            #"{"value":[{"recordName":"r","action":"NONE"}],"type":"REFERENCE_LIST"}"#
        ),
        (
            .locationList([Location(latitude: 1, longitude: 2)]),
            #"{"value":[{"latitude":1,"longitude":2}],"type":"LOCATION_LIST"}"#
        ),
        (.assetList([Asset(receipt: "r")]), #"{"value":[{"receipt":"r"}],"type":"ASSETID_LIST"}"#),
        (.stringList([]), #"{"value":[],"type":"STRING_LIST"}"#),
        (.untyped(json: Array(#"{"a": [1.50]}"#.utf8)), #"{"value":{"a": [1.50]}}"#),
        (
            .unknown(type: "ENCRYPTED_BYTES", json: Array(#""QUJD""#.utf8)),
            #"{"value":"QUJD","type":"ENCRYPTED_BYTES"}"#
        ),
        (.unknown(type: "UNKNOWN_LIST", json: Array("[1.0]".utf8)), #"{"value":[1.0],"type":"UNKNOWN_LIST"}"#),
    ]

    @Test("Every type is written as the wire has it and read back exactly", arguments: values)
    func roundTrip(_ value: FieldValue, json: String) throws {
        #expect(text(Field(value)) == json)
        #expect(try decode(json, as: Field.self) == Field(value))
        #expect(try Field.decode(Field(value).encoded(numbersAsStrings: true)) == Field(value))
        let encrypted = Field(value, isEncrypted: true)
        #expect(try Field.decode(encrypted.encoded()) == encrypted)
    }

    @Test("Numbers can be written as strings, times never")
    func numbersAsStrings() {
        let record = Record(fields: [
            "a": Field(.int64(9_007_199_254_740_993)), "b": Field(.double(0.1)), "c": Field(.int64List([1])),
            "d": Field(.doubleList([1])), "e": Field(.timestamp(5)), "f": Field(.timestampList([6])),
        ])
        #expect(
            text(record, numbersAsStrings: true)
                == #"{"fields":{"a":{"value":"9007199254740993","type":"INT64"},"b":{"value":"0.1","type":"DOUBLE"},"c":{"value":["1"],"type":"INT64_LIST"},"d":{"value":["1.0"],"type":"DOUBLE_LIST"},"e":{"value":5,"type":"TIMESTAMP"},"f":{"value":[6],"type":"TIMESTAMP_LIST"}}}"#
        )
    }

    @Test(
        "A field is removed in any of three spellings, and one is written",
        arguments: [#"{"value":null}"#, "{}", "null", #"{"type":"STRING"}"#, #"{"value":null,"type":"INT64"}"#])
    func removal(_ source: String) throws {
        #expect(try decode(source, as: Field.self) == Field(nil))
        #expect(text(Field(nil)) == #"{"value":null}"#)
    }

    @Test(
        "Other spellings of a value are taken too",
        arguments: [
            (#"{"value":"-42","type":"INT64"}"#, .int64(-42)),
            (#"{"value":"9223372036854775807","type":"INT64"}"#, .int64(.max)),
            (#"{"value":7,"type":"DOUBLE"}"#, .double(7)), (#"{"value":"1e2","type":"DOUBLE"}"#, .double(100)),
            (#"{"value":-0,"type":"DOUBLE"}"#, .double(-0.0)), (#"{"value":"5","type":"TIMESTAMP"}"#, .timestamp(5)),
            (#"{"value":{"receipt":"r"},"type":"ASSET"}"#, .asset(Asset(receipt: "r"))),
            (#"{"value":["1",2],"type":"INT64_LIST"}"#, .int64List([1, 2])),
            (#"{"value":{"recordName":"r"},"type":"REFERENCE"}"#, .reference(Reference(recordName: "r"))),
        ] as [(String, FieldValue)])
    func lenient(_ source: String, value: FieldValue) throws {
        #expect(try decode(source, as: Field.self).value == value)
    }

    @Test(
        "A value that is not of its type is refused by the type's name",
        arguments: [
            (#"1"#, "STRING"), (#"1.0"#, "INT64"), (#"1e2"#, "INT64"), (#"9223372036854775808"#, "INT64"),
            (#""""#, "INT64"), (#"" 1""#, "INT64"), (#""+1""#, "INT64"), (#""0x1""#, "INT64"), (#"true"#, "INT64"),
            (#"1e400"#, "DOUBLE"), (#""nan""#, "DOUBLE"), (#""inf""#, "DOUBLE"), (#""1 ""#, "DOUBLE"),
            (#"[]"#, "DOUBLE"),
            (#"1.5"#, "TIMESTAMP"), (#""2026-01-01""#, "TIMESTAMP"), (#""a-_=""#, "BYTES"), (#"1"#, "BYTES"),
            (#""a""#, "STRING_LIST"), (#"{}"#, "INT64_LIST"),
        ])
    func refusals(_ json: String, type: String) throws {
        let error = try #require(throws: WireError.self) {
            try decode(#"{"value":\#(json),"type":"\#(type)"}"#, as: Field.self)
        }
        #expect(error.message.hasPrefix("a value of type \(type) must be"))
    }

    @Test(
        "A part that is wrong is refused by its key",
        arguments: [
            (#"[null]"#, "STRING_LIST", "[0]: a value of type STRING must be a string"),
            (#"[1,{"value":2}]"#, "INT64_LIST", "[1]: a value of type INT64 must be an integer of 64 bits"),
            (#"{}"#, "REFERENCE", "missing required field 'recordName'"),
            (
                #"{"recordName":"r","action":"BURN"}"#, "REFERENCE",
                "'action' must be one of NONE, DELETE_SELF, VALIDATE"
            ),
            (#"{"latitude":1}"#, "LOCATION", "missing required field 'longitude'"),
            (#"{"latitude":1,"longitude":"x"}"#, "LOCATION", "'longitude' must be a number"),
            (#"{"size":"big"}"#, "ASSETID", "'size' must be an integer"),
            (#""a""#, "ASSETID", "expected a JSON object"),
        ])
    func partRefusals(_ json: String, type: String, message: String) throws {
        let error = try #require(throws: WireError.self) {
            try decode(#"{"value":\#(json),"type":"\#(type)"}"#, as: Field.self)
        }
        #expect(error.message == message)
    }

    @Test("An asset's dictionary is handed on whole")
    func foreignAssetKeys() throws {
        let source = #"{"fileChecksum":"A","receipt":"r","aNewKey":{"x": 1.50},"zKey":null}"#
        let asset: Asset = try decode(source)
        #expect(text(asset) == source)
    }

    @Test("Texts in two Unicode normal forms are two values, and so are two zeros")
    func exactness() {
        #expect(FieldValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(FieldValue.double(0) != .double(-0.0))
        #expect(Reference(recordName: "\u{E9}") != Reference(recordName: "e\u{301}"))
        #expect(FieldValue.int64(1) != .double(1))
    }
}
