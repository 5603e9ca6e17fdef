import CloudKitClient
import CloudKitQueries
import CloudKitWire
import FolderControl
import StateStorage
import SyncModel
import Testing

@testable import FolderObserving
@testable import SessionCore
@testable import SyncEngine
@testable import WireCoding

/// What the server answers, and what `status` makes of it.
struct RefusalRow: Sendable, CustomTestStringConvertible {
    var code: ServerErrorCode
    /// The server's words.
    var words: String
    /// Of the problem.
    var problem: String
    /// What stands between the file's path and the server's words.
    var sentence: String
    /// Part of the remedy.
    var remedy: String
    var isOfDeletion = false

    var testDescription: String { words }

    static let all = [
        RefusalRow(
            code: .accessDenied, words: "WRITE not permitted", problem: "permissionDenied",
            sentence: "The account has no permission for this.", remedy: "write access"),
        RefusalRow(
            code: .quotaExceeded, words: "Quota exceeded", problem: "quotaExceeded",
            sentence: "The account's storage on the server is full.", remedy: "Free some"),
        RefusalRow(
            code: .badRequest, words: "record size exceeds 1 MB", problem: "tooLarge",
            sentence: "This is larger than the server takes.", remedy: "Make the file smaller"),
        RefusalRow(
            code: .badRequest, words: "Limit exceeded for number of owning references", problem: "limitExceeded",
            sentence: "At most 750 records can refer to one record with DELETE_SELF.", remedy: "refer to another record"
        ),
        RefusalRow(
            code: .badRequest, words: "Cannot create or modify field 'x' in record 'Note' in production schema",
            problem: "schemaMissing",
            sentence:
                "the schema of \(EngineWorld.container) in development lacks the field 'x' (INT64) of the record type "
                + "Note.", remedy: "zonefolder schema import"),
        RefusalRow(
            code: .badRequest, words: "Cannot create new type Note in production schema", problem: "schemaMissing",
            sentence: "the schema of \(EngineWorld.container) in development lacks the record type Note.",
            remedy: "zonefolder schema import"),
        RefusalRow(
            code: .badRequest, words: "what was sent was not found in the catalogue", problem: "schemaMissing",
            sentence: "The container's schema lacks this record type or field.", remedy: "Import the schema"),
        RefusalRow(
            code: .badRequest, words: "Invalid record name: it must be 1 to 255 ASCII characters",
            problem: "nameIllegal", sentence: "The server does not take the name of the file's record.",
            remedy: "Rename the file"),
        RefusalRow(
            code: .uniqueFieldError, words: "slug is taken", problem: "serverRefused",
            sentence: "Another record has the same value in a field that must be unique.", remedy: "Change the value"),
        RefusalRow(
            code: .badRequest, words: "Invalid value, expected type TIMESTAMP.", problem: "serverRefused",
            sentence: "The server does not accept this as it is.", remedy: "Mend the file"),
        RefusalRow(
            code: .init(rawValue: "INVENTED"), words: "never heard of", problem: "serverRefused",
            sentence: "The server does not accept this as it is.", remedy: "Mend the file"),
        RefusalRow(
            code: .validatingReferenceError, words: "no such target", problem: "referenceRefused",
            sentence: "the server refuses a reference in it.", remedy: "Take the reference out"),
        RefusalRow(
            code: .accessDenied, words: "DELETE not permitted", problem: "permissionDenied",
            sentence: "The account has no permission for this.", remedy: "write access", isOfDeletion: true),
        RefusalRow(
            code: .badRequest, words: "not today", problem: "serverRefused",
            sentence: "The server does not accept this as it is.", remedy: "Its record stays in the zone",
            isOfDeletion: true),
        RefusalRow(
            code: .validatingReferenceError, words: "something refers to it", problem: "referenceRefused",
            sentence: "is deleted here, but its record stays in the zone, since another record refers to it.",
            remedy: "put the file back", isOfDeletion: true),
    ]
}

@Suite("What the server refuses is told in its own words, with a remedy that fits", .timeLimit(.minutes(30)))
struct RefusalTests {
    private static func answer(_ code: ServerErrorCode, _ words: String) -> TransportResponse {
        let error = ErrorDictionary(code, reason: words)
        return TransportResponse(status: 200, body: RecordsResponse(records: [.failure(error)]).encoded())
    }

