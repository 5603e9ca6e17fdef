import CloudKitWire
import Crypto
import DocumentMerging
import FileCustody
import FolderKnowledge
import FolderSettings
import LocalFolder
import LosslessJSON
package import RecordMapping
import RecordTrees
import StateRows
package import SyncModel

/// Deciding what is written for a received record: the zone's version, or what both sides' versions merge into.
extension Incoming {
    /// What is to be written; `nil` where the folder moved on, so that the action has to be planned again.
    package func compose(_ receiving: Receiving, _ files: [AssetSlot: AssetBytes]) throws -> Writing? {
        receiving.entry.recordType == knowledge.fileType
            ? composeFile(receiving, files) : try composeStructured(receiving, files)
    }

    /// The records for which alone files are copied before what is to be downloaded goes there, and that may be about to go.
    package func recordsToGo(before receiving: Receiving) -> Set<RecordName> {
        guard receiving.entry.recordType != knowledge.fileType else { return [] }
        let name = receiving.entry.name
        let placing = AssetPlacing(
            of: receiving.action.path, base: trees.base[name], named: nil,
            sent: knowledge.unanswered(name).map(\.entry), trees: trees)
        return receiving.downloads.values.compactMap(\.path).reduce(into: []) {
            $0.formUnion(placing.recordsToGo(from: $1))
        }
    }

    // MARK: File records

    private func composeFile(_ receiving: Receiving, _ files: [AssetSlot: AssetBytes]) -> Writing {
        let action = receiving.action
        let fetched = files[AssetSlot(field: ContentSource.fileField)]
        let base = trees.base[receiving.entry.name]
        let local = action.local
        let released = base == nil ? trees.provenance[action.path].letGo : nil
        // By attribute: what only one side changed is that side's.
        var isExecutable = receiving.isExecutable
        if let base, !receiving.isOverUnrelated, let bit = local?.stamp.executable(orAgreed: base.executable),
            bit != base.executable || knowledge.unanswered(base.name).contains(where: { $0.entry.executable != bit })
        {
            isExecutable = bit
        }
        var writing = Writing(
            receiving: receiving, path: action.path, content: .keep, isExecutable: isExecutable,
            modified: receiving.modified, replaces: local, assets: [], keptAssets: [], conflict: nil, agreed: nil,
            document: nil)
        writing.isOverStaleHash = fetched?.isOverStaleHash ?? false
        if receiving.keepsLocalContent {
            let content = knowledge.agreedAssets(of: receiving.entry.name, in: receiving.record).first
            writing.agreedHash = content?.hash ?? base?.hash
        } else if let fetched, fetched.hash == released, local != nil {
            writing.agreedHash = released
        } else if let fetched, fetched.hash != local?.hash, case .staging(let file) = fetched.place {
            writing.content = .staged(file)
            // The zone's bytes hold the path, this device's go beside it.
            let custody = trees.custody(of: action.path)
            let isPutBack = local.map { knowledge.isPutBack($0.hash, of: receiving.entry.name) } ?? false
            if custody.isCopied(beforeContentOf: base, isChangedHere: action.kind == .reconcile, isPutBack: isPutBack) {
                writing.conflict = []
            }
        }
        return writing
    }

    // MARK: Structured records

    private func composeStructured(_ receiving: Receiving, _ files: [AssetSlot: AssetBytes]) throws -> Writing? {
        let action = receiving.action
        var current: [UInt8]?
        if let version = action.local {
            guard let contents = try? reader.read(action.path), contents.stamp == version.stamp else { return nil }
            current = contents.bytes
        }
        let name = receiving.entry.name
        var base = trees.base[name]
        base?.assets = knowledge.agreedAssets(of: name, in: receiving.record)
        let rendering = knowledge.rendering(of: receiving.record, as: receiving.entry.recordType, at: action.path)
        let places = assetPaths(rendering.assets, of: receiving, files: files, base: base)
        let baseDocument = try knowledge.baseDocument(of: name)
        // A record that was deleted and made again tells its manner whole: where the deletion was seen, no file is left
        // whose manner it could keep.
        let isMadeAnew = base?.isOfAnotherRecord(than: receiving.entry) ?? false
        var theirs = rendering.output(current: isMadeAnew ? nil : baseDocument ?? current, assetPaths: places)
        guard
            var joined = action.kind == .reconcile
                ? join(
                    receiving, local: current, remote: theirs.bytes, base: baseDocument,
                    isUnrelated: isMadeAnew || receiving.isOverUnrelated)
                : Joined(bytes: theirs.bytes)
        else { return nil }
        let lostHere = joined.fields(keptBy: .remote)
        if !lostHere.isEmpty, joined.bytes == theirs.bytes {
            // This side's version is in its copy alone: in its manner, no other device would have the zone's.
            theirs = rendering.output(current: isMadeAnew ? nil : baseDocument, assetPaths: places)
            joined.bytes = theirs.bytes
        }
        let bytes = joined.bytes
        let named = (base?.assets ?? []).isEmpty ? nil : attachments(named: bytes, of: receiving)
        let placing = AssetPlacing(
            of: action.path, base: base, named: named, sent: knowledge.unanswered(name).map(\.entry),
            trees: trees)
        guard let placed = placing.place(theirs.assets, files: files, renewed: receiving.renewedAssets) else {
            return nil
        }
        let isMerged = bytes != theirs.bytes
        var conflict: [String]?
        let lostThere = joined.fields(keptBy: .local)
        if !lostHere.isEmpty {
            conflict = lostHere
        } else if let current, current != bytes,
            joined.isRenewed || isLost(current, in: bytes, base: base)
        {
            // To the merge the file is what both sides agreed on, or an edit of that; who put it there may have no other.
            conflict = []
        }
        return Writing(
            receiving: receiving, path: action.path, content: bytes == current ? .keep : .bytes(bytes),
            isExecutable: action.local?.stamp.executable ?? false, modified: nil, replaces: action.local,
            assets: placed.written, carriedAssets: placed.carried, keptAssets: placed.kept,
            // What a conflict copy names stays, as a file of its own.
            leftOvers: conflict == nil && lostThere.isEmpty ? placed.leftOvers : [],
            givenAssets: conflict == nil && lostThere.isEmpty ? placed.given : [],
            awaitedRecords: placed.awaited, conflict: conflict,
            lostThere: lostThere.isEmpty ? nil : (theirs.bytes, lostThere),
            agreed: isMerged
                ? (document: theirs.bytes, hash: ContentHash(bytes: SHA256.hash(data: theirs.bytes))!) : nil,
            document: bytes)
    }

