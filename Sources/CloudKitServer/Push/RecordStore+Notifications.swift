import CloudKitQueries
import CloudKitSchema
import CloudKitWire
import Foundation
import GRDB
import LosslessJSON
import WireCoding

extension RecordStore {
    /// The notifications that a change causes: for each subscription that it fires, to each device of the subscription's
    /// owner, the writer's too (protocol §10.11).
    func pushes(for change: DatabaseChange, _ caller: Caller, _ db: Database) throws -> [Push] {
        let rows = try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT s.subscription_id, s.type, s.zone_id, z.name, s.user_id, u.record_name, s.dictionary
                    FROM subscriptions s JOIN users u ON u.id = s.user_id LEFT JOIN zones z ON z.id = s.zone_id
                    WHERE s.rowid IN (
                        SELECT rowid FROM subscriptions WHERE database_id = ?1 AND type IN ('database', 'zone')
                        UNION ALL
                        SELECT rowid FROM subscriptions
                        WHERE database_id = ?1 AND type = 'query'
                            AND json_extract(dictionary, '$.query.recordType') IN (SELECT value FROM json_each(?2)))
                    ORDER BY s.user_id, s.subscription_id
                    """),
            arguments: [change.database, Self.jsonList(of: Set(change.records.compactMap(\.record.type)))])
        var pushes: [Push] = []
        for row in rows {
            let subscription = FiringSubscription(row, change.scope)
            let targets = try targets(of: subscription, for: change, caller, db)
            guard !targets.isEmpty else { continue }
            let info = try subscription.info
            let devices = try devices(of: subscription.user, caller, db)
            for target in targets {
                var notification = PushNotification(
                    container: caller.container, notificationID: surroundings.uuid(),
                    userRecordName: subscription.userRecordName)
                notification[keyPath: subscription.place] = target
                notification.say(info)
                notification.prune()
                for device in devices {
                    if info?.shouldBadge == true {
                        notification.badge = try nextBadge(of: device, subscription.user, caller, db)
                    }
                    pushes.append(Push(device: hex(device), notification: notification))
                }
            }
        }
        return pushes
    }

    /// What the badge counts after one more push.
    private func nextBadge(of device: [UInt8], _ user: Int64, _ caller: Caller, _ db: Database) throws -> Int {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE push_tokens SET badge = badge + 1 WHERE hash = ? AND user_id = ? AND environment = ?
                RETURNING badge
                """)
        return try Int.fetchOne(statement, arguments: [blob(device), user, caller.environment])!
    }

    /// Texts as one argument of a statement.
    private static func jsonList(of texts: Set<String>) -> String {
        var json = JSONWriter()
        json.beginArray()
        for text in texts { json.string(text) }
        json.endArray()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func targets(
        of subscription: FiringSubscription, for change: DatabaseChange, _ caller: Caller, _ db: Database
    ) throws -> [PushNotification.Target] {
        switch subscription.type {
        case "database": return [subscription.target]
        case "zone": return subscription.zone.map { change.zones.contains($0) } ?? false ? [subscription.target] : []
        default: return try records(that: subscription, matches: change, caller, db)
        }
    }

    /// A subscription whose query no longer fits the schema is silent.
    private func records(
        that subscription: FiringSubscription, matches change: DatabaseChange, _ caller: Caller, _ db: Database
    ) throws -> [PushNotification.Target] {
        guard !change.records.isEmpty,
            let stored = try? Subscription.decode(Array(subscription.dictionary.utf8)),
            let query = stored.query.flatMap({ try? Query.decode($0) }),
            let filters = try? filters(of: query, caller, db)
        else { return [] }
        var targets: [PushNotification.Target] = []
        for event in change.records where event.record.type == query.recordType {
            guard stored.firesOn?.contains(event.kind.rawValue) ?? true,
                subscription.zone.map({ $0 == event.zone.id }) ?? true
            else { continue }
            guard try mayRead(event.record, subscription, in: change.scope, caller, db) else { continue }
            let record = try QueriedRecord(event.record, zone: event.zone.name)
            guard filters.allSatisfy({ $0.matches(record) }) else { continue }
            var target = subscription.target
            target.zoneName = event.zone.name
            target.recordName = event.record.name
            target.firedOn = event.kind.number
            if event.kind != .delete {
                target.additionalFields = try event.record.pushedFields(stored.notificationInfo?.additionalFields ?? [])
            }
            targets.append(target)
        }
        guard stored.firesOnce == true, !targets.isEmpty else { return targets }
        try db.execute(
            sql: "DELETE FROM subscriptions WHERE database_id = ? AND user_id = ? AND subscription_id = ?",
            arguments: [change.database, subscription.user, subscription.target.subscriptionID])
        return [targets[0]]
    }

    /// Whoever may not read a record is not told of it either.
    private func mayRead(
        _ record: StoredRecord, _ subscription: FiringSubscription, in scope: DatabaseScope, _ caller: Caller,
        _ db: Database
    ) throws -> Bool {
        var reader = caller
        reader.scope = scope
        reader.identity = .user(id: subscription.user, recordName: subscription.userRecordName)
        return try RecordAccess(caller: reader, db: db)
            .allows(.read, of: record.type ?? "", createdBy: record.created.userRecordName)
    }

    private func filters(of query: Query, _ caller: Caller, _ db: Database) throws -> [CompiledFilter] {
        let schema = try querySchema(of: query.recordType, caller, db)
        return try query.filters.map { try CompiledFilter($0, schema) }
    }

    /// The hashes of their push tokens.
    private func devices(of user: Int64, _ caller: Caller, _ db: Database) throws -> [[UInt8]] {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT hash FROM push_tokens WHERE user_id = ? AND environment = ? AND expires_at > ?"),
            arguments: [user, caller.environment, surroundings.now()]
        ).map { Array($0[0] as Data) }
    }
}

extension DatabaseScope {
    /// As pushes number it (protocol §3.11).
    fileprivate var number: Int {
        switch self {
        case .public: 1
        case .private: 2
        case .shared: 3
        }
    }
}

/// A subscription's row, as far as pushes need it.
private struct FiringSubscription {
    let type: String
    let zone: Int64?
    let user: Int64
    let userRecordName: String
    let dictionary: String
    let target: PushNotification.Target

    init(_ row: Row, _ scope: DatabaseScope) {
        type = row[1]
        zone = row[2]
        user = row[4]
        userRecordName = row[5]
        dictionary = row[6]
        let zoneName: String? = row[3]
        target = PushNotification.Target(
            subscriptionID: row[0], zoneName: zoneName,
            zoneOwner: zoneName == nil || scope == .public ? nil : userRecordName,
            databaseScope: scope.number)
    }

    /// How its pushes are delivered.
    var info: NotificationInfo? {
        get throws { try Subscription.decode(Array(dictionary.utf8)).notificationInfo }
    }

    /// Where the notification names its subscription.
    var place: WritableKeyPath<PushNotification, PushNotification.Target?> {
        switch type {
        case "database": \.database
        case "zone": \.zone
        default: \.query
        }
    }
}
