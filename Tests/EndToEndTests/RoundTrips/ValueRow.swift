import Foundation

/// One way to write values, with what it is on the wire and an edit of it.
struct ValueRow: Sendable {
    /// The file's record type, so that no row decides the field types of another.
    var type: String
    var text: String
    /// The fields on the wire and their types, without the reserved one.
    var wire: [String: String]
    /// What the edit replaces, and by what.
    var edit: (old: String, new: String)

    init(_ type: String, _ text: String, wire: [String: String], edit: (String, String)) {
        self.type = type
        self.text = text
        self.wire = wire
        self.edit = edit
    }

    var path: String { "\(type)/it.json" }
    var edited: String { text.replacing(edit.old, with: edit.new) }

    static let all = [
        ValueRow(
            "Plain", "{\n  \"title\": \"One\"\n}\n", wire: ["title": "STRING"], edit: ("One", "Two")),
        ValueRow(
            "Numbers",
            #"{"big": 9007199254740993, "one": 1.0, "minus": -0, "minusf": -0.0, "exp": 1E5, "min": -9223372036854775808, "#
                + #""max": 9223372036854775807, "over": 9223372036854775808, "tiny": 5e-324, "tenth": 0.1, "#
                + #""pi": 3.14159265358979323846264}"#,
            wire: [
                "big": "INT64", "one": "DOUBLE", "minus": "DOUBLE", "minusf": "DOUBLE", "exp": "DOUBLE", "min": "INT64",
                "max": "INT64", "over": "DOUBLE", "tiny": "DOUBLE", "tenth": "DOUBLE", "pi": "DOUBLE",
            ], edit: ("9007199254740993", "9007199254740995")),
        ValueRow(
            "Escapes",
            #"{"a": "\u00e9", "b": "é", "c": "\u0065\u0301", "d": "\/", "e": "\ud83d\ude00", "f": "\t\n\u0000x"}"#,
            wire: ["a": "STRING", "b": "STRING", "c": "STRING", "d": "STRING", "e": "STRING", "f": "STRING"],
            edit: (#"\u00e9"#, #"\u00e8"#)),
        ValueRow(
            "Shapeless",
            #"{"t": true, "f": false, "n": null, "o": {"x" : [1, "a", null, {"y": {}}]}, "mixed": [1,"a", true, null], "#
                + #""none": [], "bools": [true, false], "nulls": [null], "lists": [[1],[2]], "empty": {}}"#,
            wire: [
                "t": "INT64", "f": "INT64", "o": "STRING", "mixed": "STRING", "bools": "INT64_LIST", "nulls": "STRING",
                "lists": "STRING", "empty": "STRING",
            ], edit: ("true", "false")),
        ValueRow(
            "Lists", #"{"s": ["a", "b"], "i": [1, 2, 9007199254740993], "d": [1.5, 2, -0.0], "ones": [1.0, 2.0]}"#,
            wire: ["s": "STRING_LIST", "i": "INT64_LIST", "d": "DOUBLE_LIST", "ones": "DOUBLE_LIST"],
            edit: (#"["a", "b"]"#, "[]")),
        ValueRow(
            "Times", #"{"due": {"$date": "2026-01-31T12:00:00.000Z"}, "all": [{"$date": "1969-12-31T23:59:59.999Z"}]}"#,
            wire: ["due": "TIMESTAMP", "all": "TIMESTAMP_LIST"], edit: ("12:00:00.000", "12:00:00.001")),
        ValueRow(
            "Raw", #"{"thumb": {"$bytes": "AAEC/w=="}, "all": [{"$bytes": ""}, {"$bytes": "AA=="}]}"#,
            wire: ["thumb": "BYTES", "all": "BYTES_LIST"], edit: ("AAEC/w==", "/w==")),
        ValueRow(
            "Places",
            #"{"at": {"$location": {"latitude": 48.2, "longitude": 16.37, "altitude": 171.0}}, "#
                + #""all": [{"$location": {"latitude": 1, "longitude": 2}}]}"#,
            wire: ["at": "LOCATION", "all": "LOCATION_LIST"], edit: ("16.37", "16.38")),
        // It stands before what it refers to, and two of them refer to each other.
        ValueRow(
            "Ahead",
            #"{"on": {"$ref": "Plain/it.json", "action": "DELETE_SELF"}, "to": {"$ref": "Back/it.json"}, "#
                + #""all": [{"$ref": "Plain/it.json"}, {"$ref": "Numbers/it.json"}]}"#,
            wire: ["on": "REFERENCE", "to": "REFERENCE", "all": "REFERENCE_LIST"], edit: ("DELETE_SELF", "NONE")),
        ValueRow(
            "Back", #"{"to": {"$ref": "Ahead/it.json"}}"#, wire: ["to": "REFERENCE"],
            edit: ("Ahead", "Plain")),
        // One file is named by two fields.
        ValueRow(
            "Pictures", #"{"cover": {"$asset": "pics/a.png"}, "all": [{"$asset": "pics/a.png"}, {"$asset": "b.bin"}]}"#,
            wire: ["cover": "ASSETID", "all": "ASSETID_LIST"], edit: (#", {"$asset": "b.bin"}"#, "")),
        ValueRow(
            "Keys",
            #"{"with blank": 1, "a.b": 2, "😀": 3, "1st": 4, "___": 5, "": 6, "é": 7, "e\#u{301}": 8, "zonefolder": "mine", "#
                + #""path": "x", "recordName": "y", "a\nb": 9, "___createdBy": "z"}"#,
            wire: [
                "with_blank_3d68000e": "INT64", "a_b_2e7336dc": "INT64", "f_____bda25155": "INT64",
                "f_1st_e01ddf65": "INT64", "f______f0443a34": "INT64", "f__e3b0c442": "INT64",
                "zonefolder_4cbc4e8c": "STRING",
                "f____4a99557e": "INT64", "e___bf12767b": "INT64", "path": "STRING", "recordName": "STRING",
                "a_b_7e18f737": "INT64", "f____createdBy_1a6a3a84": "STRING",
            ], edit: (#""😀": 3"#, #""😀": 33"#)),
        ValueRow(
            "Returns", "{\r\n\t\"a\": 1,\r\n\t\"b\": \"x\\r\\ny\"\r\n}\r\n", wire: ["a": "INT64", "b": "STRING"],
            edit: ("1", "2")),
        ValueRow(
            "Tabs", "\t{\n\t\t\"b\" :\t1 ,\n\t\t\"a\":2\n}\n\n\n", wire: ["a": "INT64", "b": "INT64"],
            edit: ("\t1", "\t7")),
        ValueRow(
            "Compact", #"{"z":1,"a":[1,2],"m":{"x":1,"a":2}}"#, wire: ["z": "INT64", "a": "INT64_LIST", "m": "STRING"],
            edit: (#""x":1"#, #""x":12"#)),
        ValueRow("Nothing", "{}", wire: [:], edit: ("{}", "{ }\n")),
    ]

    /// The files that rows name.
    static let files = ["Pictures/pics/a.png": "\u{89}PNG picture", "Pictures/b.bin": "other bytes"]
}
