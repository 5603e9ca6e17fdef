import Foundation

extension RealFolder {
    /// Changes one line of `config.toml`, as a person does with an editor.
    func set(_ key: String, to value: String) throws {
        let file = url.appending(path: ".zonefolder/config.toml")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard lines.contains(where: { $0.hasPrefix("\(key) = ") }) else { throw TestFailure("no line '\(key) = '") }
        let text = lines.map { $0.hasPrefix("\(key) = ") ? "\(key) = \(value)" : $0 }.joined(separator: "\n")
        try Data(text.utf8).write(to: file)
    }

    /// What `status --json` tells, for what the tests look at.
    struct Report: Decodable, Sendable {
        struct Held: Decodable, Sendable {
            var path: String
            var code: String
            var message: String
            var remedy: String
            var line: Int?
        }

        struct Conflict: Decodable, Sendable {
            var path: String
            var copy: String
            var fields: [String]
        }

        struct Network: Decodable, Sendable {
            var isReachable: Bool
            var sinceMilliseconds: Int64?
            var cause: String?
            var nextTryMilliseconds: Int64?
        }

        var verdict: String
        var reason: String
        var network: Network?
        var held: [Held]
        var conflicts: [Conflict]
    }

    /// How its daemon says that the folder stands now.
    func report() async throws -> Report {
        let outcome = try await RealProgram.run("status", path, "--json")
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    }

    /// The lines of `events --json` of one kind.
    func events(_ kind: String) async throws -> [String] {
        try await RealProgram.run("events", path, "--json", "--last", "1000").output
            .split(separator: "\n").filter { $0.contains("\"kind\":\"\(kind)\"") }.map(String.init)
    }

    /// Its files without the conflict copies, which stay on their device.
    func sharedFiles() throws -> [String: Data] {
        try files().filter { !$0.key.contains(".conflict-") }
    }

    /// The names of its conflict copies, sorted.
    func copies() throws -> [String] {
        try files().keys.filter { $0.contains(".conflict-") }.sorted()
    }

    /// Every regular file of the folder, or of its state directory, by path: what tells that it was written to.
    func stamps(ofState: Bool) throws -> [String: FileTrace] {
        var traces: [String: FileTrace] = [:]
        for name in FileManager.default.enumerator(atPath: path) ?? .init() {
            guard let name = name as? String, name.hasPrefix(".zonefolder") == ofState else { continue }
            let attributes: [FileAttributeKey: Any]
            do {
                attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
                // It was on its way to another name.
                continue
            }
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            traces[name] = FileTrace(
                inode: attributes[.systemFileNumber] as? UInt64, size: attributes[.size] as? Int64,
                modified: attributes[.modificationDate] as? Date)
        }
        return traces
    }
}

/// What a file looks like to somebody who asks whether it was written to.
struct FileTrace: Hashable, Sendable {
    var inode: UInt64?
    var size: Int64?
    var modified: Date?
}
