public import CloudKitWire
import LosslessJSON
import RecordPaths
public import SyncModel

/// A record that the zone has to have before it takes one that refers to it (protocol §4: VALIDATE for certain; whether
/// DELETE_SELF as well is said nowhere).
public struct RequiredRecord: Hashable, Sendable {
    /// The key at the top level of the file whose value refers to it.
    public var key: String
    public var name: RecordName
    public var action: Reference.Action
    /// The file that the text means; `nil` where it names the record itself, or a place that the record has left.
    public var path: FolderPath?

    /// A record with the key that refers to it.
    public init(key: String, name: RecordName, action: Reference.Action, path: FolderPath? = nil) {
        self.key = key
        self.name = name
        self.action = action
        self.path = path
    }
}

extension StructuredDraft {
    /// The records of this zone that the file's record needs, in the order of the text.
    public var requiredRecords: [RequiredRecord] {
        var required: [RequiredRecord] = []
        for (member, node) in zip(members, document.root.members) {
            guard case .value(let value) = member.read else { continue }
            let references = value.references
            guard !references.isEmpty else { continue }
            let nodes = node.value.kind == .array ? Array(node.value.elements) : [node.value]
            for (index, reference) in references.enumerated()
            where reference.action != .none && context.isOwnZone(reference.zoneID) {
                let name = RecordName(reference.recordName)
                let path = nodes.indices.contains(index) ? self.path(named: nodes[index]) : nil
                required.append(
                    RequiredRecord(
                        key: member.key, name: name, action: reference.action,
                        path: path.flatMap { context.recordName($0) == name ? $0 : nil }))
            }
        }
        return required
    }

    /// Whether a file's record may need others: only a file that says so itself, in its explicit form, or whose type is known
    /// to have references. Costs less than reading the file's values.
    public static func mayRequireRecords(_ bytes: [UInt8], recordType: String, schema: ZoneSchema) -> Bool {
        let fields = schema.types[recordType]?.fields.values
        if fields?.contains(where: { [.reference, .referenceList].contains($0.type) }) == true { return true }
        // The key may be written with an escape.
        return bytes.withUnsafeBytes { $0.contains("$ref") || $0.contains("\\u") }
    }

    private func path(named node: JSONNode) -> FolderPath? {
        (ExplicitForm(node)?.content ?? node).string.flatMap(PathAttribute.path)
    }
}

extension Record {
    /// The records of its own zone that cannot be deleted as long as this one is as it is: those that it validates, and its
    /// parent.
    public func recordsKept(in zoneName: String) -> Set<RecordName> {
        let own = MappingContext(zoneName: zoneName)
        var names = Set(
            fields.values.lazy.flatMap { $0.value?.references ?? [] }.filter {
                $0.action == .validate && own.isOwnZone($0.zoneID)
            }.map { RecordName($0.recordName) })
        if let parent { names.insert(RecordName(parent)) }
        return names
    }

    /// The records of its own zone that its fields refer to, by what is to happen once they are deleted.
    public func recordsReferred(in zoneName: String) -> [Reference.Action: Set<RecordName>] {
        let own = MappingContext(zoneName: zoneName)
        return fields.values.lazy.flatMap { $0.value?.references ?? [] }.filter { own.isOwnZone($0.zoneID) }
            .reduce(into: [:]) { $0[$1.action, default: []].insert(RecordName($1.recordName)) }
    }
}

extension FieldValue {
    /// The references in a value that is one, or a list of them.
    var references: [Reference] {
        switch self {
        case .reference(let reference): [reference]
        case .referenceList(let list): list
        default: []
        }
    }
}
