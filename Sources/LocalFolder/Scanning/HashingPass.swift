package import Crypto
import Dispatch
package import SyncModel
import Synchronization
package import SystemPackage

/// Reads the files that changed, on two threads where there are many.
struct HashingPass: Sendable {
    let root: FolderRoot
    let now: Int64
    /// Files that never rest: they are told as they stood, and never as settled.
    let restless: Set<FolderPath>

    private static let parallelFrom = 64

    private enum Outcome: Sendable {
        case file(LocalFile)
        case changing(FolderPath)
        case unreadable(FolderPath, Errno)
    }

    func run(_ paths: [FolderPath], into result: inout ScanResult) {
        result.hashed += paths.count
        guard paths.count >= Self.parallelFrom else {
            var buffer = HashingBuffer()
            for path in paths { Self.put(look(at: path, &buffer), into: &result) }
            return
        }
        // Small pieces, taken in turn, so that one piece of large files does not leave the other thread idle.
        let pieces = stride(from: 0, to: paths.count, by: 32).map { $0..<min($0 + 32, paths.count) }
        let next = Mutex(0)
        let all = Mutex(result)
        result = ScanResult(rules: result.rules)
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            var buffer = HashingBuffer()
            while let piece = next.withLock({ next in
                defer { next += 1 }
                return next < pieces.count ? pieces[next] : nil
            }) {
                let outcomes = paths[piece].map { look(at: $0, &buffer) }
                all.withLock { result in
                    for outcome in outcomes { Self.put(outcome, into: &result) }
                }
            }
        }
        result = all.withLock { $0 }
    }

    private static func put(_ outcome: Outcome, into result: inout ScanResult) {
        switch outcome {
        case .file(let file): result.files.append(file)
        case .changing(let path): result.add(changing: path)
        case .unreadable(let path, let errno): result.add(unreadable: path, errno)
        }
    }

    private func look(at path: FolderPath, _ buffer: inout HashingBuffer) -> Outcome {
        do throws(Errno) {
            let file = try Descriptor.open(beneath: root.descriptor, path.terminated, .read)
            let before = try file.status()
            guard before.kind == .file else { return .changing(path) }
            if let hash = try buffer.hash(of: file, while: before.stamp) {
                return .file(
                    LocalFile(path: path, stamp: before.stamp, hash: hash, isSettled: before.stamp.isSettled(asOf: now))
                )
            }
            guard restless.contains(path) else { return .changing(path) }
            let again = try Descriptor.open(beneath: root.descriptor, path.terminated, .read)
            let hash = try buffer.hash(of: again, first: before.stamp.size)
            return .file(LocalFile(path: path, stamp: before.stamp, hash: hash, isSettled: false))
        } catch {
            switch error {
            case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .isDirectory,
                .noSuchAddressOrDevice:
                return .changing(path)
            default: return .unreadable(path, error)
            }
        }
    }
}

/// A buffer to read files through, used again for the next file.
package struct HashingBuffer: ~Copyable {
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 4096)

    deinit {
        buffer.deallocate()
    }

    /// A buffer of its own.
    package init() {}

    /// After so many bytes a file is asked whether it is still as it was: one that is always written to, such as the disk of
    /// a virtual machine, would be read for minutes to no end.
    static let stretch: Int64 = 16 << 20

    /// Reads a file that has a stamp from its beginning to its end; `nil` once it has another one.
    package mutating func hash(of file: borrowing Descriptor, while stamp: FileStamp) throws(Errno) -> ContentHash? {
        var hasher = SHA256()
        var size: Int64 = 0
        var isMore = true
        while isMore {
            isMore = try read(file, into: &hasher, &size, upTo: size + Self.stretch, expecting: stamp.size)
            guard try file.status().stamp == stamp else { return nil }
        }
        return size == stamp.size ? ContentHash(digest: hasher.finalize()) : nil
    }

    /// Reads a file from where it stands to its end.
    package mutating func hash(of file: borrowing Descriptor) throws(Errno) -> (ContentHash, size: Int64) {
        var hasher = SHA256()
        var size: Int64 = 0
        _ = try read(file, into: &hasher, &size, upTo: .max, expecting: .max)
        return (ContentHash(digest: hasher.finalize()), size)
    }

    /// Reads so many bytes of a file from where it stands, or to its end where it has fewer.
    package mutating func hash(of file: borrowing Descriptor, first limit: Int64) throws(Errno) -> ContentHash {
        var hasher = SHA256()
        var left = limit
        while left > 0 {
            let count = try file.read(
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(left, Int64(buffer.count)))]))
            guard count > 0 else { break }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            left -= Int64(count)
        }
        return ContentHash(digest: hasher.finalize())
    }

    /// - Parameter expected: The file's size by its stamp. There it ends as soon as less comes than was asked for.
    /// - Returns: Whether the limit came before the file's end.
    private func read(
        _ file: borrowing Descriptor, into hasher: inout SHA256, _ size: inout Int64, upTo limit: Int64,
        expecting expected: Int64
    ) throws(Errno) -> Bool {
        while size < limit {
            let count = try file.read(into: buffer)
            guard count > 0 else { return false }
            hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            size += Int64(count)
            if size >= expected, count < buffer.count { return false }
        }
        return true
    }
}

extension ContentHash {
    package init(digest: SHA256.Digest) {
        guard let hash = ContentHash(bytes: digest) else { preconditionFailure("a SHA-256 has 32 bytes") }
        self = hash
    }
}
