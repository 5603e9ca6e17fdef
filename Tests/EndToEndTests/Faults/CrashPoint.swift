import Foundation

/// One step of a process at which it is to be killed.
struct CrashPoint: Sendable, CustomStringConvertible {
    /// Of the call, from 1.
    var number: Int
    var act: FaultInjection.Act
    /// The call and its path, as the counting run listed them.
    var step: String

    var description: String { "\(act) at \(number), \(step)" }

    /// `ZONEFOLDER_CRASH_POINTS=all` tries every one.
    static let triesAll = ProcessInfo.processInfo.environment["ZONEFOLDER_CRASH_POINTS"] == "all"

    /// The points that a list of calls has: before each call, and in the middle of each write.
    ///
    /// Unless all are tried, about so many: half of them from one of each kind of step, and half from all, both evenly
    /// spaced. The steps of the database look alike, and what lies between two of its transactions counts most.
    static func points(in log: URL, below directory: URL, count: Int) throws -> [CrashPoint] {
        let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
        var points: [CrashPoint] = []
        for (index, line) in lines.enumerated() {
            let step = String(line).replacing(directory.resolvingSymlinksInPath().path, with: "")
            points.append(CrashPoint(number: index + 1, act: .kill, step: step))
            if step.hasPrefix("write ") || step.hasPrefix("pwrite ") {
                points.append(CrashPoint(number: index + 1, act: .half, step: step))
            }
        }
        guard !triesAll, points.count > count else { return points }
        var kinds: Set<String> = []
        let firsts = points.indices.filter { kinds.insert("\(points[$0].act) \(kind(of: points[$0].step))").inserted }
        let chosen = Set(spaced(firsts, count / 2) + spaced(Array(points.indices), count / 2))
        return chosen.sorted().map { points[$0] }
    }

    private static func spaced(_ indices: [Int], _ count: Int) -> [Int] {
        guard indices.count > count else { return indices }
        return (0..<count).map { indices[$0 * indices.count / count] }
    }

    /// Steps are of one kind where they differ in numbers, or in names that are made up.
    private static func kind(of step: String) -> String {
        let parts = step.split(separator: "/", omittingEmptySubsequences: false)
        return parts.enumerated().map { index, part in
            index > 0 && parts[index - 1] == "staging" ? "*" : String(part.filter { !$0.isNumber })
        }.joined(separator: "/")
    }
}

/// What came of the points that were tried.
struct CrashTally: Sendable, CustomStringConvertible {
    var tried = 0
    /// Where the process was killed indeed: a run can have a call less than the one that was counted.
    var killed = 0
    var violations: [String] = []

    mutating func add(_ point: CrashPoint, wasKilled: Bool, _ found: [String]) {
        tried += 1
        if wasKilled { killed += 1 }
        violations += found.map { "\(point): \($0)" }
    }

    static func + (one: CrashTally, other: CrashTally) -> CrashTally {
        CrashTally(
            tried: one.tried + other.tried, killed: one.killed + other.killed,
            violations: one.violations + other.violations)
    }

    var description: String { "\(tried) points tried, \(killed) killed, \(violations.count) violations" }

    /// Tries points with two workers, each in a world of its own.
    static func collect(
        _ work: @escaping @Sendable (_ worker: Int) async throws -> CrashTally
    ) async throws -> CrashTally {
        try await withThrowingTaskGroup(of: CrashTally.self) { group in
            for worker in 0..<workers { group.addTask { try await work(worker) } }
            return try await group.reduce(CrashTally(), +)
        }
    }

    static let workers = 2
}