    /// Whether a person put a file in the place of the record's own, and the merge leaves nothing that has all of it.
    private func isLost(_ file: [UInt8], in merged: [UInt8], base: BaseEntry?) -> Bool {
        // What it has like the one before is as much its own as what it has besides.
        base?.standing == .renewed && !DocumentMerge.holds(merged, allOf: file)
    }

    /// What both sides' versions merge into.
    private struct Joined {
        var bytes: [UInt8]
        var collisions: [MergeCollision] = []
        /// Whether somebody else put another file in the place of the one that both had.
        var isRenewed = false

        /// The fields that both sides changed, of which the file has this side's version.
        func fields(keptBy side: MergeSide) -> [String] {
            collisions.filter { $0.kept == side }.map { $0.path.joined(separator: ".") }
        }
    }

    /// - Parameters:
    ///   - base: What both sides last agreed on, where it is known.
    ///   - isUnrelated: Whether that was another record, or this side's version need not be made of it.
    /// - Returns: `nil` where one of them is no document any more.
    private func join(
        _ receiving: Receiving, local: [UInt8]?, remote: [UInt8], base: [UInt8]?, isUnrelated: Bool
    ) -> Joined? {
        guard let local, local != remote else { return Joined(bytes: remote) }
        let name = receiving.entry.name
        let sent = knowledge.unanswered(name).compactMap(\.document)
        let isRenewed = isNews(RecordHints.renewedTag(of: receiving.record.fields), of: name) && !sent.contains(remote)
        // A record that was made again is no edit of what both had.
        let ancestor = isUnrelated ? nil : DocumentMerge.ancestor(base: base, sent: sent, remote: remote)
        let edits = isUnrelated ? [] : sent
        guard let merged = merge(receiving, base: ancestor, sent: edits, local: local, remote: remote) else {
            return nil
        }
        guard isRenewed, !DocumentMerge.holds(merged.bytes, allOf: remote) else {
            return Joined(bytes: merged.bytes, collisions: merged.collisions, isRenewed: isRenewed)
        }
        // Nor is what it has like the one before for an edit of that one to change.
        guard let merged = merge(receiving, base: nil, sent: [], local: local, remote: remote) else { return nil }
        return Joined(bytes: merged.bytes, collisions: merged.collisions, isRenewed: true)
    }

    /// Whether a record says for the first time that another file was put in the place of its own, and by somebody else.
    private func isNews(_ renewal: String?, of name: RecordName) -> Bool {
        guard let renewal, let known = trees.base[name], renewal != known.renewal else { return false }
        // It may be what this device said without having an answer.
        return knowledge.unanswered(name).isEmpty || !known.isRenewed || renewal != known.changeTag
    }

    private func merge(
        _ receiving: Receiving, base: [UInt8]?, sent: [[UInt8]], local: [UInt8], remote: [UInt8]
    ) -> DocumentMerge.Result? {
        guard let localDocument = try? JSONDocument(parsing: local),
            let remoteDocument = try? JSONDocument(parsing: remote)
        else { return nil }
        let policies = knowledge.configuration.merge
        let type = receiving.entry.recordType
        let writtenThere = receiving.record.modified?.timestamp ?? 0
        let writtenHere = (receiving.action.local?.stamp.modified ?? 0) / 1_000_000
        return DocumentMerge.merge(
            base: base.flatMap { try? JSONDocument(parsing: $0) }, local: localDocument, remote: remoteDocument,
            sent: sent.compactMap { try? JSONDocument(parsing: $0) },
            newest: writtenHere > writtenThere ? .local : .remote,
            policy: { path in
                MergePolicy(rawValue: policies.policy(recordType: type, field: path.first ?? "").rawValue) ?? .remote
            })
    }
}
