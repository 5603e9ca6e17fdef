public import CloudKitWire
import HTTPTypes

extension CloudKitDatabase {
    /// A URL for each asset, in order, good for 15 minutes (`assets/upload`). One request for each 200 tokens.
    public func assetUploadURLs(
        for tokens: [AssetToken], in zoneID: ZoneID
    ) async throws(CloudKitError) -> [AssetToken] {
        var answers: [AssetToken] = []
        for start in stride(from: 0, to: tokens.count, by: Self.maximumItems) {
            let some = Array(tokens[start..<min(start + Self.maximumItems, tokens.count)])
            let response: AssetsUploadResponse = try await sender.call(
                .assetsUpload, AssetsUploadRequest(zoneID: zoneID, tokens: some))
            guard response.tokens.count == some.count, response.tokens.allSatisfy({ $0.url != nil }) else {
                throw .unexpectedAnswer(to: .assetsUpload, "a URL is missing")
            }
            answers += response.tokens
        }
        return answers
    }

    /// Sends an asset's bytes to its URL, without credentials, and gives what the record has to name. The receipt is
    /// good for that record and field, and soon.
    public func uploadAsset(_ source: ByteSource, to url: String) async throws(CloudKitError) -> Asset {
        let request = TransportRequest(
            lane: .content, method: .post, url: url, headers: [.contentType: "application/octet-stream"],
            body: .stream(source))
        let response = try await sender.observed(request, as: .uploadAsset)
        guard response.status == 200 else { throw .answer(response, to: .uploadAsset) }
        let answer: SingleFileResponse = try sender.decode(response, of: .uploadAsset)
        guard answer.singleFile.receipt != nil else { throw .unexpectedAnswer(to: .uploadAsset, "it has no receipt") }
        if let size = answer.singleFile.size, size != source.length {
            throw .unexpectedAnswer(to: .uploadAsset, "\(size) bytes were stored of \(source.length)")
        }
        return answer.singleFile
    }

    /// Receipts for stored assets, to name them in other records without sending their bytes again
    /// (`assets/rereference`), in order.
    public func rereferenceAssets(
        _ sources: [AssetsRereferenceRequest.Source], in zoneID: ZoneID
    ) async throws(CloudKitError) -> [ItemResult<Asset>] {
        let response: AssetsRereferenceResponse = try await sender.call(
            .assetsRereference, AssetsRereferenceRequest(zoneID: zoneID, assets: sources))
        guard response.assets.count == sources.count else {
            throw .unexpectedAnswer(
                to: .assetsRereference, "\(response.assets.count) assets for \(sources.count) that were asked for")
        }
        return response.assets
    }

    /// Streams an asset's bytes into a sink, without credentials.
    ///
    /// On an error the sink may have had a part; start over with an empty one. A URL that expired is an error with the
    /// reaction ``ErrorReaction/lookUpAndMerge``: the record's own lookup has a new one. Whether they are the asset's bytes,
    /// and all of them, is the caller's to find out.
    /// - Parameters:
    ///   - url: The asset's `downloadURL`, as it came.
    ///   - fileName: What to call the file in the URL; the server doesn't mind.
    ///   - isFresh: Whether it is asked for over a connection of its own, and past caches: another try for bytes that came
    ///     wrong.
    /// - Returns: Bytes given to the sink.
    @discardableResult
    public func downloadAsset(
        from url: String, fileName: String, overFreshConnection isFresh: Bool = false,
        into sink: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws(CloudKitError) -> Int64 {
        let url = AssetURL.filling(url, fileName: fileName)
        let request = TransportRequest(
            lane: isFresh ? .freshContent : .content, method: .get, url: url,
            headers: isFresh ? [.cacheControl: "no-cache"] : [:])
        try sender.checkTLS(of: request, .downloadAsset)
        let counter = ByteCounter()
        let start = sender.now()
        let response: TransportResponse
        do {
            response = try await sender.transport.download(request) { bytes in
                await counter.add(bytes.count)
                try await sink(bytes)
            }
        } catch {
            sender.report(.downloadAsset, request, nil, await counter.count, since: start, error)
            throw .transport(error, of: .downloadAsset)
        }
        let count = await counter.count
        sender.report(.downloadAsset, request, response.status, count, since: start)
        guard response.status == 200 else { throw .answer(response, to: .downloadAsset) }
        return count
    }
}

/// The URL of an asset's bytes.
enum AssetURL {
    /// Puts a file name where the URL has the literal `${f}` (protocol §3.10).
    static func filling(_ url: String, fileName: String) -> String {
        let pieces = url.utf8.split(separator: Array("${f}".utf8), omittingEmptySubsequences: false)
        let texts = pieces.map { String(decoding: $0, as: UTF8.self) }
        return texts.joined(separator: PercentEncoding.encode(fileName.isEmpty ? "file" : fileName))
    }
}

/// Counts what a sink got.
private actor ByteCounter {
    private(set) var count: Int64 = 0
    func add(_ more: Int) { count += Int64(more) }
}
