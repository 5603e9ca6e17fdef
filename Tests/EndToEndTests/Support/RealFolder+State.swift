import Foundation

/// What lies in a folder's hidden directory.
extension RealFolder {
    /// Every file's path and bytes, without directories and without the state directory.
    func contents() throws -> [String: Data] {
        try files(below: "").filter { !$0.key.hasPrefix(".zonefolder/") }
    }

    /// What stands directly in a part of the state directory.
    func names(in part: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/.zonefolder/" + part)
    }

    /// What was kept of files that were replaced or deleted, by the path that they had; a path can come more than once.
    func history() throws -> [(path: String, bytes: Data)] {
        try files(below: "/.zonefolder/history").map { name, bytes in
            (name.split(separator: "/", maxSplits: 1).last.map(String.init) ?? "", bytes)
        }
    }

    private func files(below part: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        let top = path + part
        for case let name as String in FileManager.default.enumerator(atPath: top) ?? .init() {
            if part.isEmpty, name.hasPrefix(".zonefolder") { continue }
            // A directory has no contents; a file can be gone by now.
            if let bytes = try? Data(contentsOf: URL(filePath: top + "/" + name)) { files[name] = bytes }
        }
        return files
    }
}
