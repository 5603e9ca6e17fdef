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
}
