import CloudKitClient
import CloudKitWire
import HTTPTypes
import Testing

private let stored = #"""
    { "singleFile": { "fileChecksum": "AX4c", "size": 5, "receipt": "A0d", "wrappingKey": "lx8F==",
                      "referenceChecksum": "AaXi" } }
    """#

/// Collects what a download brings.
private actor Sink {
    private(set) var pieces: [[UInt8]] = []
    func take(_ piece: [UInt8]) { pieces.append(piece) }
}

@Suite("Assets (protocol §3.10)")
struct AssetTests {
    @Test("An upload goes to the content host without credentials and brings the whole dictionary")
    func upload() async throws {
        let transport = ScriptedTransport(.json(stored))
        let source = ByteSource(bytes: Array("hello".utf8))
        let asset = try await database(transport).uploadAsset(source, to: "http://cdn/up?tk=1")
        let expected = Asset(
            fileChecksum: "AX4c", size: 5, receipt: "A0d", wrappingKey: "lx8F==", referenceChecksum: "AaXi")
        #expect(asset == expected)
        #expect(transport.requests[0].url == "http://cdn/up?tk=1")
        #expect(transport.requests[0].lane == .content)
        #expect(transport.requests[0].bodyLength == 5)
    }

    @Test(
        "An upload without a receipt, or of which another number of bytes was stored, is no upload",
        arguments: [
            #"{ "singleFile": { "fileChecksum": "AX4c", "size": 5 } }"#,
            #"{ "singleFile": { "fileChecksum": "AX4c", "size": 4, "receipt": "A0d" } }"#,
        ])
    func badUpload(answer: String) async {
        let error = await failure { () throws(CloudKitError) in
            try await database(ScriptedTransport(.json(answer)))
                .uploadAsset(ByteSource(bytes: Array("hello".utf8)), to: "http://cdn/up")
        }
        #expect(error?.code == .unexpectedAnswer)
    }

    @Test("A URL for each token, or an error")
    func uploadURLs() async throws {
        let token = AssetToken(recordType: "File", recordName: "a", fieldName: "content")
        let good = ScriptedTransport(
            .json(#"{ "tokens": [ { "recordName": "a", "fieldName": "content", "url": "https://cdn/up" } ] }"#))
        let urls = try await database(good).assetUploadURLs(for: [token], in: folder).map(\.url)
        #expect(urls == ["https://cdn/up"])
        let bad = ScriptedTransport(.json(#"{ "tokens": [ { "recordName": "a", "fieldName": "content" } ] }"#))
        let error = await failure { () throws(CloudKitError) in
            try await database(bad).assetUploadURLs(for: [token], in: folder)
        }
        #expect(error?.code == .unexpectedAnswer)
    }

    @Test("What a server that is asked with TLS names without it is not asked: no asset and no push goes in the open")
    func plainAddresses() async throws {
        let transport = ScriptedTransport(.json(stored), .json(stored), .json("{}"))
        var address = testAddress
        address.baseURL = "https://server.example"
        let secure = database(transport, address: address)
        let errors = [
            await failure { () throws(CloudKitError) in
                try await secure.uploadAsset(ByteSource(bytes: Array("hello".utf8)), to: "http://cdn/up?tk=1")
            },
            await failure { () throws(CloudKitError) in
                try await secure.downloadAsset(from: "HTTP://cdn/B/${f}?e=1", fileName: "a", into: { _ in })
            },
            await failure { () throws(CloudKitError) in try await secure.pollCourier("http://cdn/aps?tok=1") },
        ]
        for error in errors {
            #expect(error?.code == .transport(.untrusted))
            #expect(error?.message.contains("(http://cdn)") == true)
        }
        #expect(transport.requests.isEmpty)
        _ = try await secure.uploadAsset(ByteSource(bytes: Array("hello".utf8)), to: "https://cdn/up?tk=1")
    }

    @Test("A download comes in pieces, from a URL with the file's name in it")
    func download() async throws {
        let transport = ScriptedTransport(.json("hello world"))
        let sink = Sink()
        let count = try await database(transport).downloadAsset(
            from: "http://cdn/B/${f}?e=1", fileName: "a b", into: { await sink.take($0) })
        #expect(count == 11)
        #expect(await sink.pieces.flatMap(\.self) == Array("hello world".utf8))
        #expect(await sink.pieces.count > 1)
        #expect(transport.requests[0].url == "http://cdn/B/a%20b?e=1")
        #expect(transport.requests[0].lane == .content)
    }

    @Test("Another try for an asset goes over a connection of its own, and past caches")
    func freshDownload() async throws {
        let transport = ScriptedTransport(.json("hello world"))
        try await database(transport).downloadAsset(
            from: "http://cdn/B/${f}?e=1", fileName: "a", overFreshConnection: true, into: { _ in })
        #expect(transport.requests[0].lane == .freshContent)
        #expect(transport.requests[0].headers[.cacheControl] == "no-cache")
    }

    @Test("A sink that fails is an error")
    func brokenDownload() async {
        struct DiskFull: Error {}
        let transport = ScriptedTransport(.json("hello"))
        let full = await failure { () throws(CloudKitError) in
            try await database(transport)
                .downloadAsset(from: "http://cdn", fileName: "a", into: { _ in throw DiskFull() })
        }
        #expect(full?.code == .transport(.sinkFailed))
    }

    @Test(
        "The content host's errors are no CloudKit JSON",
        arguments: [(410, ErrorReaction.lookUpAndMerge), (503, .retry(after: nil, pausing: .item))])
    func contentErrors(status: Int, reaction: ErrorReaction) async {
        let transport = ScriptedTransport(.json("<Error>Expired</Error>", status: status))
        let error = await failure { () throws(CloudKitError) in
            try await database(transport).downloadAsset(from: "http://cdn", fileName: "a", into: { _ in })
        }
        #expect(error?.code == .http)
        #expect(error?.reaction() == reaction)
    }

    @Test("Rereferenced assets come in order, each with its own error")
    func rereference() async throws {
        let transport = ScriptedTransport(
            .json(
                #"""
                { "assets": [ { "fileChecksum": "AX4c", "size": 5, "receipt": "A0d" },
                              { "recordName": "b", "serverErrorCode": "NOT_FOUND" } ] }
                """#))
        let results = try await database(transport).rereferenceAssets(
            [.init(recordName: "a", fieldName: "content"), .init(recordName: "b", fieldName: "content")], in: folder)
        guard case .success(let asset) = results[0], case .failure(let error) = results[1] else {
            Issue.record("\(results)")
            return
        }
        #expect(asset.receipt == "A0d")
        #expect(error.reaction(of: .assetsRereference) == .lookUpAndMerge)
    }
}
