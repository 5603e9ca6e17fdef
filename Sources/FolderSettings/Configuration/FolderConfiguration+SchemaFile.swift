import SystemPackage

extension FolderConfiguration {
    /// The text of the schema file that `schema` names; `nil` where it names none.
    /// - Throws: ``StateError`` with the code `configuration` where it cannot be read.
    public func schemaText(of directory: StateDirectory) throws(StateError) -> String? {
        guard let schemaFile else { return nil }
        let bytes: [UInt8]?
        do {
            bytes = try DurableFile.read(directory.folder.pushing(FilePath(schemaFile)))
        } catch {
            throw faultOfSchema("cannot be read: \(error)")
        }
        guard let bytes else { throw faultOfSchema("is not there.") }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw faultOfSchema("is not UTF-8.") }
        return text
    }

    /// What is wrong with the schema file.
    public func faultOfSchema(_ reason: String) -> StateError {
        .configuration("schema", "names \"\(schemaFile ?? "")\", which \(reason)")
    }
}
