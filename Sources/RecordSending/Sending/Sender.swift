package import CloudKitClient
package import CloudKitWire
import FolderWriting
package import LocalFolder
import RecordMapping
import RecordTrees
import RequestPacing
import SyncModel
import Synchronization

/// Carries operations to the zone: first the assets, then the records that name them.
///
/// Knows nothing of trees and plans; every sending gets exactly one result, in order, whatever fails.
package struct Sender: Sendable {
    package let database: CloudKitDatabase
    package let zoneID: ZoneID
    package let reader: FolderReader
    package let batcher: ModifyBatcher
    /// Set once the server asked everybody to wait: what is not under way then stays here.
    package let halt = Halt()
    /// Called with the bytes of each finished upload.
    package let onBytes: @Sendable (Int64) -> Void

    package init(
        database: CloudKitDatabase, zoneID: ZoneID, reader: FolderReader, batcher: ModifyBatcher,
        onBytes: @escaping @Sendable (Int64) -> Void
    ) {
        self.database = database
        self.zoneID = zoneID
        self.reader = reader
        self.batcher = batcher
        self.onBytes = onBytes
    }

    /// Assets that travel at the same time.
    private static let parallelUploads = 8

    /// Sends some operations in their order, one request after the other: what refers to another record comes after it.
    package func send(_ sendings: [Sending]) async -> [SendResult] {
        var results = [SendResult?](repeating: nil, count: sendings.count)
        let assets = await sendAssets(of: sendings, results: &results)
        let open = sendings.indices.filter { results[$0] == nil }
        // What takes another record's place goes in requests of its own, after what it needs and before what needs it.
        var rest = open[...]
        while let first = rest.first {
            let isReplacing = sendings[first].replaced != nil
            let run = rest.prefix { (sendings[$0].replaced != nil) == isReplacing }
            rest = rest.dropFirst(run.count)
            let (some, assets) = (run.map { sendings[$0] }, run.map { assets[$0] })
            let answers = isReplacing ? await replace(some, assets) : await save(some, assets)
            for (index, answer) in zip(run, answers) { results[index] = answer }
        }
        return results.map { $0 ?? .superseded }
    }

    private func save(_ sendings: [Sending], _ assets: [[AssetSlot: Asset]?]) async -> [SendResult] {
        let operations = zip(sendings, assets).map { sending, assets in sending.operation(assets ?? [:]) }
        var results: [SendResult] = []
        for batch in batcher.batches(of: operations) {
            results += await modify(Array(operations[batch]), attempts: batch.map { sendings[$0].attempts })
        }
        return results
    }

    // MARK: Records

    private func modify(_ operations: [RecordOperation], attempts: [Int]) async -> [SendResult] {
        if let result = halt.result { return operations.map { _ in result } }
        do {
            let answers = try await database.modifyRecords(operations, in: zoneID)
            return operations.indices.map { index in
                let operation = operations[index]
                switch answers[index] {
                case .success(let record):
                    return record.deleted == true ? .deleted : .saved(record)
                case .failure(let error):
                    let reaction = error.reaction(
                        of: .recordsModify, recordKind: operation.kind, attempts: attempts[index])
                    if reaction == .done, operation.kind == .delete || operation.kind == .forceDelete {
                        return .deleted
                    }
                    let code = error.serverErrorCode.rawValue
                    return .refused(reaction, code: code, reason: error.reason ?? code, .answer)
                }
            }
        } catch {
            let reaction = error.reaction(batchCount: operations.count)
            if reaction == .split, operations.count > 1 {
                let half = operations.count / 2
                return await modify(Array(operations[..<half]), attempts: Array(attempts[..<half]))
                    + modify(Array(operations[half...]), attempts: Array(attempts[half...]))
            }
            halt.note(reaction, error)
            if reaction == .lookUpAndMerge, case .transport = error.code {
                return operations.map { _ in .unanswered(code: error.word, reason: error.message) }
            }
            let refusal: SendResult.Refusal = error.mayHaveBeenDone ? .unknown : .unsent
            return operations.map { _ in
                .refused(reaction, code: error.word, reason: error.message, refusal, error.obstacle)
            }
        }
    }

    // MARK: Assets

    private struct Upload: Sendable {
        let sending: Int
        let need: AssetNeed
    }

    /// The assets with receipts by sending and slot; what failed is in the results.
    private func sendAssets(
        of sendings: [Sending], results: inout [SendResult?]
    ) async -> [Int: [AssetSlot: Asset]] {
        var uploads: [Upload] = []
        for (index, sending) in sendings.enumerated() {
            // Where the zone has the bytes already, nothing else would notice that the file is gone by now.
            guard sending.needs.allSatisfy({ $0.source == nil || $0.snapshot != nil || isThere($0) }) else {
                results[index] = .superseded
                continue
            }
            uploads += sending.needs.map { Upload(sending: index, need: $0) }
        }
        guard !uploads.isEmpty else { return [:] }
        var receipts: [Int: [AssetSlot: Asset]] = [:]
        var remaining: [Upload] = []
        let stored = await rereference(uploads)
        for (upload, asset) in zip(uploads, stored) {
            if let asset {
                receipts[upload.sending, default: [:]][upload.need.slot] = asset
            } else {
                remaining.append(upload)
            }
        }
        for start in stride(from: 0, to: remaining.count, by: 200) {
            let some = Array(remaining[start..<min(start + 200, remaining.count)])
            for (upload, outcome) in zip(some, await self.upload(some, of: sendings)) {
                switch outcome {
                case .success(let asset): receipts[upload.sending, default: [:]][upload.need.slot] = asset
                case .failure(let failure): results[upload.sending] = failure.result
                }
            }
        }
        return receipts
    }

    private func isThere(_ need: AssetNeed) -> Bool {
        do {
            return try reader.openForUpload(need.path, expecting: need.version.stamp) != nil
        } catch {
            return false
        }
    }

    /// Receipts for bytes that the zone has already; `nil` where they have to be sent after all.
    private func rereference(_ uploads: [Upload]) async -> [Asset?] {
        let known = uploads.indices.filter { uploads[$0].need.source?.index == nil && uploads[$0].need.source != nil }
        guard !known.isEmpty else { return uploads.map { _ in nil } }
        var assets = [Asset?](repeating: nil, count: uploads.count)
        for start in stride(from: 0, to: known.count, by: 200) {
            let some = known[start..<min(start + 200, known.count)]
            let sources = some.map { index in
                let source = uploads[index].need.source!
                return AssetsRereferenceRequest.Source(recordName: source.record.rawValue, fieldName: source.field)
            }
            // A refusal costs an upload and nothing else.
            guard let answers = try? await database.rereferenceAssets(sources, in: zoneID) else { continue }
            for (index, answer) in zip(some, answers) {
                // The field may hold other bytes by now: its checksum tells.
                guard case .success(let asset) = answer, asset.receipt != nil,
                    let checksum = uploads[index].need.source?.checksum, !checksum.isEmpty,
                    asset.fileChecksum == checksum
                else { continue }
                assets[index] = asset
            }
        }
        return assets
    }

    private struct Failure: Error {
        let result: SendResult
    }

    private func upload(_ uploads: [Upload], of sendings: [Sending]) async -> [Result<Asset, Failure>] {
        let tokens = uploads.map { upload in
            let sending = sendings[upload.sending]
            return AssetToken(
                recordType: sending.recordType, recordName: sending.name.rawValue,
                fieldName: upload.need.slot.field)
        }
        let answers: [AssetToken]
        if let result = halt.result { return uploads.map { _ in .failure(Failure(result: result)) } }
        do {
            answers = try await database.assetUploadURLs(for: tokens, in: zoneID)
        } catch {
            let reaction = error.reaction(batchCount: tokens.count)
            halt.note(reaction, error)
            let failure = Failure(
                result: .refused(reaction, code: error.word, reason: error.message, .unsent, error.obstacle))
            return uploads.map { _ in .failure(failure) }
        }
        return await withTaskGroup(of: (Int, Result<Asset, Failure>).self) { group in
            var results = [Result<Asset, Failure>](
                repeating: .failure(Failure(result: .superseded)), count: uploads.count)
            for (index, upload) in uploads.enumerated() {
                if index >= Self.parallelUploads, let (done, result) = await group.next() { results[done] = result }
                let url = answers[index].url ?? ""
                group.addTask { (index, await self.upload(upload.need, to: url)) }
            }
            for await (done, result) in group { results[done] = result }
            return results
        }
    }

    private func upload(_ need: AssetNeed, to url: String) async -> Result<Asset, Failure> {
        let file: FileReader
        do {
            let opened =
                try need.snapshot?.open(as: need.path)
                ?? reader.openForUpload(need.path, expecting: need.version.stamp)
            guard let opened else { return .failure(Failure(result: .superseded)) }
            file = opened
        } catch {
            return .failure(Failure(result: .superseded))
        }
        let source = SequentialSource(file)
        do {
            let asset = try await database.uploadAsset(
                ByteSource(length: need.version.stamp.size) { offset, count in
                    try await source.read(at: offset, count: count)
                }, to: url)
            guard try await source.finish() == .unchanged(need.version.hash) else {
                return .failure(Failure(result: .superseded))
            }
            // What was altered on its way there would go from there to every other device.
            if let checksum = asset.fileChecksum.flatMap({ AssetChecksum($0) }),
                !checksum.isOf(sha256: need.version.hash.bytes)
            {
                return .failure(
                    Failure(
                        result: .refused(
                            .retry(after: nil, pausing: .item), code: Problem.Code.wrongBytes.rawValue,
                            reason: "The server got other bytes than were sent to it")))
            }
            onBytes(need.version.stamp.size)
            return .success(asset)
        } catch let error as CloudKitError {
            // What was broken off is no failure either.
            if await source.hasChanged || error.code == .transport(.cancelled) {
                return .failure(Failure(result: .superseded))
            }
            return .failure(
                Failure(
                    result: .refused(
                        error.reaction(), code: error.word, reason: error.message, .unsent, error.obstacle)))
        } catch {
            return .failure(Failure(result: .superseded))
        }
    }
}

/// Whether the server asked everybody to wait; shared by requests under way at the same time.
package final class Halt: Sendable {
    private let state = Mutex<SendResult?>(nil)

    /// What becomes of all that was not sent for that.
    package var result: SendResult? { state.withLock(\.self) }

    package func note(_ reaction: ErrorReaction, _ error: CloudKitError) {
        switch reaction {
        case .retry(_, pausing: .database), .signIn:
            let result = SendResult.refused(
                .retry(after: nil, pausing: .database), code: error.word, reason: error.message, .unsent,
                error.obstacle)
            state.withLock { $0 = result }
        default: break
        }
    }
}

/// Reads a file from its beginning to its end for a request that asks by offset.
private actor SequentialSource {
    private let file: FileReader
    private var position: Int64 = 0
    package private(set) var hasChanged = false

    package init(_ file: FileReader) {
        self.file = file
    }

    package func read(at offset: Int64, count: Int) throws -> [UInt8] {
        precondition(offset == position, "An asset is read once, in order")
        let bytes = try file.next(maxBytes: count) ?? []
        position += Int64(bytes.count)
        return bytes
    }

    package func finish() throws -> FileReader.Check {
        let check = try file.finish()
        if check == .changed { hasChanged = true }
        return check
    }
}
