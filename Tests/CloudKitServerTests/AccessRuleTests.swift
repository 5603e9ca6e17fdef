import CloudKitWire
import Testing

@testable import CloudKitServer

@Suite("Who may call what (protocol §2)")
struct AccessRuleTests {
    struct Row: CustomStringConvertible, Sendable {
        var identity: Caller.Identity
        var place: String
        var operation: RequestTarget.Operation
        var scope: DatabaseScope
        /// `nil`: let through.
        var refusal: ServerErrorCode?
        var description: String { "\(identity), \(operation.rawValue) in \(place)" }
    }

    private static let person = Caller.Identity.user(id: 1, recordName: "_1")
    private static let serverKey = Caller.Identity.serverKey(id: 2, recordName: "_2")

    static let rows: [Row] = {
        typealias Answers = (world: ServerErrorCode?, person: ServerErrorCode?, key: ServerErrorCode?)
        let table: [(String, RequestTarget.Operation, DatabaseScope, Answers)] = [
            ("public", .recordsLookup, .public, (nil, nil, nil)),
            ("public", .recordsModify, .public, (nil, nil, nil)),
            ("private", .recordsLookup, .private, (.authenticationRequired, nil, .authenticationFailed)),
            ("shared", .recordsLookup, .shared, (.authenticationRequired, nil, .authenticationFailed)),
            ("users", .usersCaller, .public, (.authenticationRequired, nil, .authenticationFailed)),
            ("users", .usersCurrent, .private, (.authenticationRequired, nil, .authenticationFailed)),
            ("device", .tokensCreate, .private, (.authenticationRequired, nil, nil)),
            ("device", .tokensRegister, .private, (.authenticationRequired, nil, nil)),
        ]
        return table.flatMap { place, operation, scope, answers in
            [(Caller.Identity.world, answers.world), (person, answers.person), (serverKey, answers.key)].map {
                Row(identity: $0.0, place: place, operation: operation, scope: scope, refusal: $0.1)
            }
        }
    }()

    @Test("Each kind of credentials in each database", arguments: rows)
    func rule(_ row: Row) throws {
        let caller = Caller(
            container: "iCloud.example", environment: "development", scope: row.scope, baseURL: "http://localhost",
            identity: row.identity, signInURL: "http://localhost/sign-in?request=x")
        var refusal: ErrorDictionary?
        do throws(ErrorDictionary) {
            try row.operation.access(in: row.scope).check(caller)
        } catch {
            refusal = error
        }
        #expect(refusal?.serverErrorCode == row.refusal)
        #expect((refusal?.redirectURL != nil) == (row.refusal == .authenticationRequired))
    }

    @Test("Only in the public database an operation is open to everybody", arguments: RequestTarget.Operation.allCases)
    func closed(_ operation: RequestTarget.Operation) {
        #expect(operation.access(in: .private) != .anyone && operation.access(in: .shared) != .anyone)
        #expect((operation.access(in: .public) == .anyone) == !(operation.isAboutPeople || operation.isToken))
    }

    @Test("Whoever has no account has no row and nobody's name")
    func world() {
        let caller = Caller(
            container: "iCloud.example", environment: "development", scope: .public, baseURL: "http://localhost",
            identity: .world)
        #expect(caller.userID == nil && caller.userRecordName == "_world")
    }
}
