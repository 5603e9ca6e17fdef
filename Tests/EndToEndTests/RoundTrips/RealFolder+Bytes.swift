import Foundation
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Files by the bytes of their names: Swift's strings take some different names for the same.
extension RealFolder {
    /// Every file's path and bytes, without the state directory.
    func fileBytes() throws -> [[UInt8]: [UInt8]] {
        var files: [[UInt8]: [UInt8]] = [:]
        try Self.walk(Array(path.utf8), below: [], into: &files)
        return files
    }

    func write(_ bytes: [UInt8], at name: [UInt8]) throws {
        let path = Array(self.path.utf8) + [UInt8(ascii: "/")] + name + [0]
        let descriptor = path.withUnsafeBytes {
            open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_WRONLY | O_TRUNC)
        }
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        let file = FileDescriptor(rawValue: descriptor)
        try file.closeAfter { _ = try file.writeAll(bytes) }
    }

    private static func walk(_ place: [UInt8], below: [UInt8], into files: inout [[UInt8]: [UInt8]]) throws {
        let slash = UInt8(ascii: "/")
        let stream = (place + [0]).withUnsafeBytes { opendir($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
        guard let stream else { throw Errno(rawValue: errno) }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if [".", "..", ".zonefolder"].contains(where: { name.elementsEqual($0.utf8) }) { continue }
            if entry.pointee.d_type == UInt8(DT_DIR) {
                try walk(place + [slash] + name, below: below + name + [slash], into: &files)
            } else {
                files[below + name] = try read(place + [slash] + name)
            }
        }
    }

    private static func read(_ path: [UInt8]) throws -> [UInt8] {
        let descriptor = (path + [0]).withUnsafeBytes {
            open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_RDONLY)
        }
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        let file = FileDescriptor(rawValue: descriptor)
        return try file.closeAfter {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
                if count == 0 { return bytes }
                bytes += piece[..<count]
            }
        }
    }

    /// Syncs once; fails the caller's test unless it ended as expected.
    func sync(expecting status: Int32 = 0) async throws {
        let outcome = try await RealProgram.run("sync", path)
        guard outcome.status == status else {
            throw TestFailure("sync ended with \(outcome.status): \(outcome.output)\(outcome.errors)")
        }
    }
}
