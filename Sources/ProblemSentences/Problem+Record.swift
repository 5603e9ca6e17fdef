package import FolderSettings
package import LocalFolder
package import RecordMapping
package import SyncModel
import SystemPackage

/// Files that fit no record, or none that the zone takes, in words for people: what is wrong, and the way out.
extension Problem {
    /// What the mapping says of a file.
    /// - Parameter line: Where the key is that the problem is about.
    package init(_ problem: MappingProblem, in path: FolderPath, line: Int? = nil) {
        let isOfTheText = problem.line != nil
        let code: Code =
            switch problem.code {
            case .brokenJSON: .brokenJSON
            case .duplicateKey: .duplicateKey
            case .numberOutOfRange: .numberOutOfRange
            case .missingTarget: .referenceRefused
            case .wrongType, .illegalValue, .illegalAssetPath, .foreignType: .wrongType
            }
        // The text of a problem of the JSON itself has its line and column already.
        let place = isOfTheText ? "" : (line ?? problem.line).map { ", line \($0)" } ?? ""
        self.init(
            code, message: "\(path)\(place): \(problem.message)",
            remedy: "Mend the file; it goes through by itself then.", line: problem.line ?? line)
    }

    /// A file record whose bytes a structured record could hold as well.
    package static func plainInZone(_ path: FolderPath) -> Problem {
        Problem(
            .plainInZone, message: "\(path): its record in the zone is that of a plain file.",
            remedy: "Edit the file; it becomes a structured record by itself then.")
    }

    package static func requiredFieldMissing(_ key: String, in path: FolderPath, recordType: String) -> Problem {
        Problem(
            .requiredFieldMissing,
            message: "\(path): \"\(key)\" is missing or empty, and config.toml requires it of \(recordType).",
            remedy: "Fill it in; the file goes through by itself then.")
    }

    /// The zone has another type for a field, and the server does not say which one.
    package static func typeClash(_ path: FolderPath, reason: String) -> Problem {
        Problem(
            .wrongType, message: "\(path): the zone has another type for one of its fields (\(reason)).",
            remedy: "Mend the file; it goes through by itself then.")
    }

    package static func tooLarge(_ path: FolderPath, size: Int64, limit: Int64) -> Problem {
        Problem(
            .tooLarge, message: "\(path) has \(size) bytes; the limit is \(limit).",
            remedy: "Make it smaller, or name it in \(IgnoreRules.fileName).")
    }

    package static func missingAsset(field: String, path: FolderPath, of file: FolderPath) -> Problem {
        Problem(
            .missingAsset, message: "\(file): the field '\(field)' names \(path), which is not there.",
            remedy: "Put the file there, bring back what was there with `zonefolder restore`, or take the field out.")
    }

    /// - Parameter text: A file that names it, and is an asset itself.
    package static func assetOfAsset(_ path: FolderPath, namedBy text: FolderPath) -> Problem {
        Problem(
            .assetOfAsset,
            message: "\(path) is not synced: only \(text) names it, which is the asset of another file itself.",
            remedy: "Name it in a file that none names, or take the field out of \(text).")
    }

    /// The file that a record names is there, and is never synced.
    package static func assetLeftOut(
        field: String, path: FolderPath, of file: FolderPath, by rule: IgnoreRule
    ) -> Problem {
        let way =
            rule.line.map { "Change line \($0) of \(IgnoreRules.fileName)" }
            ?? (IgnoreRules.isRequired(rule)
                ? "Give the file another name" : "Put the line !\(rule.text) into \(IgnoreRules.fileName)")
        return Problem(
            .missingAsset,
            message: "\(file): the field '\(field)' names \(path), which is left out by the rule \(rule.text).",
            remedy: "\(way), or take the field out.")
    }

    /// A directory stands where the file belongs that a record names.
    package static func assetIsDirectory(field: String, path: FolderPath, of file: FolderPath) -> Problem {
        Problem(
            .missingAsset, message: "\(file): the field '\(field)' names \(path), which is a directory.",
            remedy: "Name a file in its place, or take the field out.")
    }

    /// Something that is never synced stands where the file belongs that a record names, or above it.
    package static func assetSkipped(
        field: String, path: FolderPath, of file: FolderPath, _ found: SkippedPath
    ) -> Problem {
        let what = found.path == path ? "which" : "but \(found.path)"
        return Problem(
            .missingAsset,
            message: "\(file): the field '\(field)' names \(path), \(what) is \(found.reason.words).",
            remedy: "Put the file itself there, or take the field out.")
    }

    package static func recordTooLarge(_ path: FolderPath, size: Int, limit: Int) -> Problem {
        Problem(
            .tooLarge, message: "\(path) makes a record of \(size) bytes; the limit is \(limit).",
            remedy: "Make it smaller, or put long values into files of their own that it names as assets.")
    }

    /// Other devices would not get the file as it is written, because its record cannot carry hints.
    package static func lossy(
        _ path: FolderPath, _ losses: [StructuredDraft.Loss], recordType: String, _ configuration: FolderConfiguration
    ) -> Problem {
        let what =
            switch losses.first {
            case .path: "where it lies"
            case .key(let key): "the key \"\(key)\", which is no field name,"
            case .value(let key): "the value of \"\(key)\", which CloudKit has no type for,"
            case nil: "it"
            }
        let gap = SchemaGap(recordType: recordType, field: RecordHints.fieldName, fieldType: "STRING")
        return Problem(
            .schemaMissing,
            message: "\(path): \(what) cannot be kept, because the container's schema in "
                + "\(configuration.environment.rawValue) lacks \(gap.text).",
            remedy: gap.remedy(configuration))
    }

    /// - Parameter reason: The server's words, where it was asked.
    package static func missing(
        _ gap: SchemaGap, for path: FolderPath, reason: String? = nil, _ configuration: FolderConfiguration
    ) -> Problem {
        Problem(
            .schemaMissing,
            message: "\(path): the schema of \(configuration.container) in \(configuration.environment.rawValue) lacks "
                + "\(gap.text).\(said(reason))",
            remedy: gap.remedy(configuration))
    }
}
