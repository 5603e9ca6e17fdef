import FolderKnowledge
import FolderWriting
import LocalFolder
import ProblemSentences
import RecordMapping
import SyncModel

/// Puts into the folder what is staged of one writing: its assets first, then the file that names them.
///
/// Where it does not come to its end, what it put at free paths is taken away again, and what it moved goes back: a file that
/// no text names would be taken for one that a person made.
struct Placement {
    /// What is to get a name in the folder.
    struct Staged {
        /// `nil` where the file stays as it is.
        var file: StagedFile?
        /// Of the carried assets that are copied, by their places.
        var copies: [Int: StagedFile] = [:]
        /// The zone's version of the file, where it goes into a conflict copy.
        var zones: StagedFile?
    }

    private let writing: Writing
    private let staged: Staged
    private let writer: FolderWriter
    private let batch: WriteBatch
    private var copies: CopiesOfConflict
    private var assets: [(slot: AssetSlot, file: LocalFile, checksum: String)] = []
    private var carried: [(agreed: AgreedAsset, file: LocalFile)] = []
    /// Files at paths that were free.
    private var made: [(file: LocalFile, staged: StagedFile)] = []
    private var moved: [WriteResult.MovedAsset] = []

    init(of writing: Writing, _ staged: Staged, writer: FolderWriter, batch: WriteBatch) {
        (self.writing, self.staged, self.writer, self.batch) = (writing, staged, writer, batch)
        copies = CopiesOfConflict(writer: writer)
    }

    /// Carries it out; durable once the batch is finished.
    mutating func run() -> WriteResult {
        let result: WriteResult
        do throws(FolderError) {
            result =
                if let failure = try begin() {
                    failure
                } else if let failure = try putAssets() {
                    failure
                } else if let failure = try carryAssets() {
                    failure
                } else {
                    try putFile()
                }
        } catch {
            result = .held(.cannotWrite(writing.path, error), .init(copies: copies.givenAfterError()))
        }
        if case .done = result { return result }
        return result.leaving(withdraw())
    }

    // MARK: Steps; each gives a result where that is the last one

    private mutating func begin() throws(FolderError) -> WriteResult? {
        // Nothing is begun that cannot be ended: what has the file's path may be about to leave it.
        let seen = FolderReader(root: writer.root).stamp(of: writing.path)
        guard writing.assets.isEmpty && writing.carriedAssets.isEmpty || seen == writing.replaces?.stamp else {
            return .superseded()
        }
        guard let old = writing.replaces else { return nil }
        if writing.conflict != nil {
            guard try copies.keep(writing.path, expecting: old.stamp) else { return superseded() }
        }
        if let zones = staged.zones { try copies.keep(zones, of: writing.path, beside: old.stamp) }
        return nil
    }

    private mutating func putAssets() throws(FolderError) -> WriteResult? {
        for asset in writing.assets {
            if asset.keepsCopy, let old = asset.replaces {
                guard try copies.keep(asset.path, expecting: old.stamp) else { return superseded() }
            }
            switch try put(asset.file, at: asset.path, replacing: asset.replaces) {
            case .done(let file): assets.append((asset.slot, file, asset.checksum))
            case let outcome: return failure(outcome, at: asset.path)
            }
            copies.noteReplaced(asset.path)
        }
        return nil
    }

    private mutating func carryAssets() throws(FolderError) -> WriteResult? {
        for (index, asset) in writing.carriedAssets.enumerated() {
            if asset.keepsCopy, let old = asset.replaces {
                guard try copies.keep(asset.path, expecting: old.stamp) else { return superseded() }
            }
            let outcome =
                if let copy = staged.copies[index] {
                    try put(copy, at: asset.path, replacing: asset.replaces)
                } else {
                    try writer.move(
                        asset.source, to: asset.path, expecting: asset.version.stamp, asset.version.hash, batch: batch)
                }
            guard case .done(let file) = outcome else { return failure(outcome, at: asset.path) }
            carried.append((asset.agreed, file))
            if asset.isMoved { moved.append((asset.agreed, file, asset.source)) }
            copies.noteReplaced(asset.path)
        }
        return nil
    }

    private mutating func putFile() throws(FolderError) -> WriteResult {
        let outcome: WriteOutcome
        if let file = staged.file {
            outcome = try put(file, at: writing.path, replacing: writing.replaces)
        } else if let now = writing.replaces,
            now.stamp.executable(orAgreed: writing.isExecutable) != writing.isExecutable
        {
            outcome = try writer.setExecutable(writing.path, writing.isExecutable, expecting: now.stamp, now.hash)
        } else if let now = writing.replaces {
            outcome = .done(LocalFile(path: writing.path, stamp: now.stamp, hash: now.hash, isSettled: true))
        } else {
            outcome = .superseded(.missing, conflictCopy: nil)
        }
        guard case .done(let file) = outcome else { return failure(outcome, at: writing.path) }
        copies.noteReplaced(writing.path)
        let removed = moved.map(\.source) + leave(writing.leftOvers)
        return .done(
            WriteResult.Done(
                file: file, assets: assets, carriedAssets: carried, removed: removed, conflictCopies: copies.given()))
    }

    private mutating func superseded() -> WriteResult { .superseded(.init(copies: copies.given())) }

    private mutating func failure(_ outcome: WriteOutcome, at path: FolderPath) -> WriteResult {
        switch outcome {
        case .superseded(let reason, let copy):
            .superseded(.init(copies: copies.given(afterFailureAt: path, reason, and: copy)))
        case .blocked(let reason):
            .held(.blocked(path, reason), .init(copies: copies.given()), at: reason.otherFile ?? path)
        case .done: preconditionFailure("what is done did not fail")
        }
    }

    // MARK: Files

    private mutating func put(
        _ staged: StagedFile, at path: FolderPath, replacing old: LocalVersion?
    ) throws(FolderError) -> WriteOutcome {
        if let old { return try writer.replace(path, with: staged, expecting: old.stamp, old.hash, batch: batch) }
        let outcome = try writer.create(path, staged, batch: batch)
        if case .done(let file) = outcome { made.append((file, staged)) }
        return outcome
    }

    /// Puts files into history that nothing names any more; one that cannot be had stays, as a file of its own.
    private func leave(_ files: [Writing.LeftOver]) -> [FolderPath] {
        files.compactMap { file in
            guard
                case .done? = try? writer.delete(
                    file.path, expecting: file.version.stamp, file.version.hash, batch: batch)
            else { return nil }
            return file.path
        }
    }

    /// Undoes what can be undone; what somebody wrote to meanwhile stays, as a file of its own.
    /// - Returns: What was moved and is as it was, and cannot go back for now, as on a full disk.
    private func withdraw() -> [WriteResult.MovedAsset] {
        // A copy of a file that was replaced meanwhile is the only one in the folder.
        let replaced = Set(
            writing.assets.filter { $0.replaces != nil }.map(\.path)
                + writing.carriedAssets.filter { $0.replaces != nil }.map(\.path))
        let needed = Set(writing.carriedAssets.filter { replaced.contains($0.source) }.map(\.path))
        for (file, staged) in made where !needed.contains(file.path) {
            _ = try? writer.takeBack(staged, placedAs: file, batch: batch)
        }
        return moved.filter { _, file, source in
            if case .done? = try? writer.move(file.path, to: source, expecting: file.stamp, file.hash, batch: batch) {
                return false
            }
            return FolderReader(root: writer.root).stamp(of: file.path) == file.stamp
        }
    }
}
