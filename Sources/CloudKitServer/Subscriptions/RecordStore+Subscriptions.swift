public import CloudKitWire
import GRDB

extension RecordStore {
    /// Every subscription of the caller's database (`subscriptions/list`).
    public func subscriptions(as caller: Caller) throws -> SubscriptionsResponse {
        try writer.read { db in
            let database = try DatabaseRow.find(caller, db)
            let rows = try String.fetchAll(
                db, sql: "SELECT dictionary FROM subscriptions WHERE database_id = ? ORDER BY subscription_id",
                arguments: [database.id])
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
        return try writer.read { db in
            let database = try DatabaseRow.find(caller, db)
            return SubscriptionsResponse(
                subscriptions: try request.subscriptionIDs.map { id in
                    let text = try String.fetchOne(
                        db,
                        sql: "SELECT dictionary FROM subscriptions WHERE database_id = ? AND subscription_id = ?",
                        arguments: [database.id, id])
                    guard let text else { return .failure(Self.subscriptionNotFound.about(subscription: id)) }
                    return .success(try subscription(text))
                })
        }
    }

    /// Creates, updates and deletes subscriptions, each by itself (`subscriptions/modify`).
    ///
    /// Creating one that exists replaces it (protocol §3.8).
    public func modifySubscriptions(
        _ request: SubscriptionsModifyRequest, as caller: Caller
    ) throws -> SubscriptionsResponse {
        guard request.operations.count <= StoreLimits.itemsPerRequest else {
            throw ErrorDictionary.tooMany("operations", request.operations.count)
        }
        return try writer.write { db in
            let database = try DatabaseRow.find(caller, db)
            return SubscriptionsResponse(
                subscriptions: try request.operations.map { operation in
                    try itemResult({ $0.about(subscription: operation.subscription.subscriptionID) }) {
                        switch operation.kind {
                        case .create, .update: try save(operation, database, caller, db)
                        case .delete: try delete(operation.subscription, database, db)
                        }
                    }
                })
        }
    }

    private func save(
        _ operation: SubscriptionOperation, _ database: DatabaseRow, _ caller: Caller, _ db: Database
    ) throws -> Subscription {
        var subscription = operation.subscription
        let id = subscription.subscriptionID ?? surroundings.uuid()
        guard 1...StoreLimits.nameLength ~= id.utf8.count else {
            throw ErrorDictionary.badRequest("Invalid subscriptionID: it must be 1 to 255 characters")
        }
        subscription.subscriptionID = id
        var zone: ZoneRow?
        switch subscription.subscriptionType {
        case "zone":
            guard subscription.zoneID != nil else { throw ErrorDictionary.missing("zoneID") }
            zone = try ZoneRow.find(subscription.zoneID, in: database, of: caller, db)
            guard zone?.isDefault == false else {
                throw ErrorDictionary.badRequest("zone subscriptions are not supported in the default zone")
            }
        case "query":
            guard subscription.query != nil else { throw ErrorDictionary.missing("query") }
            zone = try subscription.zoneID.map { try ZoneRow.find($0, in: database, of: caller, db) }
        case "database": break
        case let other:
            throw ErrorDictionary.badRequest("Unknown subscriptionType '\(other)'")
        }
        if let zone { subscription.zoneID = zone.zoneID(of: caller) }
        if operation.kind == .update {
            let exists = try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM subscriptions WHERE database_id = ? AND subscription_id = ?)",
                arguments: [database.id, id])!
            guard exists else { throw Self.subscriptionNotFound }
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO subscriptions VALUES (?, ?, ?, ?, ?)",
            arguments: [
                database.id, id, subscription.subscriptionType, zone?.id,
                String(decoding: subscription.encoded(), as: UTF8.self),
            ])
        return subscription
    }

    private func delete(_ subscription: Subscription, _ database: DatabaseRow, _ db: Database) throws -> Subscription {
        guard let id = subscription.subscriptionID else { throw ErrorDictionary.missing("subscriptionID") }
        try db.execute(
            sql: "DELETE FROM subscriptions WHERE database_id = ? AND subscription_id = ?",
            arguments: [database.id, id])
        guard db.changesCount > 0 else { throw Self.subscriptionNotFound }
        return Subscription(subscriptionID: id, subscriptionType: "")
    }

    private func subscription(_ text: String) throws -> Subscription {
        try Subscription.decode(Array(text.utf8))
    }

    private static let subscriptionNotFound = ErrorDictionary(.notFound, reason: "Subscription not found")
}
