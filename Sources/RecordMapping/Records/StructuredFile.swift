public import LosslessJSON
public import RecordPaths
public import SyncModel

/// Tells what a file is to the zone.
public enum StructuredFile {
    /// What became of a file's bytes.
    public enum Classification: Sendable {
        /// The fields of a record of this type.
        case structured(recordType: String, JSONDocument)
        /// The asset of a file record.
        case file
        /// No JSON document, or one that cannot be kept without loss.
        case problem(MappingProblem)
    }

    /// Whether a file's bytes are needed to classify it; where not, it is a file record whatever it holds.
    public static func isCandidate(_ path: FolderPath, size: Int64, paths: PathMapping) -> Bool {
        size <= RecordSize.limit && paths.structuredType(of: path) != nil
    }

    /// What a file is: structured where its path names a record type and its text is a JSON object.
    ///
    /// Other JSON (a list, a number), and what is over the limit of a record, is a file record's. What is no JSON is one as
    /// long as no structured record has the path: where one has, a person is at work on it.
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
