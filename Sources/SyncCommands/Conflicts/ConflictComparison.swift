import FolderControl
import LocalFolder
import LosslessJSON
import SyncModel
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// A conflict with both versions of every field that differs; its JSON form is `conflicts --json`.
struct ConflictComparison: Encodable {
    /// One field, each version as it is written in its file; `nil` where the file lacks the field.
    struct Field: Encodable, Hashable {
        var name: String
        var zone: String?
        var yours: String?
    }

    /// Whose a version is, and of when; `nil` for what is not known.
    struct Version: Encodable, Hashable {
        /// Of a version of this folder: the device that saved it.
        var device: String?
        /// Of the zone's: the user record name of who changed it last.
        var userRecordName: String?
        var atMilliseconds: Int64?
        var sizeBytes: Int?
    }

    var path: String
    /// The file with the version that lost.
    var copy: String
    /// Whose that one is: `yours` or `zone`.
    var copyHolds: String
    var atMilliseconds: Int64
    var zone: Version
    var yours: Version
    /// Empty for what is no JSON object, or no longer there.
    var fields: [Field]
    /// From the zone's lines to yours, as `diff -u` writes it; empty where there are fields, and for what is no text or longer
    /// than ``longestText``.
    var lines: [String] = []

    /// In bytes.
    private static let longestText = 256 << 10

    /// - Parameter device: This folder's.
    init(_ conflict: StatusReport.Conflict, in folder: FilePath, device: String) {
        path = conflict.path
        copy = conflict.copy
        copyHolds = conflict.holdsZoneVersion ? "zone" : "yours"
        atMilliseconds = conflict.atMilliseconds
        let (file, copy) = (FileLook(conflict.path, in: folder), FileLook(conflict.copy, in: folder))
        let (zone, yours) = conflict.holdsZoneVersion ? (copy, file) : (file, copy)
        self.zone = Version(
            userRecordName: conflict.zoneUserRecordName, atMilliseconds: conflict.zoneMilliseconds,
            sizeBytes: zone.bytes?.count)
        self.yours = Version(
            device: Self.device(in: conflict) ?? device,
            atMilliseconds: yours.modifiedMilliseconds, sizeBytes: yours.bytes?.count)
        fields = Self.differences(zone: zone.bytes ?? [], yours: yours.bytes ?? [])
        if fields.isEmpty, let old = zone.bytes, let new = yours.bytes, max(old.count, new.count) <= Self.longestText {
            lines = UnifiedDiff(from: old, to: new)?.lines ?? []
        }
    }

    /// The device whose version the copy holds.
    private static func device(in conflict: StatusReport.Conflict) -> String? {
        guard !conflict.holdsZoneVersion else { return nil }
        return FolderPath(shown: conflict.copy).flatMap(ConflictCopyName.device)
    }

    /// The fields in which two JSON objects differ, in the order of the first, then of the second.
    static func differences(zone: [UInt8], yours: [UInt8]) -> [Field] {
        guard let zone = try? JSONDocument(parsing: zone).root, let yours = try? JSONDocument(parsing: yours).root,
            zone.kind == .object, yours.kind == .object
        else { return [] }
        var fields: [Field] = []
        for member in zone.members {
            let other = yours[member.key]
            if let other, other.text.elementsEqual(member.value.text) { continue }
            fields.append(Field(name: member.key, zone: text(member.value), yours: other.map(text)))
        }
        for member in yours.members where zone[member.key] == nil {
            fields.append(Field(name: member.key, zone: nil, yours: text(member.value)))
        }
        return fields
    }

    private static func text(_ node: JSONNode) -> String {
        String(decoding: node.text, as: UTF8.self)
    }
}

/// What a file holds, and since when.
private struct FileLook {
    /// `nil` where it cannot be read.
    var bytes: [UInt8]?
    var modifiedMilliseconds: Int64?

    init(_ path: String, in folder: FilePath) {
        guard let place = FolderPath(shown: path).map(folder.pushing) else { return }
        bytes = try? PlainFiles.read(place)
        var status = stat()
        guard place.withPlatformString({ stat($0, &status) }) == 0 else { return }
        modifiedMilliseconds = Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }
}
