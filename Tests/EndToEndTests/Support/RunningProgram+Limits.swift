import Foundation
import Glibc

extension RunningProgram {
    /// The numbers of the files and connections that it has open.
    var descriptors: Set<Int> {
        get throws {
            Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").compactMap { Int($0) })
        }
    }

    /// Leaves it so many descriptors besides those that are in use now: a limit is one on their numbers.
    func leaveDescriptors(_ count: Int) async throws {
        let used = try descriptors
        var limit = 0
        var free = 0
        while true {
            if !used.contains(limit) { free += 1 }
            if free > count { break }
            limit += 1
        }
        try await setLimit(ofDescriptors: limit)
    }

    /// Only the soft limit, which can be raised again.
    func setLimit(ofDescriptors count: Int) async throws {
        let process = try RunningProgram(
            arguments: ["--pid", "\(pid)", "--nofile=\(count):"], executable: URL(filePath: "/usr/bin/prlimit"))
        guard try await process.ended(within: .seconds(60)) == 0 else {
            throw TestFailure("the limit of process \(pid) cannot be set: \(process.errors)")
        }
    }

    /// The time that it has computed until now.
    var computed: Duration {
        get throws {
            let line = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
            // After the name, which may hold spaces: the state is field 3, the ticks of user and system are 14 and 15.
            let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
            guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else {
                throw TestFailure("/proc/\(pid)/stat is not understood")
            }
            return .milliseconds((user + system) * 1000 / sysconf(Int32(_SC_CLK_TCK)))
        }
    }
}
