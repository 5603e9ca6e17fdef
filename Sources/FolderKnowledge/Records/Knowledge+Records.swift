package import CloudKitWire
package import FolderSettings
package import RecordMapping
import RecordPaths
import RecordTrees
package import StateRows
import StateStorage
package import SyncModel
import WireCoding

/// Between the trees and the mapping.
extension Knowledge {
    package var zoneID: ZoneID { configuration.zoneID }

    /// Who made a version of a record, seen from this folder's account.
    /// - Parameters:
    ///   - user: The user record name of who saved it; `nil` where the server does not say.
    ///   - device: The device ID that it was saved with.
    package func author(user: String?, device: String?) -> Author {
        guard let user, let account = facts.account, user != account else { return .device(device) }
        return .other(user: user, device: device)
    }

    /// Who deleted a record: a zone's changes name it, and nobody.
    package var authorOfDeletion: Author { sharing.shares.isEmpty ? .device(nil) : .unknown }

    /// What the mapping has to know of the zone. Keep it no longer than for one batch: it shares the trees, which
    /// would be copied at their next change.
    /// - Parameter names: What the records of new files will be called that are sent together.
    package func mappingContext(names: NameBook = NameBook()) -> MappingContext {
        let trees = trees
        let paths = paths
        return MappingContext(
            paths: paths, schema: schema, zoneName: zoneID.zoneName,
            recordName: { path in
                // Of a file whose record gives way to one of another kind, the new one's.
                if let name = names.givenName(of: path) ?? trees.record(at: path) { return name }
                return trees.local[path] == nil ? nil : names.name(of: path, in: trees)
            },
            path: { name in
                let path = trees.base[name]?.path ?? trees.path(of: name)
                return path.flatMap { (names.givenName(of: $0) ?? name) == name ? $0 : nil }
            })
    }

    /// A record as a file at a path, which shows what it names.
    package func rendering(of record: Record, as recordType: String, at path: FolderPath) -> StructuredRendering {
        StructuredRendering(recordType: recordType, fields: record.fields, file: path, context: mappingContext())
    }

    /// A record as last fetched or acknowledged, with all its fields.
    package func remoteRecord(named name: RecordName) throws -> Record? {
        try store.remoteRecord(name).map { try Record.decode($0) }
    }

    /// What is agreed on of a file record, with what the zone's says of its file besides the bytes.
    package func withAttributes(_ file: BaseEntry) throws -> BaseEntry {
        guard let fields = try remoteRecord(named: file.name)?.fields else { return file }
        var file = file
        file.executable = FileRecord(fields: fields).isExecutable
        file.note(renewalsIn: fields, fileType: paths.fileType)
        return file
    }

    /// A record as last fetched or acknowledged, with all its columns.
    package func remoteRow(named name: RecordName) throws -> RemoteRow? { try store.remoteRow(name) }

    /// The JSON text on which both sides last agreed; `nil` for file records and unknown ones.
    package func baseDocument(of name: RecordName) throws -> [UInt8]? { try store.baseDocument(name) }

    /// By record, those that cannot be deleted as long as it is there.
    /// - Parameter names: The records to look at; `nil` for all of the zone.
    package func recordsKept(by names: [RecordName]?) throws -> [RecordName: Set<RecordName>] {
        var kept: [RecordName: Set<RecordName>] = [:]
        for (name, record) in try store.recordsThatMayKeepOthers(names) {
            let targets = try Record.decode(record).recordsKept(in: zoneID.zoneName)
            if !targets.isEmpty { kept[name] = targets }
        }
        return kept
    }

    /// Gives the records that may refer to others, one after the other.
    package func eachRecordThatRefers(_ take: (RecordName, Record) throws -> Void) throws {
        for (name, record) in try store.recordsThatMayRefer() { try take(name, try Record.decode(record)) }
    }

    /// The row of the remote tree for a record as the server answered it, or `nil` for one without a name, a type or
    /// a tag, which no record in an answer lacks, and for a share.
    /// - Parameter known: The record's name as it is in memory: what is marked by the thousand has it once.
    package func row(for record: Record, known: RecordName? = nil) -> RemoteRow? {
        guard let text = record.recordName, let type = record.recordType, let tag = record.recordChangeTag,
            !record.isShare
        else { return nil }
        let named = RecordName(text)
        let name = known.flatMap { $0 == named ? $0 : nil } ?? named
        let path =
            type == paths.fileType
            ? paths.path(ofFile: name, attribute: FileRecord(fields: record.fields).path)
            : paths.path(ofStructured: name, type: type, hint: RecordHints.path(of: record.fields))
        var row = RemoteRow(
            entry: RemoteEntry(
                name: name, recordType: type, changeTag: tag, path: RulesTrust.place(of: record, claiming: path),
                createdMilliseconds: record.created?.timestamp ?? 0,
                assets: record.assets.map { slot, asset in
                    AssetVersion(
                        field: slot.field, index: slot.index, checksum: asset.fileChecksum ?? "", size: asset.size ?? 0)
                }.sorted { ($0.field, $0.index ?? -1) < ($1.field, $1.index ?? -1) }),
            record: record.encoded())
        row.createdBy = RemoteRow.Origin(user: record.created?.userRecordName, device: record.created?.deviceID)
        row.modifiedMilliseconds = record.modified?.timestamp
        row.modifiedBy = RemoteRow.Origin(user: record.modified?.userRecordName, device: record.modified?.deviceID)
        row.parent = record.parent
        row.share = record.share?.recordName
        return row
    }
}

extension FolderConfiguration {
    /// The files that a new record of a file may get for fields of which its text says nothing.
    package func defaultPaths(of form: FileForm?) -> [FolderPath] {
        guard case .structured(let type, _)? = form else { return [] }
        return types[type].map { Array($0.defaultAssets.values) } ?? []
    }

    /// The zone as the server knows it.
    package var zoneID: ZoneID { ZoneID(zoneName: zone, ownerRecordName: owner) }
}

extension Record {
    /// The record's assets by where they are.
    package var assets: [AssetSlot: Asset] {
        var assets: [AssetSlot: Asset] = [:]
        for (name, field) in fields {
            switch field.value {
            case .asset(let asset): assets[AssetSlot(field: name)] = asset
            case .assetList(let list):
                for (index, asset) in list.enumerated() { assets[AssetSlot(field: name, index: index)] = asset }
            default: break
            }
        }
        return assets
    }
}

extension Asset {
    /// The asset as a write names it: with its receipt, without where it was read from.
    package var forWriting: Asset {
        var asset = self
        asset.downloadURL = nil
        return asset
    }
}
