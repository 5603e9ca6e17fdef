import CloudKitSchema
import FolderSettings
import RecordMapping

extension ZoneSchema {
    /// What the schema file declares that `config.toml` names; nothing where it names none.
    /// - Throws: `StateError` with the code `configuration` where the file cannot be read or is no schema.
    init(declaredBy configuration: FolderConfiguration, of directory: StateDirectory) throws {
        self.init()
        guard let text = try configuration.schemaText(of: directory) else { return }
        do {
            self.init(try SchemaSource.schema(text))
        } catch {
            throw configuration.faultOfSchema("is no schema: \(error)")
        }
    }
}
