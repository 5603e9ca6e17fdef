import Crypto
import NIOCore
import SystemPackage

/// An asset's file, open to be read, and closed once nobody has it any more: an answer whose client is gone is dropped, and
/// its body is never asked for.
final class AssetReader: Sendable {
    private let descriptor: SystemPackage.FileDescriptor

    init(_ path: FilePath) throws {
        descriptor = try .open(path, .readOnly, options: .closeOnExec)
    }

    deinit {
        try? descriptor.close()
    }

    /// Up to so many bytes from where the last reading ended; fewer only at the file's end.
    func readPiece(_ count: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(count)
        while buffer.readableBytes < count {
            let left = count - buffer.readableBytes
            let read = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: left) {
                try descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: $0.prefix(left)))
            }
            if read == 0 { break }
        }
        return buffer
    }

    /// How many bytes the file has; to be asked before the first piece is read.
    var size: Int64 {
        get throws {
            let size = try descriptor.seek(offset: 0, from: .end)
            try descriptor.seek(offset: 0, from: .start)
            return size
        }
    }

    /// Whether a file is there, can be read to its end, and has this content.
    static func holds(_ sha256: [UInt8], _ path: FilePath) -> Bool {
        do {
            let reader = try AssetReader(path)
            var hash = SHA256()
            while true {
                let piece = try reader.readPiece(pieceSize)
                guard piece.readableBytes > 0 else { return Array(hash.finalize()) == sha256 }
                piece.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
            }
        } catch {
            // Missing, or on a part of the disk that cannot be read: either way it is not there.
            return false
        }
    }
}
