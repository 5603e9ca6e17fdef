import CFolderCalls
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A program that saves one file again and again, and knows exactly which bytes each save put an end to.
///
/// Whatever replaces the file in the meantime, what a save overwrites is read from the very inode that it overwrites
/// (in place), or comes out of the very step that replaced it (by rename). So every content has its descendants: one
/// that a save put an end to was in sight of that save; every other one must be found again.
final class Saver {
    enum Manner: String, CaseIterable { case inPlace, byRename, deleteAndCreate }

    private(set) var saved: Set<String> = []
    /// What a save, or a deletion before it, put an end to in this folder.
    private(set) var overwritten: Set<String> = []
    private let path: String
    private let outside: String
    private let manner: Manner
    private let name: String

    /// - Parameter outside: A directory on the same file system that is not synced.
    init(_ folder: RealFolder, _ file: String, _ manner: Manner, device: String, outside: URL) {
        path = folder.path + "/" + file
        self.outside = outside.path + "/\(device)-\(file.replacing("/", with: "-"))"
        self.manner = manner
        name = "\(device) \(file)"
    }

    /// Saves a content that never was before.
    func save() throws {
        var text = #"{"by": "\#(name) \#(saved.count + 1)"}"# + "\n"
        if !path.hasSuffix(".json") { text += String(repeating: "\(saved.count)\n", count: saved.count % 50) }
        switch manner {
        case .inPlace: try saveInPlace(text)
        case .byRename: try saveByRename(text)
        case .deleteAndCreate: try deleteAndCreate(text)
        }
    }

    private func saveInPlace(_ text: String) throws {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw POSIXError(.EIO) }
        defer { close(file) }
        let before = try bytes(of: file)
        guard ftruncate(file, 0) == 0 else { throw POSIXError(.EIO) }
        try write(text, to: file)
        saved.insert(text)
        overwritten.insert(before)
    }

    private func saveByRename(_ text: String) throws {
        try create(text, at: outside)
        if folder_exchange(AT_FDCWD, Self.terminated(outside), AT_FDCWD, Self.terminated(path)) == 0 {
            overwritten.insert(try String(contentsOfFile: outside, encoding: .utf8))
            unlink(outside)
        } else {
            guard folder_rename_new(AT_FDCWD, Self.terminated(outside), AT_FDCWD, Self.terminated(path)) == 0 else {
                return
            }
        }
        saved.insert(text)
    }

    private static func terminated(_ path: String) -> [UInt8] { Array(path.utf8) + [0] }

    private func deleteAndCreate(_ text: String) throws {
        if rename(path, outside) == 0 {
            overwritten.insert(try String(contentsOfFile: outside, encoding: .utf8))
            unlink(outside)
        }
        // The daemon may have brought the other's version in between: that one is not deleted unseen.
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { return }
        defer { close(file) }
        try write(text, to: file)
        saved.insert(text)
    }

    private func create(_ text: String, at path: String) throws {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw POSIXError(.EIO) }
        defer { close(file) }
        try write(text, to: file)
    }

    private func write(_ text: String, to file: Int32) throws {
        let bytes = Array(text.utf8)
        guard pwrite(file, bytes, bytes.count, 0) == bytes.count else { throw POSIXError(.EIO) }
    }

    private func bytes(of file: Int32) throws -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = pread(file, &buffer, buffer.count, 0)
        guard count >= 0, count < buffer.count else { throw POSIXError(.EIO) }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
