/// Field values (protocol §3.1, §4, §8.3).
enum FieldCases {
    static var all: [ConformanceCase] {
        roundTrips + guesses + malformed + mismatches + schema + encrypted + emptyLists + noValues
    }

    private static func save(_ value: String, _ type: String?, as name: String = "a", more: String = "") -> Exchange {
        let type = type.map { #","type":"\#($0)""# } ?? ""
        return .modify(
            #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)","fields":{"f":{"value":\#(value)\#(type)\#(more)}}}}"#,
            #"{"records":[{"recordName":"\#(name)","serverErrorCode":"<absent>"}]}"#)
    }

    private static func refusal(_ value: String, _ type: String?, _ reason: String, more: String = "") -> Exchange {
        let type = type.map { #","type":"\#($0)""# } ?? ""
        return .modify(
            #"{"operationType":"create","record":{"recordType":"Note","recordName":"b","fields":{"f":{"value":\#(value)\#(type)\#(more)}}}}"#,
            #"{"records":[{"recordName":"b","serverErrorCode":"BAD_REQUEST","reason":"\#(reason)"}]}"#)
    }

    /// A type, a value, and the value in answers where it is spelt in another way.
    private static let values: [(type: String, value: String, answer: String?)] = [
        ("STRING", #""""#, nil), ("STRING", #""e\u0301 \u00e9 \ud83d\ude00 \n\t\" ${f}""#, nil),
        ("INT64", "0", nil), ("INT64", "-9223372036854775808", nil), ("INT64", "9223372036854775807", nil),
        ("INT64", #""9007199254740993""#, "9007199254740993"),
        ("DOUBLE", "0.1", nil), ("DOUBLE", "-1e300", nil), ("DOUBLE", "3", nil),
        ("TIMESTAMP", "1790000000123", nil), ("TIMESTAMP", "-1", nil), ("BYTES", #""AAEC/+8=""#, nil),
        ("BYTES", #""""#, nil),
        (
            "REFERENCE", #"{"recordName":"x"}"#, #"{"recordName":"x","action":"NONE"}"#
        ),
        (
            "LOCATION",
            #"{"latitude":52.5,"longitude":-0.25,"altitude":34,"horizontalAccuracy":5,"verticalAccuracy":6,"speed":1.5,"course":90,"timestamp":1790000000123}"#,
            nil
        ),
        ("LOCATION", #"{"latitude":0,"longitude":0}"#, nil),
        ("STRING_LIST", #"["b","a","b",""]"#, nil), ("INT64_LIST", "[3,1,2]", nil), ("DOUBLE_LIST", "[0.5,-2]", nil),
        ("TIMESTAMP_LIST", "[1,0]", nil), ("BYTES_LIST", #"["AA==",""]"#, nil),
        ("REFERENCE_LIST", #"[{"recordName":"x","action":"NONE"},{"recordName":"y","action":"NONE"}]"#, nil),
        ("LOCATION_LIST", #"[{"latitude":1,"longitude":2}]"#, nil),
    ]

    private static let roundTrips: [ConformanceCase] = values.map { type, value, answer in
        ConformanceCase(
            "4", "\(type) \(value.prefix(40)) there and back", .zone("F"), save(value, type),
            .lookup("a", #"{"fields":{"f":{"type":"\#(type)","value":\#(answer ?? value)}}}"#),
            .changes("", #"{"records":[{"fields":{"f":{"type":"\#(type)","value":\#(answer ?? value)}}}]}"#))
    }

    private static let untyped: [(String, String, String)] =
        [
            ("a string", #""x""#, "STRING"), ("an integer", "7", "INT64"), ("a fraction", "7.5", "DOUBLE"),
            ("strings", #"["x"]"#, "STRING_LIST"), ("integers", "[7]", "INT64_LIST"),
            ("a reference", #"{"recordName":"x"}"#, "REFERENCE"),
            ("a place", #"{"latitude":1,"longitude":2}"#, "LOCATION"),
        ]

    private static let defined: [(String, String, String, String)] = [
        ("STRING", #""x""#, #""AA==""#, #""AA==""#), ("BYTES", #""AA==""#, #""AQ==""#, #""AQ==""#),
        ("DOUBLE", "0.5", "7", "7"), ("TIMESTAMP", "1", "2", "2"),
    ]

    private static let guesses: [ConformanceCase] =
        untyped.map { name, value, type in
            ConformanceCase(
                "4", "\(name) without a type is \(type)", .zone("F"), save(value, nil),
                .lookup("a", #"{"fields":{"f":{"type":"\#(type)"}}}"#))
        }
        + defined.map { type, first, second, answer in
            ConformanceCase(
                "4", "without a type the schema's counts: \(type)", .zone("F"), save(first, type),
                save(second, nil, as: "b"),
                .lookup("b", #"{"fields":{"f":{"type":"\#(type)","value":\#(answer)}}}"#))
        }

    /// JSON that is not what its type demands: the request does not decode.
    private static let nonsense: [(String, String)] = [
        ("STRING", "7"), ("STRING", "true"), ("INT64", "1.5"), ("INT64", "9223372036854775808"), ("INT64", #""x""#),
        ("INT64", "true"), ("DOUBLE", #""x""#), ("DOUBLE", "1e400"), ("TIMESTAMP", "1.5"), ("TIMESTAMP", #""now""#),
        ("BYTES", #""A""#), ("BYTES", #""_-==""#), ("BYTES", "7"), ("REFERENCE", #""x""#), ("REFERENCE", "{}"),
        ("REFERENCE", #"{"recordName":"x","action":"EXPLODE"}"#), ("LOCATION", #"{"latitude":1}"#),
        ("LOCATION", "[1,2]"), ("ASSETID", #""x""#), ("STRING_LIST", #""x""#), ("STRING_LIST", "[null]"),
        ("STRING_LIST", #"["x",7]"#), ("STRING_LIST", #"[{"value":"x"}]"#), ("INT64_LIST", "[1.5]"),
        ("BYTES_LIST", #"["A"]"#), ("REFERENCE_LIST", "[{}]"),
    ]

    private static let malformed: [ConformanceCase] = nonsense.map { type, value in
        ConformanceCase(
            "3.1", "\(value) is no \(type)", .zone("F"),
            .refused(
                "records/modify",
                #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":{"f":{"value":\#(value),"type":"\#(type)"}}}}]}"#,
                400, "BAD_REQUEST", "<has BadRequestException: >"))
    }

    private static let otherTypes: [(String, String, String, String)] =
        [
            ("STRING", #""x""#, "INT64", "7"), ("INT64", "7", "STRING", #""7""#), ("INT64", "7", "DOUBLE", "7"),
            ("DOUBLE", "0.5", "INT64", "7"), ("TIMESTAMP", "1", "INT64", "1"),
            ("STRING", #""x""#, "STRING_LIST", #"["x"]"#),
            ("STRING_LIST", #"["x"]"#, "STRING", #""x""#), ("BYTES", #""AA==""#, "STRING", #""AA==""#),
        ]

    private static let otherValues: [(String, String, String)] = [
        ("TIMESTAMP", "1", #""soon""#), ("STRING", #""x""#, "7"), ("BYTES", #""AA==""#, #""%""#),
    ]

    private static let mismatches: [ConformanceCase] =
        otherTypes.map { first, value, second, other in
            ConformanceCase(
                "3.1", "\(second) in a field of \(first)", .zone("F"), save(value, first),
                refusal(
                    other, second,
                    "invalid attempt to set value type \(second) for field 'f' for type 'Note', defined to be: \(first)"
                ))
        }
        + otherValues.map {
            type, value, other in
            ConformanceCase(
                "3.1", "\(other) without a type in a field of \(type)", .zone("F"), save(value, type),
                refusal(other, nil, "Invalid value, expected type \(type)."))
        }

    private static let schema: [ConformanceCase] =
        [
            ConformanceCase(
                "8.3", "a field's type is the container's, not the record's", .zone("F", "G"), save("1", "INT64"),
                .post(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"G"},"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"z","fields":{"f":{"value":"x","type":"STRING"}}}}]}"#,
                    200, #"{"records":[{"serverErrorCode":"BAD_REQUEST"}]}"#)),
            ConformanceCase(
                "8.3", "what a refused save would have defined is not defined", .zone("F"), .note("a"),
                .modify(
                    #"{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":{"f":{"value":1,"type":"INT64"}}}}"#,
                    #"{"records":[{"serverErrorCode":"CONFLICT"}]}"#),
                save(#""x""#, "STRING", as: "b")),
            ConformanceCase(
                "4", "a type that everybody knows is spelt as the protocol does", .zone("F"),
                refusal("true", "BOOLEAN", "<has can't be set>")),
            ConformanceCase(
                "4", "a type that nobody knows can't be set", .zone("F"),
                refusal(#""x""#, "RAINBOW", "<has can't be set>")),
        ]

    private static let encrypted: [ConformanceCase] = [
        ConformanceCase(
            "4", "an encrypted field comes back plain", .zone("F"),
            save(#""secret""#, "STRING", more: #","isEncrypted":true"#),
            .lookup("a", #"{"fields":{"f":{"type":"STRING","value":"secret","isEncrypted":true}}}"#)),
        ConformanceCase(
            "3.1", "encrypted data in a plain field", .zone("F"), save(#""x""#, "STRING"),
            refusal(
                #""y""#, "STRING", "Attempt to save encrypted data in non encrypted field type",
                more: #","isEncrypted":true"#)),
        ConformanceCase(
            "4", "references are never encrypted", .zone("F"),
            refusal(#"{"recordName":"x"}"#, "REFERENCE", "<string>", more: #","isEncrypted":true"#)),
    ]

    private static let emptyLists: [ConformanceCase] = [
        ConformanceCase(
            "4", "an empty list is kept", .zone("F"), save(#"["x"]"#, "STRING_LIST"),
            save("[]", "STRING_LIST", as: "b"),
            .lookup("b", #"{"fields":{"f":{"type":"STRING_LIST","value":"<0 items>"}}}"#)),
        ConformanceCase("4", "an empty list defines no field", .zone("F"), refusal("[]", "STRING_LIST", "<string>")),
        ConformanceCase(
            "4", "an empty list without a type is none, not even where the field is known", .zone("F"),
            save(#"["x"]"#, "STRING_LIST"), undecodable("[]"), .changes("", #"{"records":"<1 items>"}"#)),
    ]

    /// Saves a value without a type beside a sound record: the request fails as a whole.
    private static func undecodable(_ value: String) -> Exchange {
        .refused(
            "records/modify",
            #"{"zoneID":{"zoneName":"F"},"atomic":false,"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"sound"}},{"operationType":"create","record":{"recordType":"Note","recordName":"b","fields":{"f":{"value":\#(value)}}}}]}"#,
            400, "BAD_REQUEST", "BadRequestException: Unexpected input")
    }

    private static let noValues: [ConformanceCase] = [
        "true", "false", "[true]", "[]", "[[]]", #"["x",1]"#, "[null]", "{}", #"{"x":1}"#,
    ].map { value in
        ConformanceCase("4", "\(value) without a type is no value", .zone("F"), undecodable(value))
    }
}
