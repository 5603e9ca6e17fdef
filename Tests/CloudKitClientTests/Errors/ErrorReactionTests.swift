import CloudKitWire
import Testing

@testable import CloudKitClient

private let codes: [ServerErrorCode] = [
    .accessDenied, .atomicError, .authenticationFailed, .authenticationRequired, .badRequest, .conflict, .exists,
    .internalError, .notFound, .quotaExceeded, .signInFailed, .throttled, .tryAgainLater, .uniqueFieldError,
    .validatingReferenceError, .zoneBusy, .zoneNotFound,
    ServerErrorCode(rawValue: "RETRY_LATER"), ServerErrorCode(rawValue: "INVENTED_YESTERDAY"),
    ServerErrorCode(rawValue: ""), .unexpectedServerResponse,
]

/// One row of the table that the documents give.
struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var call: FailedCall
    var expected: ErrorReaction

    init(
        _ name: String, _ level: FailedCall.Level, _ operation: CloudKitOperation, _ failure: FailedCall.Failure,
        _ expected: ErrorReaction, with change: (inout FailedCall) -> Void = { _ in }
    ) {
        testDescription = name
        call = FailedCall(level, of: operation, failure)
        change(&call)
        self.expected = expected
    }
}

private func code(_ code: ServerErrorCode, _ status: Int? = nil) -> FailedCall.Failure { .code(code, status: status) }
private let retryItem = ErrorReaction.retry(after: nil, pausing: .item)
private let retryAll = ErrorReaction.retry(after: nil, pausing: .database)

