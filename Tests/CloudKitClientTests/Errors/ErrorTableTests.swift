import CloudKitWire
import HTTPTypes
import Testing

@testable import CloudKitClient

/// One code of protocol §5 with its reaction: to a request of one item, and to one item of a 200; and the operations for
/// which it means something else.
struct CodeRow: Sendable, CustomTestStringConvertible {
    var code: String
    var status: Int
    var request: ErrorReaction
    var item: ErrorReaction
    var but: [CloudKitOperation: ErrorReaction] = [:]

    var testDescription: String { code }

    func expected(_ level: FailedCall.Level, _ operation: CloudKitOperation) -> ErrorReaction {
        but[operation] ?? (level == .request ? request : item)
    }
}

private let soon = ErrorReaction.retry(after: nil, pausing: .database)
private let itemSoon = ErrorReaction.retry(after: nil, pausing: .item)

@Suite("Every code, status and body has the reaction that is written here (protocol §5)")
struct ErrorTableTests {
    static let codes: [CodeRow] = [
        CodeRow(code: "ACCESS_DENIED", status: 403, request: .hold(.noPermission), item: .hold(.noPermission)),
        CodeRow(code: "ATOMIC_ERROR", status: 400, request: .hold(.refused), item: itemSoon),
        CodeRow(
            code: "AUTHENTICATION_FAILED", status: 401, request: .signIn(redirectURL: nil),
            item: .signIn(redirectURL: nil)),
        CodeRow(
            code: "AUTHENTICATION_REQUIRED", status: 421, request: .signIn(redirectURL: nil),
            item: .signIn(redirectURL: nil)),
        CodeRow(code: "BAD_REQUEST", status: 400, request: .hold(.refused), item: .hold(.refused)),
        CodeRow(
            code: "CONFLICT", status: 409, request: soon, item: itemSoon,
            but: [.recordsModify: .lookUpAndMerge, .zonesModify: .done, .subscriptionsModify: .done]),
        CodeRow(
            code: "EXISTS", status: 409, request: soon, item: itemSoon,
            but: [.recordsModify: .lookUpAndMerge, .zonesModify: .done, .subscriptionsModify: .done]),
        CodeRow(code: "INTERNAL_ERROR", status: 500, request: soon, item: itemSoon),
        CodeRow(code: "QUOTA_EXCEEDED", status: 413, request: .hold(.outOfStorage), item: .hold(.outOfStorage)),
        CodeRow(
            code: "SIGN_IN_FAILED", status: 401, request: .signIn(redirectURL: nil), item: .signIn(redirectURL: nil)),
        CodeRow(code: "THROTTLED", status: 429, request: soon, item: soon),
        CodeRow(code: "TRY_AGAIN_LATER", status: 503, request: soon, item: itemSoon),
        CodeRow(code: "RETRY_LATER", status: 503, request: soon, item: itemSoon),
        CodeRow(code: "UNIQUE_FIELD_ERROR", status: 409, request: .hold(.notUnique), item: .hold(.notUnique)),
        CodeRow(
            code: "VALIDATING_REFERENCE_ERROR", status: 412, request: .hold(.brokenReference),
            item: .hold(.brokenReference)),
        CodeRow(code: "ZONE_BUSY", status: 503, request: soon, item: itemSoon),
        CodeRow(code: "ZONE_NOT_FOUND", status: 404, request: .recreate(.zone), item: .recreate(.zone)),
        // Nobody knows it: the status decides; where there is none, it is not retried.
        CodeRow(code: "INVENTED_YESTERDAY", status: 503, request: soon, item: .hold(.refused)),
        CodeRow(code: "INVENTED_TODAY", status: 418, request: .hold(.misconfigured), item: .hold(.refused)),
    ]

    @Test("Each code, for each operation, as a request's error and as an item's", arguments: codes)
    func code(row: CodeRow) async {
        for operation in CloudKitOperation.all {
            let request = FailedCall(.request, of: operation, .code(.init(rawValue: row.code), status: row.status))
            #expect(request.reaction == row.expected(.request, operation), "request \(operation)")
            let error = ErrorDictionary(.init(rawValue: row.code))
            #expect(error.reaction(of: operation) == row.expected(.item, operation), "item \(operation)")
        }
    }

    @Test("The table has every code that the wire knows")
    func complete() {
        let known: Set<ServerErrorCode> = [
            .accessDenied, .atomicError, .authenticationFailed, .authenticationRequired, .badRequest, .conflict,
            .exists,
            .internalError, .quotaExceeded, .signInFailed, .throttled, .tryAgainLater, .uniqueFieldError,
            .validatingReferenceError, .zoneBusy, .zoneNotFound,
        ]
        #expect(known.subtracting(Self.codes.map { ServerErrorCode(rawValue: $0.code) }).isEmpty)
    }

