import CloudKitServer
import Testing

/// A request, and what its answer must be.
///
/// In the request `$name` stands for what an earlier answer gave the name to (see ``JSONPattern``), `$user` for the
/// caller's record name.
struct Exchange: Sendable {
    var method = "POST"
    /// Of the private database, or a whole path where it begins with `/`.
    var operation: String
    var body: String?
    var status: Int
    /// A ``JSONPattern``.
    var answer: String

    /// An operation of the private database.
    static func post(_ operation: String, _ body: String = "{}", _ status: Int = 200, _ answer: String = "{}") -> Self {
        Self(operation: operation, body: body, status: status, answer: answer)
    }

    static func get(_ operation: String, _ status: Int = 200, _ answer: String = "{}") -> Self {
        Self(method: "GET", operation: operation, body: nil, status: status, answer: answer)
    }

    /// A request that is refused as a whole.
    static func refused(
        _ operation: String, _ body: String = "{}", _ status: Int = 400, _ code: String = "BAD_REQUEST",
        _ reason: String = "<string>"
    ) -> Self {
        .post(
            operation, body, status,
            #"{"serverErrorCode":"\#(code)","reason":"\#(reason)","uuid":"<string>","records":"<absent>","zones":"<absent>"}"#
        )
    }

    /// `zones/modify`, creating zones.
    static func zone(_ names: String...) -> Self {
        let operations = names.map { #"{"operationType":"create","zone":{"zoneID":{"zoneName":"\#($0)"}}}"# }
        return .post("zones/modify", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
    }

    /// `records/modify` in the zone `F`, not atomic.
    static func modify(_ operations: String, _ answer: String = "{}", atomic: Bool = false) -> Self {
        .post(
            "records/modify", #"{"zoneID":{"zoneName":"F"},"atomic":\#(atomic),"operations":[\#(operations)]}"#, 200,
            answer)
    }

    /// `records/modify` in the zone `F`, creating a note.
    static func note(_ name: String, _ fields: String = "{}", tag: String = "<string>") -> Self {
        .modify(
            #"{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)","fields":\#(fields)}}"#,
            #"{"records":[{"recordName":"\#(name)","recordChangeTag":"\#(tag)","serverErrorCode":"<absent>"}]}"#)
    }

    /// `records/modify` in the zone `F`, deleting a record.
    static func deletion(_ name: String) -> Self {
        .modify(
            #"{"operationType":"forceDelete","record":{"recordName":"\#(name)"}}"#,
            #"{"records":[{"recordName":"\#(name)","deleted":true}]}"#)
    }

    /// `changes/zone` of the zone `F`.
    static func changes(_ query: String = "", _ answer: String) -> Self {
        .post(
            "changes/zone", #"{"zones":[{"zoneID":{"zoneName":"F"}\#(query.isEmpty ? "" : ",")\#(query)}]}"#, 200,
            #"{"zones":[\#(answer)]}"#)
    }

    /// `records/lookup` in the zone `F`.
    static func lookup(_ name: String, _ answer: String) -> Self {
        .post(
            "records/lookup", #"{"zoneID":{"zoneName":"F"},"records":[{"recordName":"\#(name)"}]}"#, 200,
            #"{"records":[\#(answer)]}"#)
    }
}

extension TestServer {
    /// Sends each request and compares its answer.
    func check(_ exchanges: [Exchange], _ location: SourceLocation = #_sourceLocation) async throws {
        var names = ["$user": user.userRecordName]
        for (index, exchange) in exchanges.enumerated() {
            let fill = { (text: String) in
                names.sorted { $0.key.count > $1.key.count }.reduce(text) { $0.replacing($1.key, with: $1.value) }
            }
            let path =
                exchange.operation.hasPrefix("/")
                ? fill(exchange.operation)
                : "/database/1/\(Self.container)/development/private/\(fill(exchange.operation))"
            let reply = try await send(exchange.method, path, exchange.body.map(fill))
            let place: Comment = "\(exchanges.count > 1 ? "step \(index + 1), " : "")\(exchange.operation)"
            #expect(
                reply.status == exchange.status, "\(place): \(reply.text.prefix(300))", sourceLocation: location)
            let differences = try JSONPattern(exchange.answer).differences(from: reply.body, names: &names)
            #expect(differences.isEmpty, place, sourceLocation: location)
            if reply.status >= 400, reply.status != 405 {
                #expect(reply.header("X-Apple-Request-UUID") == reply["uuid"].string, place, sourceLocation: location)
            }
        }
    }
}