@Suite("Errors are a total function (reliability.md §3, protocol §5)")
struct ErrorReactionTests {
    @Test(
        "What the documents say",
        arguments: [
            Row("stale tag", .item, .recordsModify, code(.conflict), .lookUpAndMerge),
            Row("created twice", .item, .recordsModify, code(.exists), .lookUpAndMerge),
            Row("zone exists (S0.7)", .item, .zonesModify, code(.exists), .done),
            Row("subscription exists (S0.9)", .item, .subscriptionsModify, code(.exists), .done),
            Row("subscription for the same exists", .item, .subscriptionsModify, code(.badRequest), .done) {
                $0.reason = "Duplicate of subscription 'zonefolder-Notes'"
            },
            Row("subscription refused", .item, .subscriptionsModify, code(.badRequest), .hold(.refused)) {
                $0.reason = "subscriptions are not for everybody"
            },
            Row("subscription unknown (S0.9)", .item, .subscriptionsLookup, code(.notFound), .recreate(.subscription)),
            Row("update of a lost record", .item, .recordsModify, code(.notFound), .recreate(.record)) {
                $0.recordKind = .update
            },
            Row("delete of a lost record", .item, .recordsModify, code(.notFound), .done) {
                $0.recordKind = .forceDelete
            },
            Row("lookup of a lost record", .item, .recordsLookup, code(.notFound), .done),
            Row("zone gone", .item, .zoneChanges, code(.zoneNotFound), .recreate(.zone)),
            Row("zone gone while saving", .request, .recordsModify, code(.zoneNotFound, 404), .recreate(.zone)),
            Row("zone to be deleted is gone", .item, .zonesModify, code(.zoneNotFound), .done) { $0.deletes = true },
            Row("expired token, zone", .item, .zoneChanges, code(.badRequest), .refetch) { $0.hadToken = true },
            Row("expired token, database", .request, .databaseChanges, code(.badRequest, 400), .refetch) {
                $0.hadToken = true
            },
            Row("refused without a token", .item, .zoneChanges, code(.badRequest), .hold(.refused)),
            Row("too many operations", .request, .recordsModify, code(.badRequest, 400), .split) {
                $0.batchCount = 400
            },
            Row("body too large", .request, .recordsModify, .status(413), .split) { $0.batchCount = 2 },
            Row("one record too large", .request, .recordsModify, .status(413), .hold(.tooLarge)),
            Row("one record too large, in words", .item, .recordsModify, code(.badRequest), .hold(.tooLarge)) {
                $0.reason = "record size exceeds 1 MB"
            },
            Row("field not in the schema", .item, .recordsModify, code(.badRequest), .hold(.missingFromSchema)) {
                $0.reason = "Field 'path' not found in Note"
            },
            Row("type not in the schema", .request, .recordsModify, code(.badRequest, 400), .hold(.missingFromSchema)) {
                $0.reason = "Cannot create new type File in production schema"
            },
            Row("field not in production", .item, .recordsModify, code(.badRequest), .hold(.missingFromSchema)) {
                $0.reason = "Cannot create or modify field 'x' in record 'Note' in production schema"
            },
            Row("referred to by too many", .item, .recordsModify, code(.badRequest), .hold(.tooManyReferences)) {
                $0.reason = "Limit exceeded for number of owning references"
            },
            Row("referred to by too many, here", .item, .recordsModify, code(.badRequest), .hold(.tooManyReferences)) {
                $0.reason = "'Note/a' already has 750 DELETE_SELF references, the most that one record can have"
            },
            Row("beyond another limit", .item, .recordsModify, code(.badRequest), .hold(.tooLarge)) {
                $0.reason = "Limit exceeded for something"
            },
            Row("name refused", .item, .recordsModify, code(.badRequest), .hold(.nameRefused)) {
                $0.reason = "Invalid record name: it must be 1 to 255 ASCII characters and not start with '_'"
            },
            Row("name refused, in other words", .item, .recordsModify, code(.badRequest), .hold(.nameRefused)) {
                $0.reason = "BadRequestException: recordName exceeds the maximum length"
            },
            Row("name left out", .item, .recordsModify, code(.badRequest), .hold(.refused)) {
                $0.reason = "BadRequestException: missing required field 'recordName'"
            },
            Row("storage full", .item, .recordsModify, code(.quotaExceeded), .hold(.outOfStorage)),
            Row("storage full, request", .request, .recordsModify, code(.quotaExceeded, 413), .hold(.outOfStorage)) {
                $0.batchCount = 100
            },
            Row("no permission", .item, .recordsModify, code(.accessDenied), .hold(.noPermission)),
            Row("unique field", .item, .recordsModify, code(.uniqueFieldError), .hold(.notUnique)),
            Row("reference", .item, .recordsModify, code(.validatingReferenceError), .hold(.brokenReference)),
            Row("reference, request", .request, .recordsModify, code(.validatingReferenceError, 412), .split) {
                $0.batchCount = 2
            },
            Row("atomic bystander", .item, .recordsModify, code(.atomicError), retryItem),
            Row("atomic request", .request, .recordsModify, code(.atomicError, 400), .split) { $0.batchCount = 3 },
            Row(
                "throttled (TN3162)", .request, .recordsModify, code(.throttled, 429),
                .retry(after: .seconds(110_207), pausing: .database)
            ) { $0.retryAfter = .seconds(110_207) },
            Row("one item throttled", .item, .recordsModify, code(.throttled), retryAll),
            Row("zone busy", .item, .recordsModify, code(.zoneBusy), retryItem),
            Row("service unavailable", .request, .zoneChanges, code(.tryAgainLater, 503), retryAll),
            Row("503 without JSON", .request, .zoneChanges, .status(503), retryAll),
            Row("item fault, at first", .item, .recordsModify, code(.internalError), retryItem),
            Row("item fault, always", .item, .recordsModify, code(.internalError), .hold(.serverFault)) {
                $0.attempts = 5
            },
            Row("request fault, always", .request, .zoneChanges, code(.internalError, 500), retryAll) {
                $0.attempts = 99
            },
            Row(
                "signed out (S1.8)", .request, .zoneChanges, code(.authenticationRequired, 421),
                .signIn(redirectURL: "https://x")
            ) { $0.redirectURL = "https://x" },
            Row("key refused", .request, .zoneChanges, code(.authenticationFailed, 401), .signIn(redirectURL: nil)),
            Row("misdirected", .request, .zoneChanges, .status(421), retryAll),
            Row("unknown code, 503", .request, .zoneChanges, code(codes[17], 503), retryAll),
            Row("unknown code, item", .item, .recordsModify, code(codes[18]), .hold(.refused)),
            Row(
                "unknown code with a time", .item, .recordsModify, code(codes[18]),
                .retry(after: .seconds(3), pausing: .item)
            ) { $0.retryAfter = .seconds(3) },
            Row(
                "no network (S0.32)", .request, .zoneChanges,
                .transport(.unreachable, mayHaveBeenDone: false), retryAll),
            Row(
                "save's answer lost", .request, .recordsModify,
                .transport(.connectionLost, mayHaveBeenDone: true), .lookUpAndMerge),
            Row(
                "fetch's answer lost", .request, .zoneChanges,
                .transport(.connectionLost, mayHaveBeenDone: false), retryAll),
            Row("captive portal", .request, .recordsModify, .unexpectedAnswer, .lookUpAndMerge),
            Row("redirected", .request, .zoneChanges, .status(302), retryAll),
            Row("stale upload URL", .request, .uploadAsset, .status(403), .recreate(.uploadURL)),
            Row("asset too large", .request, .uploadAsset, .status(413), .hold(.tooLarge)),
            Row("stale download URL", .request, .downloadAsset, .status(410), .lookUpAndMerge),
            Row("asset gone", .request, .downloadAsset, .status(404), .hold(.assetGone)) { $0.attempts = 2 },
            Row(
                "file changed while uploading", .request, .uploadAsset,
                .transport(.sourceFailed, mayHaveBeenDone: false), retryItem),
            Row("courier expired (S0.12)", .request, .pollCourier, .status(404), .recreate(.pushToken)),
            Row(
                "a certificate that is not believed", .request, .recordsModify,
                .transport(.untrusted, mayHaveBeenDone: false), retryAll),
            Row(
                "one of the content host", .request, .downloadAsset, .transport(.untrusted, mayHaveBeenDone: false),
                .hold(.untrusted)),
            Row("courier timed out", .request, .pollCourier, .transport(.timedOut, mayHaveBeenDone: false), retryItem),
        ])
    func table(_ row: Row) {
        #expect(row.call.reaction == row.expected)
    }

