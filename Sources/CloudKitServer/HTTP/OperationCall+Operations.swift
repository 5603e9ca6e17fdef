import CloudKitQueries
import CloudKitWire
import LosslessJSON
import WireCoding

extension OperationCall {
    /// Decodes the request, lets the store do what it asks, and encodes the answer.
    func perform(_ operation: RequestTarget.Operation, as caller: Caller, _ facts: inout Facts) throws -> Answer {
        switch operation {
        case .recordsModify:
            let request = try RecordsModifyRequest.decode(body)
            facts.items = request.operations.count
            facts.isSaving = request.operations.contains { !$0.kind.deletes }
            return .json(try store.modify(request, as: caller), numbersAsStrings: request.numbersAsStrings)
        case .recordsLookup:
            let request = try RecordsLookupRequest.decode(body)
            facts.items = request.recordNames.count
            return .json(try store.lookup(request, as: caller), numbersAsStrings: request.numbersAsStrings)
        case .recordsQuery:
            let request = try RecordsQueryRequest.decode(body)
            facts.items = 1
            return .json(try store.query(request, as: caller), numbersAsStrings: request.numbersAsStrings)
        case .recordsResolve:
            let request = try SharesRequest.decode(body)
            facts.items = request.shortGUIDs.count
            return .json(try store.resolveShares(request, as: caller))
        case .recordsAccept:
            let request = try SharesRequest.decode(body)
            facts.items = request.shortGUIDs.count
            return .json(try store.acceptShares(request, as: caller))
        case .recordsChanges:
            let request = try ZoneChangesQuery.decode(body)
            facts.items = 1
            return .json(try store.recordsChanges(request, as: caller), numbersAsStrings: request.numbersAsStrings)
        case .zoneChanges:
            let request = try ZoneChangesRequest.decode(body)
            facts.items = request.zones.count
            return Answer(status: 200, body: try store.zoneChanges(request, as: caller).encoded(for: request))
        case .databaseChanges:
            return .json(try store.databaseChanges(.decode(body), as: caller))
        case .zonesChanges:
            return .json(try store.zonesChanges(.decode(body), as: caller))
        case .zonesList:
            return .json(try store.zones(as: caller))
        case .zonesLookup:
            let request = try ZonesLookupRequest.decode(body)
            facts.items = request.zones.count
            return .json(try store.zones(request, as: caller))
        case .zonesModify:
            let request = try ZonesModifyRequest.decode(body)
            facts.items = request.operations.count
            facts.isSaving = request.operations.contains { $0.kind != .delete }
            return .json(try store.modifyZones(request, as: caller))
        case .subscriptionsList:
            return .json(try store.subscriptions(as: caller))
        case .subscriptionsLookup:
            let request = try SubscriptionsLookupRequest.decode(body)
            facts.items = request.subscriptionIDs.count
            return .json(try store.subscriptions(request, as: caller))
        case .subscriptionsModify:
            let request = try SubscriptionsModifyRequest.decode(body)
            facts.items = request.operations.count
            facts.isSaving = request.operations.contains { $0.kind != .delete }
            return .json(try store.modifySubscriptions(request, as: caller))
        case .usersCaller:
            return .json(try store.identity(of: caller))
        case .usersCurrent:
            return .json(try store.user(of: caller))
        case .usersDiscover:
            // GET asks for one's contacts, and a server of its own has no address book.
            guard !body.isEmpty else { return .json(UsersDiscoverResponse(users: [])) }
            let request = try UsersDiscoverRequest.decode(body)
            facts.items = request.lookupInfos.count
            return .json(try store.discover(request, as: caller))
        case .usersLookupEmail, .usersLookupID:
            let request = try UsersLookupRequest.decode(body)
            facts.items = request.users.count
            return .json(try store.users(request, as: caller))
        case .usersLookupContacts:
            return .json(UsersLookupResponse(users: []))
        case .assetsUpload:
            let request = try AssetsUploadRequest.decode(body)
            facts.items = request.tokens.count
            return .json(try store.assetUploads(request, as: caller))
        case .assetsRereference:
            let request = try AssetsRereferenceRequest.decode(body)
            facts.items = request.assets.count
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
