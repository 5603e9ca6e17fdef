public import LosslessJSON
public import SyncModel

/// Tells what a file is to the zone.
public enum StructuredFile {
    /// What became of a file's bytes.
    public enum Classification: Sendable {
        /// The fields of a record of this type.
        case structured(recordType: String, JSONDocument)
        /// The asset of a file record.
        case file
        /// A structured file in the making: it stays as it is until it is mended, and its record stays too.
        case problem(MappingProblem)
    }

    /// Whether a file's bytes are needed to classify it; where not, it is a file record whatever it holds.
    public static func isCandidate(_ path: FolderPath, size: Int64, paths: PathMapping) -> Bool {
        size <= RecordSize.limit && paths.structuredType(of: path) != nil
    }

    /// What a file is: structured where its path names a record type and its text is a JSON object.
    ///
    /// Text that begins like an object and is broken is a problem, not a file record: a person is at work on it.
    /// Any other content (a JSON list, a picture under a wrong name, over the limit of a record) is a file record's.
    public static func classify(_ bytes: [UInt8], at path: FolderPath, paths: PathMapping) -> Classification {
        guard isCandidate(path, size: Int64(bytes.count), paths: paths),
            let type = paths.structuredType(of: path)
        else { return .file }
        do {
            let document = try JSONDocument(parsing: bytes)
            return document.root.kind == .object ? .structured(recordType: type, document) : .file
        } catch {
            return .problem(
                error.code == .duplicateKey
                    ? .duplicateKey(error.message, line: error.line, column: error.column)
                    : .brokenJSON(error.message, line: error.line, column: error.column))
        }
    }
}
