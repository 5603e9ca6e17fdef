import CloudKitWire
import HTTPTypes
import Logging
import WireCoding

/// One call of an operation: authenticate, decode, let the store do it, encode. Blocks while it works.
struct OperationCall: Sendable {
    let store: RecordStore
    let logger: Logger
    let target: RequestTarget
    let query: [String: String]
    var body: [UInt8]
    let baseURL: String
    let uuid: String
    var origin: String?
    var signature: ServerSignature?

    /// The answer, and how many items the request had.
    func perform() -> (Answer, items: Int) {
        switch admit() {
        case .refused(let answer): (answer, 0)
        case .admitted(let caller, let headers): perform(as: caller, headers)
        }
    }

    /// What is known once the credentials were looked at.
    enum Admission: Sendable {
        case refused(Answer)
        /// - headers: Those of the answer, whatever it is.
        case admitted(Caller, headers: HTTPFields)
    }

    /// Finds out who calls. That is quick for all, whereas the call itself can take long.
    func admit() -> Admission {
        var headers: HTTPFields = [:]
        headers[.requestUUID] = uuid
        do {
            return .admitted(try authenticate(&headers), headers: headers)
        } catch {
            return .refused(answer(to: error, isSaving: false).with(headers))
        }
    }

    /// Carries the call out for a caller who was admitted: the answer, and how many items the request had.
    func perform(as caller: Caller, _ headers: HTTPFields) -> (Answer, items: Int) {
        var facts = Facts(isSaving: target.isWriting)
        do {
            return (try perform(as: caller, &facts).with(headers), facts.items)
        } catch {
            return (answer(to: error, isSaving: facts.isSaving).with(headers), facts.items)
        }
    }

    /// What is found out about a request while it is carried out.
    struct Facts {
        var items = 0
        /// Whether it would store something, and not only read or delete.
        var isSaving: Bool
    }

    private func answer(to error: any Error, isSaving: Bool) -> Answer {
        switch error {
        case let error as ErrorDictionary: .error(error, uuid: uuid)
        case let error as WireError: .error(.malformed(error.message), uuid: uuid)
        default: .failure(error, isSaving: isSaving, uuid: uuid, logger)
        }
    }

    private func authenticate(_ headers: inout HTTPFields) throws -> Caller {
        let (container, environment, scope, operation): (String, String, DatabaseScope, RequestTarget.Operation) =
            switch target {
            case .database(let container, let environment, let scope, let operation):
                (container, environment, scope, operation)
            case .device(let container, let environment, let operation): (container, environment, .private, operation)
            default: preconditionFailure("Only operations are authenticated")
            }
        let authenticated = try store.authenticate(
            Credentials(
                apiToken: query["ckAPIToken"], webAuthToken: query["ckWebAuthToken"], origin: origin,
                signature: signature),
            container: container, environment: environment, scope: scope, baseURL: baseURL)
        headers[.webAuthToken] = authenticated.nextWebAuthToken
        headers[.webAuthTokenSucceeded] = authenticated.isTokenSucceeded ? "true" : nil
        try operation.access(in: scope).check(authenticated.caller)
        var caller = authenticated.caller
        caller.wantsSyncToken = query["getCurrentSyncToken"] == "true"
        return caller
    }

    private func perform(as caller: Caller, _ facts: inout Facts) throws -> Answer {
        try RequestNames.check(body)
        switch target {
        case .device(_, _, let operation):
            return try perform(operation, as: caller, &facts)
        case .database(_, _, let scope, let operation):
            guard operation.databases.contains(scope) else { throw ErrorDictionary.notApplicable(in: scope) }
            if scope == .public { try store.preparePublicDatabase(for: caller) }
            return try perform(operation, as: caller, &facts)
        default: preconditionFailure("Only operations are performed")
        }
    }
}
