import CloudKitWire
public import RecordPaths
public import SyncModel

/// What the mapping of one record has to know of the rest of the zone.
public struct MappingContext: Sendable {
    /// Tells structured paths from others.
    public var paths: PathMapping
    /// Types learned from the zone.
    public var schema: ZoneSchema
    /// The zone itself: references into it need not name it.
    public var zoneName: String?
    /// The record that a path holds now, new ones that are still to be sent included.
    public var recordName: @Sendable (FolderPath) -> RecordName?
    /// Where a record lies now.
    public var path: @Sendable (RecordName) -> FolderPath?

    /// A context; without the two closures no reference finds its target.
    public init(
        paths: PathMapping = PathMapping(), schema: ZoneSchema = ZoneSchema(), zoneName: String? = nil,
        recordName: @escaping @Sendable (FolderPath) -> RecordName? = { _ in nil },
        path: @escaping @Sendable (RecordName) -> FolderPath? = { _ in nil }
    ) {
        self.paths = paths
        self.schema = schema
        self.zoneName = zoneName
        self.recordName = recordName
        self.path = path
    }

    /// Whether a zone's ID, as a reference may carry it, is this zone's; an owner is only there for other people's.
    func isOwnZone(_ zone: ZoneID?) -> Bool {
        guard let zone else { return true }
        return zoneName.map { $0.utf8.elementsEqual(zone.zoneName.utf8) } ?? false
    }

    /// Whether all records of this zone that a value refers to lie somewhere.
    func knowsTargets(of value: FieldValue) -> Bool {
        value.references.allSatisfy { !isOwnZone($0.zoneID) || path(RecordName($0.recordName)) != nil }
    }
}
