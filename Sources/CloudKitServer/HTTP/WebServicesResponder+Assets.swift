import CloudKitWire
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import SystemPackage

extension WebServicesResponder {
    /// The content host's upload: raw bytes or a form of one part, streamed to disk. Each piece takes its sender's turn, so
    /// that many uploads of one keep no other waiting.
    ///
    /// - Parameter received: Counts the body's bytes.
    func receiveAsset(_ request: Request, _ received: inout Int) async throws -> Response {
        guard let upload = server.store.assetUpload(at: request.uri.string) else {
            return Answer.plain(403, "This upload URL is not valid, or older than 15 minutes.\n").response
        }
        let limit = server.configuration.largestAsset
        let length = request.headers[.contentLength].flatMap { Int64($0) }
        let contentType = request.headers[.contentType] ?? ""
        var form = MultipartReader(contentType: contentType)
        // A form has a head and a tail around the bytes.
        if let length, length > limit + (form == nil ? 0 : 65_536) { return Self.tooLarge(limit) }

        let (files, sender) = (server.files, TurnOwner(upload))
        let name = server.configuration.surroundings.uuid()
        let file = try await inTurn(sender) { try files.newFile(named: name) }
        var isKept = false
        defer { if !isKept { file.discard() } }
        var pending = ByteBuffer()
        var content: Int64 = 0
        for try await var chunk in request.body {
            received += chunk.readableBytes
            let before = pending.readableBytes
            if form == nil {
                pending.writeBuffer(&chunk)
            } else if let part = form?.read(chunk.readableBytesView) {
                pending.writeBytes(part)
            } else {
                return Answer.plain(400, "The body is not multipart/form-data.\n").response
            }
            content += Int64(pending.readableBytes - before)
            guard content <= limit else { return Self.tooLarge(limit) }
            if pending.readableBytes >= AssetReader.pieceSize {
                let piece = pending
                pending = ByteBuffer()
                try await inTurn(sender) { try file.write(piece) }
            }
        }
        guard length ?? Int64(received) == received, form?.isComplete ?? true else {
            return Answer.plain(400, "The body ended early.\n").response
        }
        let rest = pending
        let stored = try await inTurn(sender) {
            try file.write(rest)
            return try files.keep(file)
        }
        isKept = true
        return Answer.json(server.store.receive(upload, sha256: stored.sha256, size: stored.size)).response
    }

    /// Works with files once it is the owner's turn.
    private func inTurn<Outcome: Sendable>(
        _ owner: TurnOwner, _ body: @escaping @Sendable () throws -> Outcome
    ) async throws -> Outcome {
        try await server.uploadTurns.inTurn(owner) { try await server.filePool.runIfActive(body) }
    }

    /// The content host's download, by a signed link.
    func sendAsset(_ request: Request, over eventLoop: any EventLoop) async throws -> Response {
        let (store, files, url) = (server.store, server.files, request.uri.string)
        let opened = try await server.filePool.runIfActive { () -> OpenAsset? in
            guard let asset = try store.asset(at: url) else {
                return nil
            }
            let path = files.path(asset.sha256)
            let reader: AssetReader
            do {
                reader = try AssetReader(path)
                guard try reader.size == asset.size else { return .lost(path) }
            } catch Errno.noSuchFileOrDirectory {
                return .lost(path)
            }
            // Small ones need no further visit to this thread.
            guard asset.size > Int64(AssetReader.pieceSize) else {
                return .whole(try reader.readPiece(Int(asset.size)))
            }
            return .open(reader, size: asset.size)
        }
        var headers: HTTPFields = [:]
        headers[.contentType] = "application/octet-stream"
        switch opened {
        case nil: return Answer.plain(410, "This link is not valid, or too old: look the record up again.\n").response
        case .lost(let path):
            server.logger.error(
                "An asset's file is missing or damaged, and whoever asks for it is told so",
                metadata: ["file": "\(path)"])
            return Answer.plain(404, "The server has lost the bytes of this asset.\n").response
        case .whole(let bytes): return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
        case .open(let reader, let size):
            let pool = server.filePool
            let body = ResponseBody(contentLength: Int(size)) { writer in
                try await reader.send(Int(size), reading: pool, over: eventLoop) { try await writer.write($0) }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: headers, body: body)
        }
    }

    private static func tooLarge(_ limit: Int64) -> Response {
        Answer.plain(413, "The asset is larger than the limit of \(limit) bytes.\n").response
    }
}

private enum OpenAsset: Sendable {
    /// A record names it, and its file is not there, or of another size.
    case lost(FilePath)
    case whole(ByteBuffer)
    case open(AssetReader, size: Int64)
}

extension AssetFile {
    fileprivate func write(_ bytes: ByteBuffer) throws {
        try bytes.withUnsafeReadableBytes { try write($0) }
    }
}
