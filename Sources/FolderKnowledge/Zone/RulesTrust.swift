package import CloudKitWire
import RecordPaths
import RecordTrees
import StateRows
import StateStorage
import SyncModel

/// Whose ignore rules a folder obeys.
///
/// The rules steer what every device of a zone syncs. Who shares a whole zone to be written shares its rules with it. Who shares a
/// single record gives others that one and what they put below it, and no say in the rest of the folder: so through such a
/// share no rules go, and none come. Only what the record itself says decides, so all devices of all people decide alike.
enum RulesTrust {
    /// Where a record is shown that claims a path: the place of the rules is for none that may be written through the share
    /// of a single record. Who last wrote it does not matter: a device sends back what others wrote when it merges.
    static func place(of record: Record, claiming path: FolderPath) -> FolderPath {
        path == .ignoreFile && record.isSharedAlone ? PathMapping.rulesSetAside : path
    }

    /// Whether the rules of a folder are neither sent nor received: of somebody else's zone it has single records.
    static func staysHere(isOthers: Bool, _ sharing: ZoneSharing) -> Bool { isOthers && !sharing.isOfWholeZone }
}

extension Record {
    /// Whether it is shared by itself, or hangs below another record, as everything in such a share does.
    package var isSharedAlone: Bool {
        parent != nil
            || share.map { !$0.recordName.utf8.elementsEqual(RecordSharing.zoneWideShareName.utf8) } ?? false
    }
}

extension Knowledge {
    /// Earlier versions obeyed what such a record holds.
    func setAsideRules() throws {
        for name in trees.claims.claimants(of: .ignoreFile) {
            guard let record = try remoteRecord(named: name), let row = row(for: record),
                row.entry.path != .ignoreFile
            else { continue }
            try commit([Outcome(remote: .saved(row))])
            trees.markDirty(record: name)
        }
    }
}
