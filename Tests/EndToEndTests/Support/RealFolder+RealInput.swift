import Foundation

#if canImport(Glibc)
    import Glibc
#endif

extension RealFolder {
    /// Something that `status` names as held.
    struct Held: Decodable, Sendable {
        var path: String
        var code: String
        var message: String
    }

    /// What waits for a person, by the daemon's own word.
    func held() async throws -> [Held] { try await lists().held }

    /// What is synced as a plain file because no record can hold it, by the daemon's own word.
    func unfit() async throws -> [Held] { try await lists().unfit }

    private struct Lists: Decodable { var held, unfit: [Held] }

    private func lists() async throws -> Lists {
        let outcome = try await RealProgram.run("status", path, "--json")
        guard let lists = try? JSONDecoder().decode(Lists.self, from: Data(outcome.output.utf8)) else {
            throw TestFailure("no report: \(outcome.output)\(outcome.errors)")
        }
        return lists
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Moves a file or a folder as `mv` does, into a folder that is made where it is missing.
    func move(_ old: String, to new: String) throws {
        let target = url.appending(path: new)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard rename(path + "/" + old, target.path) == 0 else { throw TestFailure("\(old) cannot be moved: \(errno)") }
    }

    /// Every file's inode, without the state directory; what vanishes meanwhile is left out.
    func inodes() throws -> [String: UInt64] {
        var inodes: [String: UInt64] = [:]
        var folders = [""]
        while let folder = folders.popLast() {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? [] {
                let inner = folder.isEmpty ? name : folder + "/" + name
                guard inner != ".zonefolder",
                    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + inner)
                else { continue }
                if attributes[.type] as? FileAttributeType == .typeDirectory {
                    folders.append(inner)
                } else if let inode = attributes[.systemFileNumber] as? NSNumber {
                    inodes[inner] = inode.uint64Value
                } else {
                    throw TestFailure("\(inner) has no inode")
                }
            }
        }
        return inodes
    }

    /// Waits until exactly these files are there, whatever they hold.
    func untilNames(_ names: Set<String>, within limit: Duration) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            let now = Set(try inodes().keys)
            if now == names { return }
            guard ContinuousClock.now < deadline else {
                throw TestFailure(
                    "\(url.lastPathComponent): missing \(names.subtracting(now).sorted().prefix(3)), "
                        + "too much \(now.subtracting(names).sorted().prefix(3))")
            }
            // A look at a thousand files takes its time from those who are at work on them.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// What the folder has too much, too little or otherwise than given; `nil` where it holds exactly these files.
    ///
    /// Cheap as long as their number is not right, so that it can be asked again and again.
    func firstDifference(from expected: [String: [UInt8]]) throws -> String? {
        let names = Set(try inodes().keys)
        guard names.count == expected.count else {
            let missing = expected.keys.filter { !names.contains($0) }.sorted().prefix(3)
            let extra = names.filter { expected[$0] == nil }.sorted().prefix(3)
            return "\(names.count) files instead of \(expected.count); missing \(missing), too much \(extra)"
        }
        for (name, bytes) in expected {
            guard let found = FileManager.default.contents(atPath: path + "/" + name) else {
                return "\(name) is missing"
            }
            guard found.elementsEqual(bytes) else { return "\(name) has other bytes" }
        }
        return nil
    }
}

extension RunningProgram {
    /// The most memory that the process had at a time (VmHWM).
    var peakMemoryMegabytes: Int {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { $0 / 1024 } ?? 0
    }
}

extension Duration {
    /// In seconds, to the hundredth.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds / 10_000_000_000_000_000) / 100
    }
}
