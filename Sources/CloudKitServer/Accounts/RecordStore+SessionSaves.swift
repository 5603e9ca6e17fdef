import GRDB
import Synchronization

/// What the database is to hear of sessions and API tokens, and no request waits for: of each once, however many requests come
/// with it while somebody else writes.
struct SessionSaves {
    private(set) var rotations: [Int64: RotationSave] = [:]
    /// Until when sessions are good.
    private(set) var expiries: [Int64: Int64] = [:]
    /// When API tokens were last used, by their hashes.
    private(set) var tokenUses: [[UInt8]: Int64] = [:]
    /// Whether a write is on its way that takes what there is by then.
    private var isUnderWay = false

    mutating func add(_ save: RotationSave, of session: Int64) {
        let before = min(save.before, rotations[session]?.before ?? save.before)
        rotations[session] = RotationSave(voidUpTo: save.voidUpTo, before: before)
    }

    mutating func add(expiry: Int64, of session: Int64) {
        expiries[session] = max(expiry, expiries[session] ?? expiry)
    }

    mutating func add(use: Int64, of token: [UInt8]) {
        tokenUses[token] = max(use, tokenUses[token] ?? use)
    }

    /// Says whether a write has to be sent off.
    mutating func begin() -> Bool {
        defer { isUnderWay = true }
        return !isUnderWay
    }

    mutating func take() -> SessionSaves {
        defer { self = SessionSaves() }
        return self
    }
}

extension RecordStore {
    /// Writes something of sessions or API tokens down as soon as nobody else writes, and waits neither for that nor for its end:
    /// finding out who calls is quick for all, also while one person's request takes long.
    func saveLater(_ add: (inout SessionSaves) -> Void) {
        let begins = sessionSaves.withLock { saves in
            add(&saves)
            return saves.begin()
        }
        guard begins else { return }
        writer.asyncWriteWithoutTransaction { [self] db in
            let saves = sessionSaves.withLock { $0.take() }
            do {
                try db.inTransaction {
                    try writeMissedStart(db)
                    try write(saves, db)
                    return .commit
                }
            } catch {
                // Whatever the reason, such as a full disk, it turns nobody away who could read and delete. It is due again in
                // a while.
                rotations.withLock { rotations in
                    for (session, save) in saves.rotations { rotations[session]?.didNotSave(save) }
                }
            }
        }
    }

    private func write(_ saves: SessionSaves, _ db: Database) throws {
        try saveRotation(saves.rotations.map { ($0.key, $0.value.voidUpTo) }, db)
        let update = try db.cachedStatement(sql: "UPDATE sessions SET expires_at = max(expires_at, ?) WHERE id = ?")
        for (session, expiry) in saves.expiries { try update.execute(arguments: [expiry, session]) }
        let use = try db.cachedStatement(
            sql: "UPDATE api_tokens SET used_at = max(coalesce(used_at, 0), ?) WHERE hash = ?")
        for (token, time) in saves.tokenUses { try use.execute(arguments: [time, blob(token)]) }
    }

    /// Writes down up to which number the tokens of sessions are void.
    func saveRotation(_ rows: [(session: Int64, voidUpTo: Int64)], _ db: Database) throws {
        let update = try db.cachedStatement(sql: "UPDATE sessions SET void_up_to = max(void_up_to, ?) WHERE id = ?")
        for row in rows { try update.execute(arguments: [row.voidUpTo, row.session]) }
    }
}