    /// Everything that can fail, in every context.
    static var everyCall: [FailedCall] {
        var failures: [FailedCall.Failure] = [.unexpectedAnswer, .credentialsNotStored]
        for code in codes {
            failures.append(.code(code, status: nil))
            for status in [200, 302, 400, 401, 403, 404, 409, 412, 413, 418, 421, 429, 500, 502, 503, 504, 599] {
                failures.append(.code(code, status: status))
            }
        }
        failures += (0...620).map { .status($0) }
        for code in TransportError.Code.allCases {
            failures += [.transport(code, mayHaveBeenDone: true), .transport(code, mayHaveBeenDone: false)]
        }
        var calls: [FailedCall] = []
        for level in FailedCall.Level.allCases {
            for operation in CloudKitOperation.all + [CloudKitOperation(rawValue: "records/query")] {
                for failure in failures { calls.append(FailedCall(level, of: operation, failure)) }
            }
        }
        return calls
    }

    @Test("Every code, status and context has a reaction that makes sense there")
    func walk() {
        for base in Self.everyCall {
            for (hadToken, batchCount, attempts, retryAfter) in [
                (false, 1, 0, nil), (true, 1, 0, nil), (false, 200, 0, nil), (false, 1, 100, nil),
                (false, 1, 0, Duration.seconds(7)),
            ] {
                var call = base
                call.hadToken = hadToken
                call.batchCount = batchCount
                call.attempts = attempts
                call.retryAfter = retryAfter
                check(call)
            }
        }
    }

    private func check(_ call: FailedCall) {
        switch call.reaction {
        case .split:
            if call.level != .request || call.batchCount < 2 { Issue.record("\(call): nothing to split") }
        case .refetch:
            if !call.hadToken || !call.operation.takesSyncToken { Issue.record("\(call): no token to drop") }
        case .retry(let after, _):
            if after != call.retryAfter { Issue.record("\(call): the server's time is lost") }
            if call.level == .item, call.attempts >= 100, call.retryAfter == nil,
                case .code(.internalError, _) = call.failure
            {
                Issue.record("\(call): a broken item is retried for ever")
            }
        case .done:
            // Only where the server is as it was to become; a failed fetch never is.
            let quiet: Set<CloudKitOperation> = [
                .zonesModify, .subscriptionsModify, .recordsModify, .recordsLookup,
            ]
            if !quiet.contains(call.operation) { Issue.record("\(call): nothing was done") }
        case .lookUpAndMerge:
            let records: Set<CloudKitOperation> = [.recordsModify, .assetsRereference, .downloadAsset]
            if !records.contains(call.operation) { Issue.record("\(call): no record to look up") }
        case .recreate, .hold, .signIn: break
        }
    }

    @Test("An unreachable server never looks like something that was deleted", arguments: CloudKitOperation.all)
    func noDeletionByAccident(operation: CloudKitOperation) {
        for status in [500, 502, 503, 504, 302, 408, 429] {
            switch FailedCall(.request, of: operation, .status(status)).reaction {
            case .retry: break
            case let other: Issue.record("\(operation) with \(status): \(other)")
            }
        }
    }

    @Test("Every hold has a reason and a remedy", arguments: Hold.allCases)
    func sentences(hold: Hold) {
        #expect(hold.reason.hasSuffix("."))
        for subject in Hold.Subject.allCases { #expect(hold.remedy(for: subject).hasSuffix(".")) }
    }
}
