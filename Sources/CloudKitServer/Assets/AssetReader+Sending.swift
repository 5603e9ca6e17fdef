import NIOCore
import NIOPosix

extension AssetReader {
    /// Bytes of an asset that are handled at a time. A connection whose client does not read holds fewer than three of these,
    /// with TLS not much more: what fills its buffer, which was less than full before, and the piece that waits for room.
    static let pieceSize = 1 << 17

    /// Gives so many bytes to a connection, piece by piece, and reads none before the connection has looked at the one
    /// before.
    ///
    /// To write to a connection is to leave a piece with its event loop, and waits only once that has found the client slow.
    /// Who did not wait for the loop would read a file as fast as the disk gives it, while the loop is busy with others.
    /// - Parameter write: Writes to the connection, and waits while that is full.
    func send(
        _ size: Int, reading pool: NIOThreadPool, over eventLoop: any EventLoop,
        write: (ByteBuffer) async throws -> Void
    ) async throws {
        var left = size
        while left > 0 {
            let count = min(left, Self.pieceSize)
            let piece = try await pool.runIfActive { try self.readPiece(count) }
            guard piece.readableBytes > 0 else { throw ConnectionCut() }
            left -= piece.readableBytes
            try await write(piece)
            // An event loop does what it is given in order: the piece first, and then this.
            try await eventLoop.submit {}.get()
        }
    }
}
