import Crypto
import Glibc
import SystemPackage

/// An asset's file in a data directory, to be read to its end and held against what the database has of it.
struct StoredAsset {
    let asset: NamedAsset
    private let file: FilePath
    /// Whether the disk is to be asked, and not the memory: what was written or read not long ago is there, too, and a disk
    /// that has lost it does not show.
    private let passesMemory: Bool

    init(_ asset: NamedAsset, in data: FilePath, passingMemory: Bool = false) {
        self.asset = asset
        file = data.appending(AssetCopier.name(of: asset.sha256))
        passesMemory = passingMemory
    }

    /// Memory to read by, for one asset after the other.
    static func withPiece<Answer>(_ body: (UnsafeMutableRawBufferPointer) throws -> Answer) rethrows -> Answer {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        return try body(piece)
    }

    /// - Parameters:
    ///   - piece: Of ``withPiece(_:)``.
    ///   - take: Is given all that can be read, in order.
    /// - Returns: Why the file is not what it should be; `nil` where it is. Only what `take` throws is thrown.
    func fault(
        by piece: UnsafeMutableRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws -> Void = { _ in }
    ) throws -> LostAsset.Reason? {
        let descriptor: FileDescriptor
        do {
            descriptor = try .open(file, .readOnly, options: .closeOnExec)
        } catch let error as Errno {
            return error == .noSuchFileOrDirectory ? .absent : .unreadable("\(error)")
        }
        forget(descriptor)
        defer {
            forget(descriptor)
            try? descriptor.close()
        }
        var hash = SHA256()
        var size: Int64 = 0
        while true {
            let count: Int
            do {
                count = try descriptor.read(into: piece)
            } catch let error as Errno {
                return .unreadable("\(error)")
            }
            guard count > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
            hash.update(bufferPointer: bytes)
            size += Int64(count)
            try take(bytes)
        }
        guard size == asset.size, hash.finalize().elementsEqual(asset.sha256) else {
            return size < asset.size ? .cutShort : .damaged
        }
        return nil
    }

    /// Only advice: what others use stays, and so it does where this is not understood.
    private func forget(_ descriptor: FileDescriptor) {
        if passesMemory { _ = posix_fadvise(descriptor.rawValue, 0, 0, POSIX_FADV_DONTNEED) }
    }
}
