public import CloudKitQueries
import CloudKitWire
import GRDB
import WireCoding

extension RecordStore {
    /// Every subscription of the caller's database (`subscriptions/list`).
    public func subscriptions(as caller: Caller) throws -> SubscriptionsResponse {
        try read { db in
            let (database, user) = try owner(caller, db)
            let rows = try String.fetchAll(
                db,
                sql: """
                    SELECT dictionary FROM subscriptions WHERE database_id = ? AND user_id = ? ORDER BY subscription_id
                    """,
                arguments: [database.id, user])
            return SubscriptionsResponse(subscriptions: try rows.map { .success(try subscription($0)) })
        }
    }

    /// Some subscriptions (`subscriptions/lookup`).
    public func subscriptions(
        _ request: SubscriptionsLookupRequest, as caller: Caller
    ) throws -> SubscriptionsResponse {
        guard request.subscriptionIDs.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("subscriptions", request.subscriptionIDs.count)
        }
        return try read { db in
            let (database, user) = try owner(caller, db)
            return SubscriptionsResponse(
                subscriptions: try request.subscriptionIDs.map { id in
                    let text = try String.fetchOne(
                        db,
                        sql: """
                            SELECT dictionary FROM subscriptions
                            WHERE database_id = ? AND user_id = ? AND subscription_id = ?
                            """,
                        arguments: [database.id, user, id])
                    guard let text else { return .failure(Self.subscriptionNotFound.about(subscription: id)) }
                    return .success(try subscription(text))
                })
        }
    }

    /// Creates, updates and deletes subscriptions, each by itself (`subscriptions/modify`).
    ///
    /// Creating one that exists replaces it (protocol §3.8); a query subscription is one of its kind, whatever its ID. A query subscription is about its zone, else about all zones,
    /// or with `zoneWide: false` the default zone: Apple's pages have both defaults, and a push too many is only a hint.
    public func modifySubscriptions(
        _ request: SubscriptionsModifyRequest, as caller: Caller
    ) throws -> SubscriptionsResponse {
        guard request.operations.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("operations", request.operations.count)
        }
        return try findingRoom(deletes: request.operations.contains { $0.kind == .delete }) {
            try change { db in try carryOut(request, caller, db) }
        }
    }

    private func carryOut(
        _ request: SubscriptionsModifyRequest, _ caller: Caller, _ db: Database
    ) throws -> SubscriptionsResponse {
        let (database, user) = try owner(caller, db)
        return SubscriptionsResponse(
            subscriptions: try request.operations.map { operation in
                try itemResult({ $0.about(subscription: operation.subscription.subscriptionID) }) {
                    switch operation.kind {
                    case .create, .update: try save(operation, database, user, caller, db)
                    case .delete: try delete(operation.subscription, database, user, db)
                    }
                }
            })
    }

    private func save(
        _ operation: SubscriptionOperation, _ database: DatabaseRow, _ user: Int64, _ caller: Caller, _ db: Database
    ) throws -> Subscription {
        var subscription = operation.subscription
        let id = subscription.subscriptionID ?? surroundings.uuid()
        guard 1...StoreLimits.nameLength ~= id.utf8.count else {
            throw ErrorDictionary.badRequest("Invalid subscriptionID: it must be 1 to 255 characters")
        }
        subscription.subscriptionID = id
        var zone: ZoneRow?
        guard caller.scope != .shared || subscription.subscriptionType == "database" else {
            throw ErrorDictionary.badRequest("only database subscriptions are supported in the shared database")
        }
        switch subscription.subscriptionType {
        case "zone":
            guard subscription.zoneID != nil else { throw ErrorDictionary.missing("zoneID") }
            zone = try ZoneRow.find(subscription.zoneID, in: database, of: caller, db)
            guard zone?.isDefault == false else {
                throw ErrorDictionary.badRequest("zone subscriptions are not supported in the default zone")
            }
        case "query":
            guard let query = subscription.query else { throw ErrorDictionary.missing("query") }
            try check(query, of: subscription, caller, db)
            // One that is not about all zones and names none is about the zone in which a query would look.
            if subscription.zoneID != nil || subscription.zoneWide == false {
                zone = try ZoneRow.find(subscription.zoneID, in: database, of: caller, db)
            }
        case "database":
            guard caller.scope != .public else {
                throw ErrorDictionary.badRequest("database subscriptions are not supported in the public database")
            }
        case let other:
            throw ErrorDictionary.badRequest("Unknown subscriptionType '\(other)'")
        }
        guard subscription.notificationInfo?.additionalFields?.count ?? 0 <= StoreLimits.additionalFields else {
            throw ErrorDictionary.badRequest(
                "a notification can bring \(StoreLimits.additionalFields) additionalFields of a record")
        }
        if let zone { subscription.zoneID = zone.zoneID(of: caller) }
        if operation.kind == .update {
            let exists = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM subscriptions WHERE database_id = ? AND user_id = ? AND subscription_id = ?)
                    """,
                arguments: [database.id, user, id])!
            guard exists else { throw Self.subscriptionNotFound }
        }
        if let query = subscription.query.flatMap({ try? Query.decode($0) }), subscription.subscriptionType == "query" {
            try requireUnique(query.recordType, subscription, database, user, db)
        }
        let dictionary = subscription.encoded()
        guard dictionary.count <= StoreLimits.subscriptionBytes else {
            throw ErrorDictionary.badRequest(
                "the subscription is \(dictionary.count) bytes, and the limit is \(StoreLimits.subscriptionBytes)")
        }
        try makeRoom(for: id, database, user, db)
        try db.execute(
            sql: "INSERT OR REPLACE INTO subscriptions VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                database.id, user, id, subscription.subscriptionType, zone?.id,
                String(decoding: dictionary, as: UTF8.self),
            ])
        return subscription
    }

    /// - Throws: `INTERNAL_ERROR`, in the service's words, where the account has a query subscription of the same record type
    ///   and events under another ID (protocol §3.8).
    private func requireUnique(
        _ recordType: String, _ subscription: Subscription, _ database: DatabaseRow, _ user: Int64, _ db: Database
    ) throws {
        let others = try String.fetchAll(
            db,
            sql: """
                SELECT dictionary FROM subscriptions WHERE database_id = ? AND user_id = ? AND subscription_id <> ?
                    AND type = 'query' AND json_extract(dictionary, '$.query.recordType') = ?
                """,
            arguments: [database.id, user, subscription.subscriptionID, recordType])
        let events = Self.events(of: subscription)
        guard try others.allSatisfy({ try Self.events(of: self.subscription($0)) != events }) else {
            throw ErrorDictionary(.internalError, reason: "could not find subscription we just created")
        }
    }

    /// Whatever happens, where nothing is named.
    private static func events(of subscription: Subscription) -> Set<String> {
        Set(subscription.firesOn ?? RecordEvent.Kind.allCases.map(\.rawValue))
    }

    /// Every save is compared with every subscription of its database.
    private func makeRoom(for id: String, _ database: DatabaseRow, _ user: Int64, _ db: Database) throws {
        let others = try Int.fetchOne(
            db,
            sql: "SELECT count(*) FROM subscriptions WHERE database_id = ? AND user_id = ? AND subscription_id <> ?",
            arguments: [database.id, user, id])!
        guard others < StoreLimits.subscriptions else {
            throw ErrorDictionary.badRequest(
                "there are \(others) subscriptions, the most that one account can have in a database")
        }
    }

    /// A query that could never be asked would never fire. Where types come by saving, one may be watched for that is to
    /// come.
    private func check(_ query: [UInt8], of subscription: Subscription, _ caller: Caller, _ db: Database) throws {
        let query = try Query.decode(query)
        try QueryLimits.check(query)
        do {
            let schema = try querySchema(of: query.recordType, caller, db)
            for filter in query.filters { _ = try CompiledFilter(filter, schema) }
        } catch let error as ErrorDictionary {
            let mayCome = settings.learnsSchema && caller.environment == "development"
            guard error.serverErrorCode == .notFound, mayCome else { throw error }
        }
        for kind in subscription.firesOn ?? [] where RecordEvent.Kind(rawValue: kind) == nil {
            throw ErrorDictionary.badRequest("Unknown firesOn '\(kind)': it must be create, update or delete")
        }
    }

    private func delete(
        _ subscription: Subscription, _ database: DatabaseRow, _ user: Int64, _ db: Database
    ) throws -> Subscription {
        guard let id = subscription.subscriptionID else { throw ErrorDictionary.missing("subscriptionID") }
        try db.execute(
            sql: "DELETE FROM subscriptions WHERE database_id = ? AND user_id = ? AND subscription_id = ?",
            arguments: [database.id, user, id])
        guard db.changesCount > 0 else { throw Self.subscriptionNotFound }
        return Subscription(subscriptionID: id, subscriptionType: "")
    }

    /// The database, and whose subscriptions in it are meant: each account has its own, also in the public one.
    private func owner(_ caller: Caller, _ db: Database) throws -> (DatabaseRow, Int64) {
        guard let user = caller.userID else { throw ErrorDictionary.needsSignIn(at: caller.signInURL) }
        return (try DatabaseRow.find(caller, db), user)
    }

    private func subscription(_ text: String) throws -> Subscription {
        try Subscription.decode(Array(text.utf8))
    }

    private static let subscriptionNotFound = ErrorDictionary(.notFound, reason: "Subscription not found")
}
