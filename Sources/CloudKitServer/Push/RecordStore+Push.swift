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
        try change { db in
            try db.execute(sql: "DELETE FROM push_tokens WHERE expires_at <= ?", arguments: [now])
            if let clientId = request.clientId {
                try db.execute(
                    sql: "DELETE FROM push_tokens WHERE user_id = ? AND environment = ? AND client_id = ?",
                    arguments: [caller.userID, caller.environment, clientId])
            }
            try db.execute(
                sql: """
                    DELETE FROM push_tokens WHERE rowid IN (
                        SELECT rowid FROM push_tokens WHERE user_id = ? AND environment = ?
                        ORDER BY expires_at DESC, rowid DESC LIMIT -1 OFFSET ?)
                    """,
                arguments: [caller.userID, caller.environment, StoreLimits.pushTokens - 1])
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO push_tokens (hash, user_id, environment, client_id, expires_at)
                    VALUES (?, ?, ?, ?, ?)
                    """,
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
        let isKnown = try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM push_tokens WHERE hash = ? AND expires_at > ?)",
                arguments: [hashBlob(token), now])!
        }
        return isKnown ? hex(digest(of: token)) : nil
    }
}
