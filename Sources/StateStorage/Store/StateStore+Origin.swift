public import FolderSettings
import GRDB
public import StateRows

/// What the state says of the zone that `config.toml` names.
public enum OriginChange: Hashable, Sendable {
    /// It is of that zone.
    case none
    /// It is of that zone if the server is the one of before by another name, and of no zone if not: see
    /// ``StateStore/confirmServer(_:)`` and ``StateStore/moveOrigin(to:)``.
    case server
    /// It was of another zone, and says nothing of this one.
    case forgotten
}

/// Whose state it is.
extension StateStore {
    /// Says what the folder is synced with from now on; what was learnt of anything else is forgotten.
    ///
    /// A person edits `config.toml`, and perhaps back again: trees, tokens and facts of one zone would be taken for another
    /// one's. But a corrected `server` may be another name of the same one: that is found out by the account, and nothing is
    /// written before. A state that does not know its origin, as of an earlier version, is taken to be of this one.
    @discardableResult
    public func setOrigin(_ origin: FolderOrigin) throws(StateError) -> OriginChange {
        try write(.durable) { db in
            let known = try FolderTable.facts(db)
            guard let former = known.origin else {
                try FolderTable.update(db) { $0.origin = origin }
                return .none
            }
            guard former != origin else { return .none }
            if known.account != nil, former.mayBeRenamed(origin), try Self.wasSynced(db) { return .server }
            try Self.move(to: origin, from: former, known, db)
            return .forgotten
        }
    }

    /// Says that the server of an origin is the one of before by another name: an account has its user record name on one
    /// server only. What was learnt stays, but for addresses of its own that the server gave out.
    public func confirmServer(_ origin: FolderOrigin) throws(StateError) {
        try updateFacts { facts in
            facts.origin = origin
            facts.courierURL = nil
            facts.courierExpiresMilliseconds = nil
            facts.pushToken = nil
        }
    }

    /// Says that an origin is another one than before, whatever it has in common with that.
    ///
    /// No file is touched; both sides are read anew, and where the folder was synced before, what would be sent waits
    /// for a person's word as after the loss of a zone (`ZoneLoss.reconfigured`). The conflict copies and the journal stay:
    /// they tell of the folder.
    public func moveOrigin(to origin: FolderOrigin) throws(StateError) {
        try write(.durable) { db in
            let known = try FolderTable.facts(db)
            try Self.move(to: origin, from: known.origin, known, db)
        }
    }

    private static func wasSynced(_ db: Database) throws -> Bool {
        try ZoneTable.all(db).contains { zone in
            zone.facts.created || zone.facts.loss != nil || zone.facts.incarnation > 0
        }
    }

    private static func move(
        to origin: FolderOrigin, from former: FolderOrigin?, _ known: FolderFacts, _ db: Database
    ) throws {
        let wasSynced = try wasSynced(db)
        try deleteTrees(db)
        try FolderTable.update(db) { facts in
            facts = FolderFacts()
            facts.origin = origin
            facts.marker = known.marker
            facts.device = known.device
            facts.home = known.home
            facts.pause = known.pause
            if former?.hasAccounts(of: origin) == true {
                (facts.account, facts.accountName) = (known.account, known.accountName)
            }
        }
        guard wasSynced else { return }
        try ZoneTable.update(ZoneKey(name: origin.zone, owner: origin.owner), db) { zone in
            zone.loss = .reconfigured
            zone.incarnation = 1
        }
    }
}
