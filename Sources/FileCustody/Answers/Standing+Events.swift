package import SyncModel

/// What others did with a file that has a record of its own.
package enum CustodyEvent: Hashable, Sendable {
    /// A record of the zone came to have it as an asset, with bytes of this hash.
    case attached(ContentHash)
    /// The zone took a record of this device that has it as an asset: nobody can have let that go unseen. It is new where a
    /// person attached it here, or put other bytes there.
    case sentAttached(isNew: Bool)
    /// The record of the zone that had it gave it up.
    case letGo
}

/// What becomes of a record by that.
package enum CustodyChange: Hashable, Sendable {
    case standing(BaseEntry.Standing)
    /// Both sides have it no more: the zone's is shown beside its file.
    case forgotten
}

extension BaseEntry {
    /// How the record of a file stands after what others did with the file; `nil` where it stands as before.
    package func change(after event: CustodyEvent, isInZone: Bool) -> CustodyChange? {
        switch event {
        case .attached(let hash): isInZone && hash == self.hash ? .standing(.yielded) : .forgotten
        // What a person here made of the file goes for its own record as well, whoever else was to take that away.
        case .sentAttached(let isNew):
            [.renewed, .confirmed].contains(standing) || isNew && standing == .yielded ? .standing(.agreed) : nil
        case .letGo: standing == .yielded ? .standing(.agreed) : nil
        }
    }
}

extension Custody {
    /// How a file record stands that both sides agree on here. Where they know the file as another record's asset as well, and no
    /// text here names it, what is not sent is to be sent.
    package func standing(ofAgreed record: BaseEntry, isSent: Bool) -> BaseEntry.Standing {
        guard record.standing == .agreed, !isAttached, isAgreedAsset() else { return record.standing }
        return isSent ? .confirmed : .renewed
    }
}
