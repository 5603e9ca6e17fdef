import CloudKitWire
import LocalFolder
import LosslessJSON
import RecordMapping
import StateStorage
import SyncModel
import SyncPlanning

/// What files are to the zone.
extension FolderSession {
    /// What a file is to the zone; `nil` where it changed since it was scanned.
    func form(of file: LocalFile) throws -> FileForm? {
        guard StructuredFile.isCandidate(file.path, size: file.stamp.size, paths: paths) else { return .file }
        let contents: FolderReader.Contents
        do {
            contents = try reader.read(file.path)
        } catch {
            return nil
        }
        guard contents.stamp == file.stamp else { return nil }
        switch StructuredFile.classify(contents.bytes, at: file.path, paths: paths) {
        case .file: return .file
        case .problem(let problem): return .held(Problem(problem, in: file.path))
        case .structured(let recordType, let document):
            do {
                // The record at the path may be of another kind, whose fields say nothing of this one's.
                let name = trees.record(at: file.path).flatMap { trees.remote[$0]?.recordType == recordType ? $0 : nil }
                let record = try name.flatMap { try remoteRecord(named: $0) }
                let draft = try StructuredDraft(
                    document: document, recordType: recordType, file: file.path, remote: record?.fields ?? [:],
                    context: mappingContext())
                return .structured(
                    recordType: recordType,
                    attachments: draft.attachments.map {
                        SyncModel.Attachment(field: $0.slot.field, index: $0.slot.index, path: $0.path)
                    })
            } catch let problem as MappingProblem {
                return .held(Problem(problem, in: file.path, line: document.line(of: problem.key)))
            }
        }
    }
}

extension JSONDocument {
    /// The line, from 1, where a key of the top level stands.
    func line(of key: String?) -> Int? {
        guard let key, let member = root.members.first(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
            return nil
        }
        return bytes[..<member.keyRange.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
    }
}

extension LocalEntry {
    var isHeld: Bool {
        if case .held = form { true } else { false }
    }
}
