/// `records/modify` (protocol §3.1, §10.3, §10.4).
enum ModifyCases {
    static var all: [ConformanceCase] { matrix + needs + fields + names + atomic + references + parents + users }

    /// What the record is beforehand.
    private enum Standing: String, CaseIterable {
        case absent, current, stale, deleted
    }

    private static let kinds = ["create", "update", "replace", "forceUpdate", "forceReplace", "delete", "forceDelete"]

    private static func operation(_ kind: String, _ tag: String? = nil, fields: String? = nil) -> String {
        let tag = tag.map { #","recordChangeTag":"\#($0)""# } ?? ""
        let fields = fields.map { #","fields":\#($0)"# } ?? ""
        let type = kind.hasSuffix("elete") ? "" : #","recordType":"Note""#
        return #"{"operationType":"\#(kind)","record":{"recordName":"a"\#(type)\#(tag)\#(fields)}}"#
    }

    private static let saved = #"{"recordName":"a","recordType":"Note","recordChangeTag":"$new","deleted":false}"#
    private static let gone = #"{"recordName":"a","deleted":true,"serverErrorCode":"<absent>"}"#

    private static func error(_ code: String, _ reason: String) -> String {
        #"{"recordName":"a","serverErrorCode":"\#(code)","reason":"\#(reason)","recordChangeTag":"<absent>"}"#
    }

    private static func answer(_ kind: String, _ standing: Standing) -> String {
        let needsTag = ["update", "replace", "delete"].contains(kind)
        switch (standing, kind) {
        case (.current, "create"), (.stale, "create"): return error("CONFLICT", "record to insert already exists")
        case (.absent, _) where needsTag, (.deleted, _) where needsTag:
            return error("NOT_FOUND", "recordChangeTag specified, but record not found")
        case (.stale, _) where needsTag: return error("CONFLICT", "client oplock error updating record")
        default: return kind.hasSuffix("elete") ? gone : saved
        }
    }

    /// Every operation on a record of every standing, each by itself and as the whole of an atomic request.
    private static let matrix: [ConformanceCase] = kinds.flatMap { kind in
        Standing.allCases.flatMap { standing in
            [false, true].map { atomic in
                var before: [Exchange] = [.zone("F")]
                if standing != .absent { before.append(.note("a", tag: "$old")) }
                if standing == .stale { before.append(.modify(operation("forceUpdate"))) }
                if standing == .deleted { before.append(.deletion("a")) }
                let tag = standing == .absent ? "1c" : "$old"
                let given = ["create", "forceDelete"].contains(kind) ? nil : tag
                return ConformanceCase(
                    "3.1", "\(kind) of a record that is \(standing)\(atomic ? ", atomic" : "")",
                    before + [
                        .modify(
                            operation(kind, given), #"{"records":[\#(answer(kind, standing))]}"#, atomic: atomic)
                    ])
            }
        }
    }

    private static let needs: [ConformanceCase] =
        ["update", "replace", "delete"].map {
            ConformanceCase(
                "3.1", "\($0) without a tag makes the whole request fail", .zone("F"), .note("b"),
                .refused(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"F"},"atomic":false,"operations":[{"operationType":"forceDelete","record":{"recordName":"b"}},\#(operation($0))]}"#,
                    400, "BAD_REQUEST", "<has missing required field 'recordChangeTag'>"),
                .lookup("b", #"{"recordName":"b","recordType":"Note"}"#))
        }
        + ["create", "forceUpdate", "forceReplace"].map {
            ConformanceCase(
                "3.1", "\($0) needs a record type", .zone("F"),
                .refused(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"\#($0)","record":{"recordName":"a"}}]}"#
                ))
        }
        + ["update", "replace"].map {
            ConformanceCase(
                "3.1", "\($0) may leave the record type out", .zone("F"), .note("a", tag: "$t"),
                .modify(
                    #"{"operationType":"\#($0)","record":{"recordName":"a","recordChangeTag":"$t"}}"#,
                    #"{"records":[{"recordType":"Note"}]}"#))
        }
        + [
            ConformanceCase(
                "4", "a record's type can't change", .zone("F"), .note("a"),
                .modify(
                    #"{"operationType":"forceReplace","record":{"recordName":"a","recordType":"Other"}}"#,
                    #"{"records":[\#(error("BAD_REQUEST", "<string>"))]}"#)),
            ConformanceCase(
                "4", "create without a name makes one", .zone("F"),
                .modify(
                    #"{"operationType":"create","record":{"recordType":"Note"}}"#,
                    #"{"records":[{"recordName":"$made","recordType":"Note"}]}"#),
                .lookup("$made", #"{"recordName":"$made"}"#)),
            ConformanceCase(
                "10.3", "the same record twice is refused as a whole", .zone("F"),
                .refused(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"F"},"operations":[\#(operation("create")),\#(operation("forceDelete"))]}"#),
                .lookup("a", #"{"serverErrorCode":"NOT_FOUND"}"#)),
            ConformanceCase(
                "3.1", "the zone inside a record is ignored", .zone("F", "G"),
                .modify(
                    #"{"operationType":"create","record":{"recordName":"a","recordType":"Note","zoneID":{"zoneName":"G"}}}"#
                ),
                .lookup("a", #"{"recordName":"a","recordType":"Note"}"#)),
            ConformanceCase(
                "10.8", "a missing zone is the error of the whole records/modify",
                .refused(
                    "records/modify", #"{"zoneID":{"zoneName":"Nope"},"operations":[\#(operation("create"))]}"#, 404,
                    "ZONE_NOT_FOUND")),
            ConformanceCase(
                "10.8", "another owner's zone is a missing one", .zone("F"),
                .refused(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"F","ownerRecordName":"_0"},"operations":[\#(operation("create"))]}"#, 404,
                    "ZONE_NOT_FOUND")),
            ConformanceCase(
                "4", "__defaultOwner__ and one's own record name are oneself", .zone("F"),
                .post(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"F","ownerRecordName":"__defaultOwner__"},"operations":[\#(operation("create"))]}"#,
                    200, #"{"records":[\#(saved)]}"#),
                .post(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"F","ownerRecordName":"$user"},"operations":[\#(operation("forceDelete"))]}"#,
                    200, #"{"records":[\#(gone)]}"#)),
            ConformanceCase(
                "9", "the tag changes at every save, also at one that changes nothing", .zone("F"),
                .note("a", tag: "$one"),
                .modify(operation("update", "$one"), #"{"records":[{"recordChangeTag":"$two"}]}"#),
                .modify(operation("update", "$one"), #"{"records":[{"serverErrorCode":"CONFLICT"}]}"#),
                .modify(operation("update", "$two"), #"{"records":[{"recordChangeTag":"$three"}]}"#)),
            ConformanceCase(
                "4", "created stays, modified moves, and both name the user", .zone("F"), .note("a"),
                .lookup(
                    "a",
                    #"{"created":{"timestamp":"<number>","userRecordName":"$user","deviceID":"<string>"},"modified":{"timestamp":"<number>","userRecordName":"$user"},"deleted":false}"#
                )),
            ConformanceCase(
                "3.1", "desiredKeys thin out the answer, of the request and of one operation", .zone("F"),
                .post(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"F"},"desiredKeys":["x"],"operations":[{"operationType":"create","record":{"recordName":"a","recordType":"Note","fields":{"x":{"value":1},"y":{"value":2}}}},{"operationType":"create","desiredKeys":[],"record":{"recordName":"b","recordType":"Note","fields":{"x":{"value":1}}}}]}"#,
                    200, #"{"records":[{"fields":{"x":{"value":1},"y":"<absent>"}},{"fields":"<empty>"}]}"#),
                .lookup("a", #"{"fields":{"y":{"value":2}}}"#)),
            ConformanceCase(
                "3.1", "numbersAsStrings in the answer", .zone("F"),
                .post(
                    "records/modify",
                    #"{"zoneID":{"zoneName":"F"},"numbersAsStrings":true,"operations":[{"operationType":"create","record":{"recordName":"a","recordType":"Note","fields":{"x":{"value":9007199254740993,"type":"INT64"}}}}]}"#,
                    200, #"{"records":[{"fields":{"x":{"value":"9007199254740993","type":"INT64"}}}]}"#)),
            ConformanceCase(
                "3.1", "no operations are no error", .zone("F"),
                .post(
                    "records/modify", #"{"zoneID":{"zoneName":"F"},"operations":[]}"#, 200, #"{"records":"<0 items>"}"#)
            ),
            ConformanceCase(
                "3", "one entry for each item, in order, whatever becomes of it", .zone("F"), .note("b"),
                .modify(
                    ["c", "b", "d"].map {
                        #"{"operationType":"create","record":{"recordName":"\#($0)","recordType":"Note"}}"#
                    }.joined(separator: ","),
                    #"{"records":[{"recordName":"c"},{"recordName":"b","serverErrorCode":"CONFLICT"},{"recordName":"d"}]}"#
                )),
        ]

    private static let two = #"{"x":{"value":1,"type":"INT64"},"y":{"value":2,"type":"INT64"}}"#

    private static let fields: [ConformanceCase] =
        kinds.filter { $0.hasSuffix("pdate") || $0.hasSuffix("eplace") }.map { kind in
            let keeps = kind.hasSuffix("pdate")
            return ConformanceCase(
                "3.1", "\(kind) \(keeps ? "keeps" : "removes") what is not given", .zone("F"),
                .note("a", two, tag: "$t"),
                .modify(
                    operation(kind, "$t", fields: #"{"x":{"value":7,"type":"INT64"}}"#),
                    #"{"records":[{"fields":{"x":{"value":7},"y":\#(keeps ? #"{"value":2}"# : #""<absent>""#)}}]}"#),
                .lookup("a", #"{"fields":{"x":{"value":7},"y":\#(keeps ? #"{"value":2}"# : #""<absent>""#)}}"#))
        }
        + ["update", "forceUpdate", "replace", "create"].flatMap { kind in
            [#"{"value":null}"#, "{}", "null", #"{"value":null,"type":"INT64"}"#].map { spelling in
                ConformanceCase(
                    "3.1", "\(kind) removes a field by \(spelling)",
                    [.zone("F")] + (kind == "create" ? [] : [.note("a", two, tag: "$t")]) + [
                        .modify(
                            operation(
                                kind, kind == "create" ? nil : "$t",
                                fields: #"{"x":\#(spelling),"y":{"value":2},"never":\#(spelling)}"#),
                            #"{"records":[{"fields":{"x":"<absent>","y":{"value":2},"never":"<absent>"}}]}"#),
                        .lookup("a", #"{"fields":{"x":"<absent>","y":{"value":2}}}"#),
                    ])
            }
        }

    private static let recordNames: [(String, String, Bool)] =
        [
            ("one character", "x", true), ("a path", "Note/a b+c%2F.json", true), ("that begins with '_'", "_a", false),
            ("beyond ASCII", "é", false), ("empty", "", false), ("with a line break", #"a\nb"#, false),
        ]

    private static let types: [(String, Bool)] = [
        ("Note_2", true), ("2Note", false), ("_Note", false), ("No-te", false), ("Noté", false), ("", false),
    ]

    private static let fieldNames: [(String, Bool)] = [
        ("field_2", true), ("2field", false), ("___etag", false), ("a.b", false), ("", false),
    ]

    private static let names: [ConformanceCase] =
        recordNames.map { name, text, isLegal in
            ConformanceCase(
                "6", "a record's name, \(name)", .zone("F"),
                .modify(
                    #"{"operationType":"create","record":{"recordName":"\#(text)","recordType":"Note"}}"#,
                    isLegal
                        ? #"{"records":[{"recordName":"\#(text)","recordChangeTag":"<string>"}]}"#
                        : #"{"records":[{"serverErrorCode":"BAD_REQUEST"}]}"#))
        }
        + types.map { type, isLegal in
            ConformanceCase(
                "6", "the record type '\(type)'", .zone("F"),
                .modify(
                    #"{"operationType":"create","record":{"recordName":"a","recordType":"\#(type)"}}"#,
                    isLegal
                        ? #"{"records":[{"recordType":"\#(type)"}]}"#
                        : #"{"records":[{"serverErrorCode":"BAD_REQUEST"}]}"#))
        }
        + fieldNames.map { field, isLegal in
            ConformanceCase(
                "6", "the field '\(field)'", .zone("F"),
                .modify(
                    operation("create", fields: #"{"\#(field)":{"value":1}}"#),
                    isLegal
                        ? #"{"records":[{"fields":{"\#(field)":{"value":1}}}]}"#
                        : #"{"records":[{"serverErrorCode":"BAD_REQUEST"}]}"#))
        }
        + [
            ConformanceCase(
                "9", "names differ by case", .zone("F"), .note("a"), .note("A"),
                .changes("", #"{"records":[{"recordName":"a"},{"recordName":"A"}]}"#))
        ]

    private static let atomic: [ConformanceCase] = [
        ConformanceCase(
            "10.4", "one failure saves nothing and is named; the others are ATOMIC_ERROR", .zone("F"), .note("b"),
            .modify(
                ["a", "b", "c"].map {
                    #"{"operationType":"create","record":{"recordName":"\#($0)","recordType":"Note"}}"#
                }.joined(separator: ","),
                #"{"records":[{"recordName":"a","serverErrorCode":"ATOMIC_ERROR","reason":"atomic failure"},{"recordName":"b","serverErrorCode":"CONFLICT"},{"recordName":"c","serverErrorCode":"ATOMIC_ERROR"}]}"#,
                atomic: true),
            .changes("", #"{"records":[{"recordName":"b"}]}"#)),
        ConformanceCase(
            "3.1", "atomic is the default in a custom zone", .zone("F"), .note("b"),
            .post(
                "records/modify",
                #"{"zoneID":{"zoneName":"F"},"operations":[{"operationType":"create","record":{"recordName":"a","recordType":"Note"}},{"operationType":"create","record":{"recordName":"b","recordType":"Note"}}]}"#,
                200, #"{"records":[{"serverErrorCode":"ATOMIC_ERROR"},{"serverErrorCode":"CONFLICT"}]}"#)),
        ConformanceCase(
            "3.1", "atomic is refused in the default zone",
            .refused(
                "records/modify", #"{"atomic":true,"operations":[\#(operation("create"))]}"#, 400, "BAD_REQUEST",
                "atomic operations not supported in default zone")),
        ConformanceCase(
            "3.1", "left out there, each operation is tried by itself",
            .post(
                "records/modify",
                #"{"operations":[{"operationType":"update","record":{"recordName":"x","recordChangeTag":"1"}},\#(operation("create"))]}"#,
                200, #"{"records":[{"serverErrorCode":"NOT_FOUND"},\#(saved)]}"#)),
    ]

    private static func reference(_ target: String, _ action: String) -> String {
        #"{"r":{"value":{"recordName":"\#(target)","action":"\#(action)"},"type":"REFERENCE"}}"#
    }

    private static let references: [ConformanceCase] = [
        ConformanceCase(
            "4", "NONE may point to nothing", .zone("F"), .note("a", reference("nobody", "NONE")),
            .lookup("a", #"{"fields":{"r":{"value":{"recordName":"nobody","action":"NONE"},"type":"REFERENCE"}}}"#)),
        ConformanceCase(
            "4", "VALIDATE must point to a record", .zone("F"),
            .modify(
                operation("create", fields: reference("nobody", "VALIDATE")),
                #"{"records":[{"recordName":"a","serverErrorCode":"VALIDATING_REFERENCE_ERROR"}]}"#)),
        ConformanceCase(
            "4", "what VALIDATE points to cannot be deleted", .zone("F"), .note("t"),
            .note("a", reference("t", "VALIDATE")),
            .modify(
                #"{"operationType":"forceDelete","record":{"recordName":"t"}}"#,
                #"{"records":[{"recordName":"t","serverErrorCode":"VALIDATING_REFERENCE_ERROR"}]}"#),
            .deletion("a"), .deletion("t")),
        ConformanceCase(
            "3.1", "an earlier operation's record can be the target", .zone("F"),
            .modify(
                #"{"operationType":"create","record":{"recordName":"t","recordType":"Note"}},"#
                    + operation("create", fields: reference("t", "VALIDATE")),
                #"{"records":[{"recordName":"t"},\#(saved)]}"#, atomic: true)),
        ConformanceCase(
            "4", "with DELETE_SELF the referrers go, too, and theirs", .zone("F"), .note("t"),
            .note("a", reference("t", "DELETE_SELF")), .note("b", reference("a", "DELETE_SELF")),
            .note("c", reference("t", "NONE")),
            .changes("", #"{"syncToken":"$s"}"#), .deletion("t"),
            .changes(
                #""syncToken":"$s""#,
                #"{"records":[{"recordName":"a","deleted":true},{"recordName":"b","deleted":true},{"recordName":"t","deleted":true}]}"#
            )),
    ]

    private static let parents: [ConformanceCase] = [
        ConformanceCase(
            "4", "a parent is kept and given back", .zone("F"), .note("p"),
            .modify(
                #"{"operationType":"create","record":{"recordName":"a","recordType":"Note","parent":{"recordName":"p"}}}"#,
                #"{"records":[{"parent":{"recordName":"p"}}]}"#),
            .lookup("a", #"{"parent":{"recordName":"p"}}"#)),
        ConformanceCase(
            "4", "a parent that is not there is refused", .zone("F"),
            .modify(
                #"{"operationType":"create","record":{"recordName":"a","recordType":"Note","parent":{"recordName":"p"}}}"#,
                #"{"records":[{"serverErrorCode":"VALIDATING_REFERENCE_ERROR"}]}"#)),
    ]

    /// The users' own records are in the public database (S3.17).
    private static let users: [ConformanceCase] = ["create", "forceUpdate", "forceReplace"].map { kind in
        ConformanceCase(
            "10.12", "\(kind) of the type Users in the private database", .zone("F"),
            .modify(
                #"{"operationType":"\#(kind)","record":{"recordName":"a","recordType":"Users"}}"#,
                #"{"records":[{"recordName":"a","serverErrorCode":"ACCESS_DENIED","reason":"CREATE operation not permitted"}]}"#
            ), .changes("", #"{"records":"<0 items>"}"#))
    }
}
