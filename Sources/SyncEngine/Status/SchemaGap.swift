import CloudKitWire
import RecordMapping
import StateStorage

/// What a container's schema lacks, so that a record cannot be saved (protocol §8.3).
struct SchemaGap: Hashable, Sendable {
    /// `nil` where the server's words name none that is known here.
    var recordType: String?
    /// `nil` where the record type itself is missing.
    var field: String?
    /// As schemas spell it; `nil` where the record sent does not tell.
    var fieldType: String?

    init(recordType: String?, field: String? = nil, fieldType: String? = nil) {
        self.recordType = recordType
        self.field = field
        self.fieldType = fieldType
    }

    /// What a refusal names: `Field x not found in T`, `Cannot create new type T in …`, `Did not find record type: T`.
    /// - Parameters:
    ///   - recordType: Of the record that was refused.
    ///   - value: The value that was sent for a field.
    init(refusal reason: String, recordType: String?, value: (String) -> FieldValue?) {
        let words = reason.split { " .,:;'\"".contains($0) }.map(String.init)
        self.init(recordType: recordType)
        for (index, word) in words.enumerated().dropLast() where word.lowercased() == "field" {
            field = words[index + 1]
            fieldType = value(words[index + 1]).flatMap(FieldType.init(of:))?.declared
            return
        }
        for (index, word) in words.enumerated().dropLast() where word.lowercased() == "type" {
            self.recordType = words[index + 1]
            return
        }
    }

    /// Such as `the field 'rank' (INT64) of the record type Note`.
    var text: String {
        let type = recordType.map { "the record type \($0)" } ?? "this record type or field"
        guard let field else { return type }
        return "the field '\(field)'\(fieldType.map { " (\($0))" } ?? "") of \(type)"
    }

    /// What a person can do about it, which is another thing at Apple's service than at a server of one's own.
    func remedy(_ configuration: FolderConfiguration) -> String {
        let isProduction = configuration.environment == .production
        let way: String
        if configuration.server == FolderConfiguration.appleServer {
            way =
                isProduction
                ? "In the CloudKit console, add it to the schema of development, then deploy the changes to production."
                : "In the CloudKit console, add it to the schema, or import one there or with cktool."
        } else {
            let place = "--data DIR --container \(configuration.container)"
            way =
                isProduction
                ? "On the server, `zonefolder schema promote \(place)` brings it from development, where it comes by "
                    + "saving or `zonefolder schema import`."
                : "On the server, add it with `zonefolder schema import FILE \(place)`."
        }
        return way + template(configuration) + " The file goes through by itself then; `zonefolder sync` tries at once."
    }

    /// Where the text of what this program itself needs can be had.
    private func template(_ configuration: FolderConfiguration) -> String {
        if recordType == configuration.fileRecordType {
            return " `zonefolder schema template` prints its text."
        }
        guard field == RecordHints.fieldName, let recordType else { return "" }
        return " `zonefolder schema template \(recordType)` prints its text."
    }
}

extension FieldType {
    /// As schemas spell it.
    fileprivate var declared: String {
        if let element { return "LIST<\(element.declared)>" }
        return self == .asset ? "ASSET" : rawValue
    }
}
