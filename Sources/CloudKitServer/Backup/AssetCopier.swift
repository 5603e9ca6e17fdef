import Glibc
import SystemPackage

/// Copies assets out of a server's data, and sees that each is what its name says.
///
/// It writes bytes anew, and neither links files nor lets them share blocks (`link`, FICLONE, and copy_file_range where a
/// file system clones for it): although an asset's file is never written in place, what a disk makes of its blocks would
/// befall the backup, too. All bytes pass through here, so that their SHA-256 is told on the way: what is damaged comes into
/// no backup, and takes no whole copy's place.
///
/// A batch of files is written under `uploads/` and its writing begun, then each is synced, and then each gets its name: one
/// after the other, each would have to wait for the disk's journal by itself.
struct AssetCopier {
    /// The server's data directory.
    let source: FilePath
    /// Where they are copied to.
    let files: AssetFiles
    /// Is told how many were looked at by now, and of how many bytes.
    let observe: (BackupStep) throws -> Void

    private static let batchCount = 64
    private static let batchBytes: Int64 = 64 << 20

    /// An asset's file in a data directory.
    static func name(of sha256: [UInt8]) -> String {
        let name = hex(sha256)
        return "assets/\(name.prefix(2))/\(name)"
    }

    /// What is there already, by SHA-256, with its size.
    func present() throws -> [[UInt8]: Int64] {
        var present: [[UInt8]: Int64] = [:]
        for folder in try files.folders() {
            for asset in try files.assets(in: folder) {
                guard let status = try BackupPlace.status(of: files.path(asset)) else { continue }
                present[asset] = Int64(status.st_size)
            }
        }
        return present
    }

    /// Copies assets to where they stay; their names are durable only after ``syncFolders()``.
    /// - Returns: Which of them the server does not have whole, and why.
    func copy(_ assets: [NamedAsset]) throws -> [[UInt8]: LostAsset.Reason] {
        try StoredAsset.withPiece { piece in try copy(assets, by: piece) }
    }

    private func copy(
        _ assets: [NamedAsset], by piece: UnsafeMutableRawBufferPointer
    ) throws -> [[UInt8]: LostAsset.Reason] {
        var lost: [[UInt8]: LostAsset.Reason] = [:]
        var (done, doneBytes) = (0, Int64(0))
        var (batch, batchBytes): ([CopiedAsset], Int64) = ([], 0)
        for asset in assets {
            let copy = CopiedAsset(of: asset.sha256, beside: files)
            if let reason = try write(asset, to: copy, by: piece) {
                lost[asset.sha256] = reason
            } else {
                batch.append(copy)
                batchBytes += asset.size
            }
            if batch.count == Self.batchCount || batchBytes >= Self.batchBytes {
                try keep(batch)
                (batch, batchBytes) = ([], 0)
            }
            done += 1
            doneBytes += asset.size
            try observe(.assetsCopied(assets: done, bytes: doneBytes))
        }
        try keep(batch)
        return lost
    }

    /// Makes the names of all that is there durable.
    func syncFolders() throws {
        for folder in try files.folders() { try AssetFiles.sync(folder) }
        try AssetFiles.sync(files.directory)
    }

    /// Removes what is named no more. What cannot be removed does no harm, and the next backup tries again.
    /// - Returns: Those that are gone.
    func remove(_ assets: [[UInt8]]) -> [[UInt8]] {
        assets.filter { unlink(files.path($0).string) == 0 }
    }

    /// - Returns: Why the server's file is not what it should be; `nil` where it is. What goes wrong with the copy is thrown.
    private func write(
        _ asset: NamedAsset, to copy: CopiedAsset, by piece: UnsafeMutableRawBufferPointer
    ) throws -> LostAsset.Reason? {
        try copy.open()
        if let reason = try StoredAsset(asset, in: source).fault(by: piece, copy.write) {
            copy.discard()
            return reason
        }
        copy.startWriting()
        return nil
    }

    private func keep(_ batch: [CopiedAsset]) throws {
        for copy in batch { try copy.sync() }
        for copy in batch {
            try AssetFiles.makeDirectory(copy.target.removingLastComponent())
            try copy.putInPlace()
        }
    }
}
