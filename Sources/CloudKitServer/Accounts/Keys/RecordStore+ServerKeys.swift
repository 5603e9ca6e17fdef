import CloudKitWire
import Crypto
import Foundation
import GRDB

/// A registered server-to-server key.
public struct NewServerKey: Hashable, Sendable {
    /// 64 hexadecimal digits, for `X-Apple-CloudKit-Request-KeyID`.
    public var keyID: String
    /// As whom the key writes: a user record of its own.
    public var userRecordName: String
}

extension RecordStore {
    /// Registers a server-to-server key for the public database, by its public half; again is harmless.
    ///
    /// A running server takes it at once.
    /// - Parameters:
    ///   - environment: `development` or `production`.
    ///   - publicKeyPEM: As `openssl ec -pubout` writes it.
    /// - Throws: ``ServerError`` `key` where that is no public key of the curve P-256.
    public func addServerKey(container: String, environment: String, publicKeyPEM: String) throws -> NewServerKey {
        guard let key = try? P256.Signing.PublicKey(pemRepresentation: publicKeyPEM) else {
            throw ServerError.notAPublicKey
        }
        let point = Array(key.x963Representation)
        let keyID = hex(SHA256.hash(data: Array("\(container)\n\(environment)\n".utf8) + point))
        return try change { db in
            let name = "server-to-server key \(keyID)"
            let now = surroundings.now()
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO users (container, name, record_name, created_at, is_key) VALUES (?, ?, ?, ?, 1)
                    """,
                arguments: [container, name, "_" + hex(surroundings.randomBytes(16)), now])
            let user = try Row.fetchOne(
                db, sql: "SELECT id, record_name FROM users WHERE container = ? AND name = ? AND is_key = 1",
                arguments: [container, name])
            guard let user else { throw ServerError.nameOfAKey(name) }
            let userID: Int64 = user[0]
            try db.execute(
                sql: "INSERT OR IGNORE INTO server_keys VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [keyID, container, environment, blob(point), userID, now])
            return NewServerKey(keyID: keyID, userRecordName: user[1])
        }
    }

    /// Who signed a request.
    /// - Throws: `AUTHENTICATION_FAILED`, in the same words whatever is wrong.
    func identity(of signature: ServerSignature, container: String, environment: String) throws -> Caller.Identity {
        let row = try read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT k.public_key, u.id, u.record_name FROM server_keys k JOIN users u ON u.id = k.user_id
                        WHERE k.id = ? AND k.container = ? AND k.environment = ?
                        """),
                arguments: [signature.keyID, container, environment])
        }
        guard let row, let key = try? P256.Signing.PublicKey(x963Representation: row[0] as Data),
            signature.isTimely(now: surroundings.now()), signature.isSigned(by: key)
        else { throw ErrorDictionary.authenticationFailed }
        return .serverKey(id: row[1], recordName: row[2])
    }
}
