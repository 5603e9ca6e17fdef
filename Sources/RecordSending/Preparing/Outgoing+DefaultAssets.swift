import FolderKnowledge
import FolderSettings
import ProblemSentences
import RecordMapping
import RecordTrees
import StateStorage
import SyncModel

/// Files that new records get where their own files say nothing of a field (S3.12). Only new ones: a file that loses its asset
/// later has none.
extension Outgoing {
    /// - Parameter action: What is sent of the file.
    func defaultAssets(of draft: StructuredDraft, sentBy action: Action) throws(HeldBack) -> [AssetNeed] {
        guard action.kind == .createRecord, action.record == nil,
            let rules = knowledge.configuration.types[draft.recordType]
        else { return [] }
        var needs: [AssetNeed] = []
        for (key, path) in rules.defaultAssets.sorted(by: { $0.key < $1.key }) {
            guard let slot = draft.slot(ofAbsent: key) else { continue }
            if let known = knowledge.schema.field(slot.field, of: draft.recordType), known.type != .asset {
                throw HeldBack(.defaultOfAnotherType(key, of: action.path, recordType: draft.recordType))
            }
            guard let file = trees.local[path] else {
                throw HeldBack(.defaultMissing(key, path, of: action.path, recordType: draft.recordType))
            }
            let limit = knowledge.configuration.assetLimit
            guard file.stamp.size <= limit else { throw HeldBack(.tooLarge(path, size: file.stamp.size, limit: limit)) }
            needs.append(
                AssetNeed(
                    slot: slot, path: path, version: LocalVersion(stamp: file.stamp, hash: file.hash),
                    source: trees.source(of: file.hash)))
        }
        return needs
    }
}

extension Problem {
    static func defaultMissing(
        _ key: String, _ path: FolderPath, of file: FolderPath, recordType: String
    ) -> Problem {
        Problem(
            .missingAsset,
            message:
                "\(file): config.toml names \(path) as what a \(recordType) without \"\(key)\" gets, and it is not "
                + "there.",
            remedy: "Put that file there, or change [types.\(recordType)] in config.toml.")
    }

    static func defaultOfAnotherType(_ key: String, of file: FolderPath, recordType: String) -> Problem {
        Problem(
            .wrongType,
            message: "\(file): config.toml has a default asset for \"\(key)\", which is no asset in the zone.",
            remedy: "Change [types.\(recordType)] in config.toml, or give the file that key.")
    }
}
