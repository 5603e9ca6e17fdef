/// What is wrong with a request whatever its operation (protocol §1, §5).
enum RequestCases {
    static var all: [ConformanceCase] { paths + methods + bodies + databases }

    private static let base = "/database/1/\(TestServer.container)/development"

    private static let paths: [ConformanceCase] = [
        "/", "/database", "\(base)/private/records", "\(base)/private/records/frobnicate",
        "\(base)/private/Records/query",
        "\(base)/private/records/modify/more", "\(base)/secret/zones/list", "\(base)/private/tokens/create",
        "/database/2/\(TestServer.container)/development/private/zones/list",
        "/database/1/\(TestServer.container)/staging/private/zones/list",
        "/device/1/\(TestServer.container)/development/private/tokens/create",
        "/device/1/\(TestServer.container)/development/zones/list",
    ].map { path in
        ConformanceCase(
            "1", "no handler at \(path)",
            .init(
                operation: path, body: "{}", status: 404,
                answer: #"{"serverErrorCode":"NOT_FOUND","reason":"<has could not find handler for endpoint>"}"#))
    }

    private static let posts = [
        "records/modify", "records/lookup", "changes/database", "changes/zone", "zones/lookup", "zones/modify",
        "subscriptions/lookup", "subscriptions/modify", "assets/upload", "assets/rereference",
    ]

    private static let methods: [ConformanceCase] =
        posts.map { operation in
            ConformanceCase(
                "1", "\(operation) is not for GET", .get(operation, 405, #"{"serverErrorCode":"BAD_REQUEST"}"#))
        }
        + ["users/caller", "users/current"].map { operation in
            ConformanceCase(
                "1", "\(operation) is not for POST",
                .post(operation, "{}", 405, #"{"serverErrorCode":"BAD_REQUEST"}"#))
        }

    /// An array is no request, and nor is what is no JSON, whatever the operation.
    private static let bodies: [ConformanceCase] =
        posts.flatMap { operation in
            [
                "[]", "nonsense",
                #"{"zones":7,"records":7,"operations":7,"tokens":7,"assets":7,"subscriptions":7,"syncToken":7}"#,
            ]
            .map { body in
                ConformanceCase(
                    "3.1", "\(operation) with the body \(body.prefix(8))",
                    .refused(operation, body, 400, "BAD_REQUEST", "<has BadRequestException: >"))
            }
        }
        + [
            ConformanceCase(
                "1", "unknown keys are ignored", .zone("F"),
                .post(
                    "zones/lookup", #"{"zones":[{"zoneName":"F","x":1}],"y":{},"z":null}"#, 200,
                    #"{"zones":[{"atomic":true}]}"#)),
            ConformanceCase(
                "1", "null is as good as nothing", .zone("F"), .note("a"),
                .changes(
                    #""syncToken":null,"desiredKeys":null,"resultsLimit":null"#, #"{"records":[{"recordName":"a"}]}"#)),
        ]

    private static let databases: [ConformanceCase] = [
        ("public", "changes/database"), ("public", "changes/zone"), ("public", "zones/modify"),
    ].map { scope, operation in
        ConformanceCase(
            "1", "\(operation) is not for the \(scope) database",
            .init(
                operation: "\(base)/\(scope)/\(operation)", body: "{}", status: 400,
                answer:
                    #"{"serverErrorCode":"BAD_REQUEST","reason":"endpoint not applicable in the database type '\#(scope)db'"}"#
            ))
    }
}
