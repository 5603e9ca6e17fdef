package import CloudKitWire
package import StateRows
package import SyncModel

/// What the shares of a zone allow a participant.
package struct ZoneSharing: Hashable, Sendable {
    package private(set) var shares: [RecordName: ZoneShare] = [:]

    package init(_ shares: [ZoneShare] = []) {
        put(shares)
    }

    /// Takes in what was learnt; what is left out stays as it was known.
    package mutating func put(_ learnt: [ZoneShare]) {
        for share in learnt {
            let known = shares[share.name]
            shares[share.name] = ZoneShare(
                name: share.name, permission: share.permission ?? known?.permission, root: share.root ?? known?.root)
        }
    }

    /// Forgets shares that are no more.
    package mutating func remove(_ names: [RecordName]) {
        guard !shares.isEmpty else { return }
        for name in names { shares[name] = nil }
    }

    /// Whether nothing that is shared may be changed. Where some may, the server tells them apart.
    package var isReadOnly: Bool {
        !shares.isEmpty && shares.values.allSatisfy { $0.permission == .readOnly }
    }

    /// Whether the zone is shared as a whole.
    package var isOfWholeZone: Bool { shares.values.contains(where: \.isZoneWide) }

    /// The parent of new records, without which the server would not take them: `nil` where the whole zone is shared.
    package var parentOfNew: RecordName? {
        let writable = shares.values.filter { $0.permission != .readOnly }
        guard !writable.contains(where: \.isZoneWide) else { return nil }
        return writable.filter { $0.root != nil }.min { $0.name < $1.name }?.root
    }
}

extension ZoneShare {
    fileprivate var isZoneWide: Bool {
        name.rawValue.utf8.elementsEqual(RecordSharing.zoneWideShareName.utf8)
    }

    /// What a record tells of a share: it is one, or the top of what one shares.
    package init?(learntFrom record: Record) {
        guard let text = record.recordName else { return nil }
        if record.isShare {
            let given = record.sharing?.currentUserParticipant?.permission ?? record.sharing?.publicPermission
            self.init(
                name: RecordName(text), permission: given.flatMap(Permission.init),
                root: record.sharing?.forRecord.map { RecordName($0.recordName) })
        } else if let share = record.share {
            self.init(name: RecordName(share.recordName), permission: nil, root: RecordName(text))
        } else {
            return nil
        }
    }
}

extension ZoneShare.Permission {
    init?(_ permission: SharePermission) {
        switch permission {
        case .none, .readOnly: self = .readOnly
        case .readWrite: self = .readWrite
        case .unknown: return nil
        }
    }
}

extension Record {
    /// A share is a record of the zone, and never a file.
    package var isShare: Bool {
        recordType.map { $0.utf8.elementsEqual(RecordSharing.recordType.utf8) } ?? false
    }
}
