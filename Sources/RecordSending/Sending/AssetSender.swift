import CloudKitClient
import CloudKitWire
import FolderWriting
import LocalFolder
import RecordMapping
import RecordTrees
import RequestPacing
import SyncModel

/// Carries the assets of operations to where the zone takes them, before the records that name them.
///
/// Bytes that the zone has already are asked for where they are, and sent only where that is refused.
struct AssetSender: Sendable {
    let database: CloudKitDatabase
    let zoneID: ZoneID
    let reader: FolderReader
    let halt: Halt
    /// Called with the bytes of each finished upload.
    let onBytes: @Sendable (Int64) -> Void

    /// Assets that travel at the same time.
    private static let parallelUploads = 8
    /// Of one request.
    private static let assetsAtOnce = 200

    private struct Upload: Sendable {
        let sending: Int
        let need: AssetNeed
    }

    /// The assets with receipts by sending and slot; what failed is in the results.
    /// - Parameter results: Of the sendings, in their order; those that failed for an asset get one.
    func send(of sendings: [Sending], results: inout [SendResult?]) async -> [Int: [AssetSlot: Asset]] {
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
        for start in stride(from: 0, to: remaining.count, by: Self.assetsAtOnce) {
            let some = Array(remaining[start..<min(start + Self.assetsAtOnce, remaining.count)])
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
        for start in stride(from: 0, to: known.count, by: Self.assetsAtOnce) {
            let some = known[start..<min(start + Self.assetsAtOnce, known.count)]
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
