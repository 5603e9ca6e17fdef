import CloudKitWire

/// What the references and assets of a value are, whatever a file calls them: the `ids` of the hints.
enum ValueIdentity {
    /// The ids, or `nil` for a value that names nothing or whose identity is not known yet.
    static func ids(_ value: FieldValue, context: MappingContext) -> [String]? {
        switch value {
        case .reference(let reference): [id(reference, context: context)]
        case .referenceList(let list): list.map { id($0, context: context) }
        case .asset, .assetList: checksums(value.assets)
        default: nil
        }
    }

    private static func checksums(_ assets: [Asset]) -> [String]? {
        let known = assets.compactMap(\.fileChecksum)
        return known.count == assets.count ? known : nil
    }

    private static func id(_ reference: Reference, context: MappingContext) -> String {
        let zone = context.isOwnZone(reference.zoneID) ? "" : reference.zoneID?.zoneName ?? ""
        return "\(reference.action.rawValue)|\(zone)|\(reference.recordName)"
    }
}
