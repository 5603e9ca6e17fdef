/// One live record of the zone, as last fetched or acknowledged.
public struct RemoteEntry: Hashable, Sendable {
    public var name: RecordName
    public var recordType: String
    /// Opaque: compare for equality only.
    public var changeTag: String
    /// The path that the record claims, from its path attribute or its name. Two records may claim one path.
    public var path: FolderPath
    /// When the server created the record, in milliseconds since 1970; the older of two records holds their path.
    public var createdMilliseconds: Int64
    public var assets: [AssetVersion]

    /// A record with what the planner needs to know of it.
    public init(
        name: RecordName, recordType: String, changeTag: String, path: FolderPath, createdMilliseconds: Int64,
        assets: [AssetVersion] = []
    ) {
        self.name = name
        self.recordType = recordType
        self.changeTag = changeTag
        self.path = path
        self.createdMilliseconds = createdMilliseconds
        self.assets = assets
    }
}
