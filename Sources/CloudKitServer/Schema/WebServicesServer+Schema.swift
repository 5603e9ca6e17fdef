public import CloudKitSchema
import Glibc
public import SystemPackage

/// Schemas in a data directory, whether a server runs on it or not.
extension WebServicesServer {
    /// The schema of a container in `development` or `production`.
    public static func schema(
        of container: String, in environment: String, dataDirectory: FilePath
    ) throws -> Schema {
        try DataDirectory.look(at: dataDirectory) { try $0.schema(of: container, in: environment) }
    }

    /// Makes a schema development's, as ``RecordStore/importSchema(_:into:isTrial:)``.
    @discardableResult
    public static func importSchema(
        _ schema: Schema, into container: String, isTrial: Bool = false, dataDirectory: FilePath
    ) throws -> [SchemaChange] {
        try lookOrChange(dataDirectory, isTrial) { try $0.importSchema(schema, into: container, isTrial: isTrial) }
    }

    /// Deploys a container's schema, as ``RecordStore/promoteSchema(of:leavingOut:isTrial:)``.
    @discardableResult
    public static func promoteSchema(
        of container: String, leavingOut: Set<String> = [], isTrial: Bool = false, dataDirectory: FilePath
    ) throws -> [SchemaChange] {
        try lookOrChange(dataDirectory, isTrial) {
            try $0.promoteSchema(of: container, leavingOut: leavingOut, isTrial: isTrial)
        }
    }

    /// Adds one index to a field in development, as ``RecordStore/addIndex(_:to:of:in:)``.
    @discardableResult
    public static func addIndex(
        _ index: Schema.Indexes, to field: String, of recordType: String, in container: String, dataDirectory: FilePath
    ) throws -> [SchemaChange] {
        try DataDirectory.change(dataDirectory, makes: false) {
            try $0.addIndex(index, to: field, of: recordType, in: container)
        }
    }

    /// Whether a directory holds a server's data.
    public static func hasData(in dataDirectory: FilePath) -> Bool {
        access(DataDirectory.database(in: dataDirectory), F_OK) == 0
    }

    private static func lookOrChange<Answer>(
        _ dataDirectory: FilePath, _ isTrial: Bool, _ body: (RecordStore) throws -> Answer
    ) throws -> Answer {
        if isTrial { return try DataDirectory.look(at: dataDirectory, body) }
        return try DataDirectory.change(dataDirectory, makes: false, body)
    }
}
