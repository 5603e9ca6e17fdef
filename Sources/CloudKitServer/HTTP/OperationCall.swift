import CloudKitQueries
import CloudKitWire
import HTTPTypes
import Logging
import LosslessJSON
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
        var headers: HTTPFields = [:]
        CrossOrigin.describe(&headers)
        var items = 0
        var answer: Answer
        do {
            let caller = try authenticate(&headers)
            answer = try perform(as: caller, &items)
        } catch let error as ErrorDictionary {
            answer = .error(error, uuid: uuid)
        } catch let error as WireError {
            answer = .error(.malformed(error.message), uuid: uuid)
        } catch {
            answer = .failure(error, uuid: uuid, logger)
        }
        headers[.requestUUID] = uuid
        for field in headers { answer.headers[field.name] = field.value }
        return (answer, items)
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

    private func perform(as caller: Caller, _ items: inout Int) throws -> Answer {
        try RequestNames.check(body)
        switch target {
        case .device(_, _, let operation):
            return try perform(operation, as: caller, &items)
        case .database(_, _, let scope, let operation):
            guard operation.databases.contains(scope) else { throw ErrorDictionary.notApplicable(in: scope) }
            if scope == .public { try store.preparePublicDatabase(for: caller) }
            return try perform(operation, as: caller, &items)
        default: preconditionFailure("Only operations are performed")
        }
    }

    private func perform(_ operation: RequestTarget.Operation, as caller: Caller, _ items: inout Int) throws -> Answer {
        switch operation {
        case .recordsModify:
            let request = try RecordsModifyRequest.decode(body)
            items = request.operations.count
            return .json(try store.modify(request, as: caller), numbersAsStrings: request.numbersAsStrings)
        case .recordsLookup:
            let request = try RecordsLookupRequest.decode(body)
            items = request.recordNames.count
            return .json(try store.lookup(request, as: caller), numbersAsStrings: request.numbersAsStrings)
        case .recordsQuery:
            let request = try RecordsQueryRequest.decode(body)
            items = 1
            return .json(try store.query(request, as: caller), numbersAsStrings: request.numbersAsStrings)
        case .recordsResolve:
            let request = try SharesRequest.decode(body)
            items = request.shortGUIDs.count
            return .json(try store.resolveShares(request, as: caller))
        case .recordsAccept:
            let request = try SharesRequest.decode(body)
            items = request.shortGUIDs.count
            return .json(try store.acceptShares(request, as: caller))
        case .recordsChanges:
            let request = try ZoneChangesQuery.decode(body)
            items = 1
            return .json(try store.recordsChanges(request, as: caller), numbersAsStrings: request.numbersAsStrings)
        case .zoneChanges:
            let request = try ZoneChangesRequest.decode(body)
            items = request.zones.count
            return Answer(status: 200, body: try store.zoneChanges(request, as: caller).encoded(for: request))
        case .databaseChanges:
            return .json(try store.databaseChanges(.decode(body), as: caller))
        case .zonesChanges:
            return .json(try store.zonesChanges(.decode(body), as: caller))
        case .zonesList:
            return .json(try store.zones(as: caller))
        case .zonesLookup:
            let request = try ZonesLookupRequest.decode(body)
            items = request.zones.count
            return .json(try store.zones(request, as: caller))
        case .zonesModify:
            let request = try ZonesModifyRequest.decode(body)
            items = request.operations.count
            return .json(try store.modifyZones(request, as: caller))
        case .subscriptionsList:
            return .json(try store.subscriptions(as: caller))
        case .subscriptionsLookup:
            let request = try SubscriptionsLookupRequest.decode(body)
            items = request.subscriptionIDs.count
            return .json(try store.subscriptions(request, as: caller))
        case .subscriptionsModify:
            let request = try SubscriptionsModifyRequest.decode(body)
            items = request.operations.count
            return .json(try store.modifySubscriptions(request, as: caller))
        case .usersCaller:
            return .json(try store.identity(of: caller))
        case .usersCurrent:
            return .json(try store.user(of: caller))
        case .usersDiscover:
            // GET asks for one's contacts, and a server of its own has no address book.
            guard !body.isEmpty else { return .json(UsersDiscoverResponse(users: [])) }
            let request = try UsersDiscoverRequest.decode(body)
            items = request.lookupInfos.count
            return .json(try store.discover(request, as: caller))
        case .usersLookupEmail, .usersLookupID:
            let request = try UsersLookupRequest.decode(body)
            items = request.users.count
            return .json(try store.users(request, as: caller))
        case .usersLookupContacts:
            return .json(UsersLookupResponse(users: []))
        case .assetsUpload:
            let request = try AssetsUploadRequest.decode(body)
            items = request.tokens.count
            return .json(try store.assetUploads(request, as: caller))
        case .assetsRereference:
            let request = try AssetsRereferenceRequest.decode(body)
            items = request.assets.count
            return .json(try store.rereference(request, as: caller))
        case .tokensCreate, .tokensRegister:
            let request = try PushTokenRequest.decode(body)
            guard operation == .tokensCreate || request.apnsToken != nil else {
                throw ErrorDictionary.missing("apnsToken")
            }
            return .json(try store.registerPushToken(request, as: caller))
        }
    }
}

extension ZoneChangesResponse {
    /// The bytes of the answer. Each zone's numbers are spelt as the request wants that zone's.
    fileprivate func encoded(for request: ZoneChangesRequest) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("zones")
        json.beginArray()
        for (zone, query) in zip(zones, request.zones) {
            json.numbersAsStrings = query.numbersAsStrings == true
            zone.write(to: &json)
        }
        json.endArray()
        json.endObject()
        return json.bytes
    }
}
