import CloudKitWire
package import FolderKnowledge
import FolderSettings
package import LocalFolder
import LosslessJSON
import ProblemSentences
import RecordMapping
import RecordTrees
package import SyncModel

/// What files are to the zone: told by their bytes, by the types of the zone's fields, and by what both sides agreed on.
package struct FileForms {
    private let knowledge: Knowledge
    private let reader: FolderReader
    /// Whether a file is written to faster than it can be read.
    private let neverRests: (FolderPath) -> Bool

    package init(knowledge: Knowledge, reader: FolderReader, neverRests: @escaping (FolderPath) -> Bool) {
        (self.knowledge, self.reader, self.neverRests) = (knowledge, reader, neverRests)
    }

    /// What a file is to the zone; `nil` where it changed since it was scanned.
    package func form(of file: LocalFile) throws -> FileForm? {
        let base = knowledge.trees.baseRecord(at: file.path)
        return try form(of: file, agreedOn: base?.hash == file.hash ? base?.recordType : nil)
    }

    /// - Parameter recordType: Of the record that both sides agreed on with these very bytes; `nil` where there is none. A
    ///   file record stays one until its file is edited, whatever it would fit: else each device would judge by what it has
    ///   learnt so far.
    package func form(of file: LocalFile, agreedOn recordType: String?) throws -> FileForm? {
        guard StructuredFile.isCandidate(file.path, size: file.stamp.size, paths: knowledge.paths) else { return .file }
        let contents: FolderReader.Contents
        do {
            contents = try reader.read(file.path)
        } catch {
            return nil
        }
        guard contents.stamp == file.stamp || neverRests(file.path) else { return nil }
        let form = try form(of: contents.bytes, at: file.path, isAgreed: recordType != nil)
        guard recordType == knowledge.fileType else { return form }
        return switch form {
        case .file, .unfit: form
        case .held(let problem): .unfit(problem)
        case .structured: .unfit(.plainInZone(file.path))
        }
    }

    private func form(of bytes: [UInt8], at path: FolderPath, isAgreed: Bool) throws -> FileForm {
        let (recordType, document): (String, JSONDocument)
        switch StructuredFile.classify(bytes, at: path, paths: knowledge.paths) {
        case .file: return .file
        case .problem(let problem): return .unfit(Problem(problem, in: path))
        case .structured(let type, let parsed): (recordType, document) = (type, parsed)
        }
        // The record at the path may be of another kind, whose fields say nothing of this one's.
        let name = knowledge.trees.record(at: path).flatMap {
            knowledge.trees.remote[$0]?.recordType == recordType ? $0 : nil
        }
        let record = try name.flatMap { try knowledge.remoteRecord(named: $0) }
        do {
            let draft = try StructuredDraft(
                document: document, recordType: recordType, file: path, remote: record?.fields ?? [:],
                context: knowledge.mappingContext())
            if draft.exceedsRecordLimit { return .file }
            if !isAgreed, let problem = lack(of: draft, at: path, isNew: name == nil) { return .held(problem) }
            return .structured(
                recordType: recordType,
                attachments: draft.attachments.map {
                    SyncModel.Attachment(field: $0.slot.field, index: $0.slot.index, path: $0.path)
                })
        } catch {
            let problem = Problem(error, in: path, line: document.line(of: error.key))
            // Its target may still come, in whatever order a person saves files.
            return problem.code == .referenceRefused ? .held(problem) : .unfit(problem)
        }
    }

    /// The first field that a person requires of this record type and the file has not, or has empty (S3.8).
    private func lack(of draft: StructuredDraft, at path: FolderPath, isNew: Bool) -> Problem? {
        guard let rules = knowledge.configuration.types[draft.recordType] else { return nil }
        let required = rules.required.filter { key in
            !isNew || rules.defaultAssets[key] == nil || draft.slot(ofAbsent: key) == nil
        }
        return draft.firstEmpty(of: required).map { .requiredFieldMissing($0, in: path, recordType: draft.recordType) }
    }
}

extension LocalEntry {
    package var isHeld: Bool {
        if case .held = form { true } else { false }
    }
}

extension LocalFile {
    /// A file as it was last seen.
    package init(_ entry: LocalEntry) {
        self.init(path: entry.path, stamp: entry.stamp, hash: entry.hash, isSettled: entry.isSettled)
    }
}
