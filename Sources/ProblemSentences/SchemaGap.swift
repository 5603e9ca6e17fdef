package import CloudKitWire
package import FolderSettings
import RecordMapping

/// What a container's schema lacks, so that a record cannot be saved (protocol §8.3).
package struct SchemaGap: Hashable, Sendable {
    /// `nil` where the server's words name none that is known here.
    package var recordType: String?
    /// `nil` where the record type itself is missing.
    package var field: String?
    /// As schemas spell it; `nil` where the record sent does not tell.
    package var fieldType: String?

    package init(recordType: String?, field: String? = nil, fieldType: String? = nil) {
        self.recordType = recordType
        self.field = field
        self.fieldType = fieldType
    }

    /// What a refusal names: `Field x not found in T`, `Cannot create or modify field 'x' in record 'T' in …`,
    /// `Cannot create new type T in …`, `Did not find record type: T`.
    /// `nil` for words that name neither a field nor a type: they say nothing of other records.
    /// - Parameters:
    ///   - recordType: Of the record that was refused.
    ///   - value: The value that was sent for a field.
    package init?(refusal reason: String, recordType: String?, value: (String) -> FieldValue?) {
        let words = Self.words(of: reason)
        if let field = Self.field(in: words) {
            self.init(
                recordType: recordType, field: field, fieldType: value(field).flatMap(FieldType.init(of:))?.declared)
        } else if let type = Self.recordType(in: words) {
            self.init(recordType: type)
        } else {
            return nil
        }
    }

    /// What stands in quotes is a name, and so is the `x` of `field x not found`, `unknown field x` and `modify field x`.
    private static func field(in words: [Word]) -> String? {
        for (index, word) in words.enumerated() where word.isCalled("field") {
            guard index + 1 < words.count else { continue }
            let name = words[index + 1]
            let isNotFound = words[(index + 2)...].prefix(2).map { $0.text.lowercased() } == ["not", "found"]
            guard !name.isCalled("is"), !name.isCalled("was") else { continue }
            let isIntroduced = index > 0 && ["unknown", "modify"].contains { words[index - 1].isCalled($0) }
            if name.isQuoted || isNotFound || isIntroduced { return name.text }
        }
        return nil
    }

    private static func recordType(in words: [Word]) -> String? {
        for (index, word) in words.enumerated().dropFirst().dropLast() where word.isCalled("type") {
            if words[index - 1].isCalled("record") || words[index - 1].isCalled("new") { return words[index + 1].text }
        }
        return nil
    }

    private struct Word {
        var text: String
        var isQuoted: Bool

        func isCalled(_ name: String) -> Bool { !isQuoted && text.lowercased() == name }
    }

    private static func words(of reason: String) -> [Word] {
        var words: [Word] = []
        var text = ""
        var quote: Character?
        for character in reason + " " {
            let ends = quote.map { character == $0 } ?? " .,:;'\"`()".contains(character)
            guard ends else {
                text.append(character)
                continue
            }
            // An apostrophe inside a word opens nothing.
            let opens = quote == nil && text.isEmpty && "'\"`".contains(character)
            if !text.isEmpty { words.append(Word(text: text, isQuoted: quote != nil)) }
            text = ""
            quote = opens ? character : nil
        }
        return words
    }

    /// Such as `the field 'rank' (INT64) of the record type Note`.
    package var text: String {
        let type = recordType.map { "the record type \($0)" } ?? "this record type or field"
        guard let field else { return type }
        return "the field '\(field)'\(fieldType.map { " (\($0))" } ?? "") of \(type)"
    }

    /// What a person can do about it, which is another thing at Apple's service than at a server of one's own.
    package func remedy(_ configuration: FolderConfiguration) -> String {
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