    @Test("NOT_FOUND is what the operation makes of it")
    func notFound() {
        let expected: [(CloudKitOperation, FailedCall.Level, ErrorReaction)] = [
            (.usersCaller, .request, .hold(.misconfigured)), (.zonesList, .request, .hold(.misconfigured)),
            (.zonesLookup, .item, .recreate(.zone)), (.zonesModify, .item, .recreate(.zone)),
            (.recordsModify, .item, .recreate(.record)), (.recordsLookup, .item, .done),
            (.recordsQuery, .request, .hold(.misconfigured)), (.recordsResolve, .request, .hold(.misconfigured)),
            (.recordsAccept, .request, .hold(.misconfigured)),
            (.recordsLookup, .request, .hold(.misconfigured)), (.databaseChanges, .request, .hold(.misconfigured)),
            (.zoneChanges, .item, .recreate(.zone)), (.subscriptionsList, .request, .hold(.misconfigured)),
            (.subscriptionsLookup, .item, .recreate(.subscription)),
            (.subscriptionsModify, .item, .recreate(.subscription)), (.assetsUpload, .request, .hold(.misconfigured)),
            (.assetsRereference, .item, .lookUpAndMerge), (.tokensCreate, .request, .hold(.misconfigured)),
            (.tokensRegister, .request, .recreate(.pushToken)), (.pollCourier, .request, .recreate(.pushToken)),
            (.uploadAsset, .request, .recreate(.uploadURL)), (.downloadAsset, .request, .lookUpAndMerge),
        ]
        for (operation, level, reaction) in expected {
            #expect(
                FailedCall(level, of: operation, .code(.notFound, status: 404)).reaction == reaction, "\(operation)")
        }
        #expect(Set(expected.map(\.0)) == Set(CloudKitOperation.all))
    }

    @Test(
        "For each kind of save and deletion, what is not there or there already",
        arguments: RecordOperation.Kind.allCases)
    func kinds(kind: RecordOperation.Kind) {
        let isDeletion = kind == .delete || kind == .forceDelete
        let error = { ErrorDictionary($0).reaction(of: .recordsModify, recordKind: kind) }
        #expect(error(.notFound) == (isDeletion ? .done : .recreate(.record)))
        for code in [ServerErrorCode.conflict, .exists] { #expect(error(code) == .lookUpAndMerge) }
        #expect(error(.zoneNotFound) == .recreate(.zone))
    }

    @Test("A batch that is refused as a whole is split, unless that is no matter of its size", arguments: codes)
    func batches(row: CodeRow) {
        var call = FailedCall(.request, of: .recordsModify, .code(.init(rawValue: row.code), status: row.status))
        call.batchCount = 200
        let splits: Set = [
            "ATOMIC_ERROR", "BAD_REQUEST", "CONFLICT", "EXISTS", "VALIDATING_REFERENCE_ERROR", "INVENTED_TODAY",
        ]
        #expect(call.reaction == (splits.contains(row.code) ? .split : row.expected(.request, .recordsModify)))
    }

    @Test("A time that the server names is kept by every reaction that waits", arguments: codes)
    func times(row: CodeRow) {
        for level in FailedCall.Level.allCases {
            var call = FailedCall(
                level, of: .zoneChanges, .code(.init(rawValue: row.code), status: level == .item ? nil : row.status))
            call.retryAfter = .seconds(110_207)
            if case .retry(let after, _) = call.reaction { #expect(after == .seconds(110_207)) }
        }
    }

    /// Bodies that are no error of CloudKit's.
    static let bodies = [
        "", " ", "<html>502</html>", "null", "[]", "17", "{", "{}", #"{"serverErrorCode":17}"#, #"{"error":"x"}"#, "\0",
    ]

    @Test("Whatever is in the body, the status decides where there is no code", arguments: bodies)
    func foreignBodies(body: String) async {
        let statuses: [(Int, ErrorReaction)] = [
            (301, soon), (302, soon), (307, soon), (400, .hold(.refused)), (401, .signIn(redirectURL: nil)),
            (403, .hold(.noPermission)), (404, .hold(.misconfigured)), (405, .hold(.misconfigured)), (408, soon),
            (410, .hold(.misconfigured)), (413, .hold(.tooLarge)), (421, soon), (425, soon), (429, soon),
            (431, .hold(.misconfigured)), (451, .hold(.misconfigured)), (500, soon), (501, soon), (502, soon),
            (503, soon),
            (504, soon), (520, soon), (599, soon), (700, soon),
        ]
        for (status, expected) in statuses {
            for operation in [CloudKitOperation.zoneChanges, .zonesList, .assetsUpload] {
                let error = CloudKitError.answer(
                    TransportResponse(status: status, body: Array(body.utf8)), to: operation)
                #expect(error.code == .http && error.status == status)
                #expect(error.reaction() == expected, "\(status) to \(operation)")
            }
        }
    }

    @Test("A code in the body goes before the status, whatever that is", arguments: [200, 400, 404, 500, 503])
    func codeFirst(status: Int) {
        let body = Array(#"{"serverErrorCode":"THROTTLED","retryAfter":7}"#.utf8)
        let error = CloudKitError.answer(TransportResponse(status: status, body: body), to: .zoneChanges)
        #expect(error.reaction() == .retry(after: .seconds(7), pausing: .database))
    }

    @Test("Nothing that fails for ever is retried for ever, where it is one item", arguments: codes)
    func patience(row: CodeRow) {
        var call = FailedCall(.item, of: .recordsModify, .code(.init(rawValue: row.code), status: nil))
        call.attempts = 1_000
        let waits: Set = ["THROTTLED", "TRY_AGAIN_LATER", "RETRY_LATER", "ZONE_BUSY"]
        if case .retry = call.reaction { #expect(waits.contains(row.code)) } else { #expect(!waits.contains(row.code)) }
    }
}
