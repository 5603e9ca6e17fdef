public import CloudKitWire
import Foundation
import GRDB

/// A notification on its way to one device.
public struct Push: Hashable, Sendable {
    /// Which push token: the SHA-256 of its text, in hexadecimal digits.
    public var device: String
    /// What the courier brings.
    public var notification: PushNotification
}

/// What a commit changed: a database, and zones of it by their rows.
struct DatabaseChange {
    var database: Int64
    /// Empty where zones came or went and no record changed.
    var zones: [Int64]
}

extension RecordStore {
    /// Makes a push token, or registers a token for one more container (`tokens/create`, `tokens/register`).
    ///
    /// A device that names itself has one token at a time: its older ones end.
    public func registerPushToken(_ request: PushTokenRequest, as caller: Caller) throws -> PushTokenResponse {
        guard ["development", "production"].contains(request.apnsEnvironment) else {
            throw ErrorDictionary.badRequest("apnsEnvironment must be development or production")
        }
        let now = surroundings.now()
        let token = request.apnsToken ?? base64(surroundings.randomBytes(33))
        try writer.write { db in
            try db.execute(sql: "DELETE FROM push_tokens WHERE expires_at <= ?", arguments: [now])
            if let clientId = request.clientId {
                try db.execute(
                    sql: "DELETE FROM push_tokens WHERE user_id = ? AND environment = ? AND client_id = ?",
                    arguments: [caller.userID, caller.environment, clientId])
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO push_tokens VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    hashBlob(token), caller.userID, caller.environment, request.clientId,
                    now + StoreLimits.pushTokenSeconds * 1000,
                ])
        }
        let query = "tok=\(percentEncoded(token))&ttl=\(StoreLimits.pushTokenSeconds)"
        return PushTokenResponse(
            apnsEnvironment: request.apnsEnvironment, apnsToken: token,
            webcourierURL: "\(caller.baseURL)/courier/aps?\(query)")
    }

    /// The device that a push token stands for; `nil` for an unknown or expired one.
    public func device(ofPushToken token: String) throws -> String? {
        let now = surroundings.now()
        let isKnown = try writer.read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM push_tokens WHERE hash = ? AND expires_at > ?)",
                arguments: [hashBlob(token), now])!
        }
        return isKnown ? hex(digest(of: token)) : nil
    }

    /// The notifications that a change causes, for each of the user's devices, the writer's too (protocol §10.11).
    ///
    /// Query subscriptions are kept but never fire.
    func pushes(for change: DatabaseChange, _ caller: Caller, _ db: Database) throws -> [Push] {
        let devices = try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT hash FROM push_tokens WHERE user_id = ? AND environment = ? AND expires_at > ?"),
            arguments: [caller.userID, caller.environment, surroundings.now()]
        ).map { hex(Array($0[0] as Data)) }
        guard !devices.isEmpty else { return [] }
        let fired = try Row.fetchAll(
            try db.cachedStatement(
                sql: """
                    SELECT s.subscription_id, s.zone_id, z.name FROM subscriptions s LEFT JOIN zones z ON z.id = s.zone_id
                    WHERE s.database_id = ? AND s.type IN ('zone', 'database') ORDER BY s.subscription_id
                    """),
            arguments: [change.database])
        var notifications: [PushNotification] = []
        for row in fired {
            var notification = PushNotification(
                container: caller.container, notificationID: surroundings.uuid(),
                userRecordName: caller.userRecordName)
            if let zone = row[1] as Int64? {
                guard change.zones.contains(zone) else { continue }
                notification.zone = .init(
                    subscriptionID: row[0], zoneName: row[2], zoneOwner: caller.userRecordName, databaseScope: 2)
            } else {
                notification.database = .init(subscriptionID: row[0], databaseScope: 2)
            }
            notifications.append(notification)
        }
        return devices.flatMap { device in notifications.map { Push(device: device, notification: $0) } }
    }
}
