import Crypto
import CryptoExtras
import Foundation

/// A password as the database keeps it: scrypt's key, with the parameters and the salt that made it.
///
/// Its text is `scrypt:rounds:block size:parallelism:salt:key`, the last two in hexadecimal. The parameters stand with
/// each hash, so that they can be raised later without losing the passwords there are.
struct PasswordHash: Hashable, Sendable {
    /// What one guess costs.
    struct Cost: Hashable, Sendable {
        /// A power of two; with the block size it gives the memory: 128 · rounds · block size bytes.
        var rounds: Int
        var blockSize: Int
        var parallelism: Int

        /// 16 MiB and some hundred milliseconds.
        /// - SeeAlso: OWASP Password Storage Cheat Sheet, "scrypt".
        static let standard = Cost(rounds: 1 << 14, blockSize: 8, parallelism: 5)

        /// Up to 256 MiB: a damaged row must not take the server down.
        fileprivate var isReasonable: Bool {
            rounds > 1 && rounds <= 1 << 18 && rounds & (rounds - 1) == 0 && (1...8).contains(blockSize)
                && (1...16).contains(parallelism)
        }
    }

    private let cost: Cost
    private let salt: [UInt8]
    private let key: [UInt8]

    private static let keyBytes = 32

    /// Hashes a new password. Takes time on purpose.
    init(of password: String, salt: [UInt8], cost: Cost = .standard) throws {
        self.cost = cost
        self.salt = salt
        key = try Self.derive(password, salt, cost)
    }

    /// Reads what ``text`` wrote; `nil` for anything else.
    init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = bytes(hex: parts[4]), let key = bytes(hex: parts[5]),
            key.count == Self.keyBytes
        else { return nil }
        cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        self.salt = salt
        self.key = key
        guard cost.isReasonable else { return nil }
    }

    var text: String { "scrypt:\(cost.rounds):\(cost.blockSize):\(cost.parallelism):\(hex(salt)):\(hex(key))" }

    /// Whether a password is the one, in a time that does not depend on how wrong it is. Takes time on purpose.
    func matches(_ password: String) throws -> Bool {
        isEqualInConstantTime(try Self.derive(password, salt, cost), key)
    }

    /// One password has one spelling: what is typed on another machine may be composed otherwise (NFC).
    private static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) throws -> [UInt8] {
        try KDF.Scrypt.deriveKey(
            from: Array(password.precomposedStringWithCanonicalMapping.utf8), salt: salt, outputByteCount: keyBytes,
            rounds: cost.rounds, blockSize: cost.blockSize, parallelism: cost.parallelism
        ).withUnsafeBytes { Array($0) }
    }
}

/// Whether two secrets are equal, in a time that depends on their lengths alone.
func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for (one, other) in zip(left, right) { difference |= one ^ other }
    return difference == 0
}
