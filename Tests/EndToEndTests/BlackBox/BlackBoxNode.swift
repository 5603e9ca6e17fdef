import CFolderCalls
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A folder that is read and written as a program would, each in one step of the file system.
struct BlackBoxNode {
    let folder: RealFolder
    let daemon: RunningProgram
    /// Beside the folder, on the same file system, and not synced.
    let outside: String

    func read(_ name: String) throws -> String? {
        let file = open(folder.path + "/" + name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw TestFailure("\(name) cannot be read: \(errno)") }
            return nil
        }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(file, &buffer, buffer.count)
        guard count >= 0 else { throw TestFailure("\(name) cannot be read: \(errno)") }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Writes a text, or deletes, and gives what the file held until that very step.
    func write(_ text: String?, to name: String) throws -> String? {
        let path = folder.path + "/" + name
        unlink(outside)
        guard let text else {
            guard rename(path, outside) == 0 else { return nil }
            return try String(contentsOfFile: outside, encoding: .utf8)
        }
        try Data(text.utf8).write(to: URL(filePath: outside))
        for _ in 0..<1000 {
            if folder_exchange(AT_FDCWD, Self.terminated(outside), AT_FDCWD, Self.terminated(path)) == 0 {
                return try String(contentsOfFile: outside, encoding: .utf8)
            }
            if folder_rename_new(AT_FDCWD, Self.terminated(outside), AT_FDCWD, Self.terminated(path)) == 0 {
                return nil
            }
        }
        throw TestFailure("\(path) cannot be written")
    }

    /// The texts of the conflict copies of a file.
    func copies(of name: String) throws -> Set<String> {
        let stem = name.prefix { $0 != "." }
        return Set(
            try folder.files().filter { $0.key.hasPrefix(stem + ".conflict-") }.map {
                String(decoding: $0.value, as: UTF8.self)
            })
    }

    private static func terminated(_ path: String) -> [UInt8] { Array(path.utf8) + [0] }
}