    @Test("Of one file", arguments: RefusalRow.all)
    func file(_ row: RefusalRow) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            if row.isOfDeletion {
                try laptop.write(#"{"x": 1}"#, to: "Note/a.json")
                await laptop.settle()
                try laptop.delete("Note/a.json")
            } else {
                try laptop.write(#"{"x": 1}"#, to: "Note/a.json")
            }
            let answer = Self.answer(row.code, row.words)
            laptop.network.decide {
                FaultyNetwork.operation(of: $0) == "records/modify" ? .answered(answer) : .delivered
            }
            await laptop.settle()
            let report = try await laptop.report()
            let held = try #require(report.held.first)
            #expect(report.held.count == 1 && report.verdict == .attention)
            #expect(held.code == row.problem)
            let isSentence = row.sentence.hasPrefix("is ")
            #expect(held.message == "Note/a.json\(isSentence ? "" : ":") \(row.sentence) (\(row.words))")
            #expect(held.remedy.contains(row.remedy), "\(held.remedy)")
            // It ends with its cause.
            laptop.network.decide { _ in .delivered }
            laptop.pass(.seconds(4000))
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test(
        "Of a request that is about no file: no file is to be mended",
        arguments: [
            ("zones/modify", "The zone 'Notes' cannot be made."),
            ("changes/database", "Which zones changed cannot be read."),
            ("changes/zone", "What changed in the zone 'Notes' cannot be read."),
        ])
    func request(operation: String, what: String) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let body = ErrorDictionary(.badRequest, reason: "not for you").encoded()
            laptop.network.decide {
                FaultyNetwork.operation(of: $0) == operation
                    ? .answered(TransportResponse(status: 400, body: body)) : .delivered
            }
            await laptop.settle()
            let held = try #require(try await laptop.report().held.first)
            #expect(held.message == "\(what) The server does not accept this as it is. (not for you)")
            #expect(held.remedy.hasPrefix("No file is to blame."))
            laptop.network.decide { _ in .delivered }
            laptop.pass(.seconds(100))
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("A folder without a subscription is in sync, and says why no push comes; the server is asked again")
    func subscription() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let error = ErrorDictionary(.badRequest, reason: "too many of them")
            let body = SubscriptionsResponse(subscriptions: [.failure(error)]).encoded()
            laptop.network.decide {
                FaultyNetwork.operation(of: $0) == "subscriptions/modify"
                    ? .answered(TransportResponse(status: 200, body: body)) : .delivered
            }
            try laptop.write("text", to: "a.txt")
            await laptop.settle()
            let report = try await laptop.report()
            #expect(report.verdict == .inSync && report.held.isEmpty && report.records == 1)
            #expect(report.withoutPush == "The server does not accept this as it is. (too many of them)")
            laptop.network.decide { _ in .delivered }
            laptop.pass(.seconds(100))
            await laptop.settle()
            #expect(try await laptop.report().withoutPush == nil)
            #expect(laptop.network.takeOperations().contains("subscriptions/modify"))
            await laptop.settle()
            #expect(!laptop.network.takeOperations().contains("subscriptions/modify"))
            try laptop.close()
        }
    }

    @Test("A subscription for the same that is there already is what was asked for")
    func duplicateSubscription() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let error = ErrorDictionary(.badRequest, reason: "Duplicate of subscription 'another'")
            let body = SubscriptionsResponse(subscriptions: [.failure(error)]).encoded()
            laptop.network.decide {
                FaultyNetwork.operation(of: $0) == "subscriptions/modify"
                    ? .answered(TransportResponse(status: 200, body: body)) : .delivered
            }
            await laptop.settle()
            let report = try await laptop.report()
            #expect(report.verdict == .inSync && report.withoutPush == nil)
            #expect(laptop.network.takeOperations().count { $0 == "subscriptions/modify" } == 1)
            laptop.pass(.seconds(1000))
            await laptop.settle()
            #expect(!laptop.network.takeOperations().contains("subscriptions/modify"))
            try laptop.close()
        }
    }

    @Test("What came to nothing because its file is another one by now is not said to wait for what it was refused for")
    func cameToNothing() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let action = Action(
                .writeFile, record: RecordName("r"), path: FolderPath("a.txt")!, local: nil, changeTag: "1")
            #expect(await laptop.session.problems(of: action) == [.diskFull])
            #expect(await laptop.session.problems(ofSuperseded: action) == [])
            try laptop.close()
        }
    }
}

extension FolderSession {
    /// What is said of an action that a full disk kept from being carried out.
    fileprivate func problems(of action: Action) -> [Problem.Code] {
        setbacks.hold(action, Problem(.diskFull, message: "", remedy: ""))
        return setbacks.problems(of: [action]).values.map(\.code)
    }

    /// What is said of it once its file was found to be another one than it was planned with.
    fileprivate func problems(ofSuperseded action: Action) -> [Problem.Code] {
        observer.superseded(action)
        return setbacks.problems(of: [action]).values.map(\.code)
    }
}
