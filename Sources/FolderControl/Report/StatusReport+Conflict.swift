import LocalFolder
package import StateRows
import SyncModel

extension StatusReport {
    /// A conflict copy that waits for a person.
    public struct Conflict: Codable, Hashable, Sendable {
        public var path: String
        /// The file that holds the version that lost: this device's, or the zone's, as its name tells.
        public var copy: String
        /// The fields in which both sides differed; empty for a file that is no structured record.
        public var fields: [String]
        public var atMilliseconds: Int64
        /// When the zone's version was saved there, as far as it is known.
        public var zoneMilliseconds: Int64? = nil
        /// By whom that was.
        public var zoneUserRecordName: String? = nil

        /// A conflict copy of a file.
        public init(path: String, copy: String, fields: [String], atMilliseconds: Int64) {
            self.path = path
            self.copy = copy
            self.fields = fields
            self.atMilliseconds = atMilliseconds
        }

        /// A conflict as the state has it. Of one that does not say whom it is with, what the zone's record says now is told.
        package init(_ row: ConflictRow, _ remote: RemoteRow?) {
            self.init(
                path: "\(row.original)", copy: "\(row.copy)", fields: row.fields, atMilliseconds: row.atMilliseconds)
            // A merge makes this device the one that saved the record last: the conflict is still with somebody else.
            let isKnown = row.zone != ConflictRow.SavedVersion()
            zoneMilliseconds = isKnown ? row.zone.milliseconds : remote?.modifiedMilliseconds
            zoneUserRecordName = isKnown ? row.zone.user : remote?.modifiedBy.user
        }

        /// Whether the copy holds the zone's version, and the file this device's.
        public var holdsZoneVersion: Bool {
            FolderPath(shown: copy).map { ConflictCopyName.isOfZone($0) } ?? false
        }
    }
}
