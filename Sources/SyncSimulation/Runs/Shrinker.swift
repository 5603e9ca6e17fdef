/// Makes a failing workload shorter.
public struct Shrinker {
    /// The seed of what the workload leaves open.
    public var schedule: UInt64
    /// How often it may be run.
    public var runs: Int

    public init(schedule: UInt64, runs: Int = 400) {
        self.schedule = schedule
        self.runs = runs
    }

    /// The shortest workload found that breaks the same promise: no single event of it can be left out, if there were runs
    /// enough to find that out.
    public func shrink(_ workload: Workload, breaking invariant: Violation.Invariant) -> Workload {
        var best = workload
        var runsLeft = runs
        func breaks(_ candidate: Workload) -> Bool {
            guard runsLeft > 0 else { return false }
            runsLeft -= 1
            return Simulation.run(candidate, schedule: schedule).violation?.invariant == invariant
        }
        var size = max(1, best.events.count / 2)
        while runsLeft > 0 {
            var isShorter = false
            var start = 0
            while start < best.events.count, runsLeft > 0 {
                var candidate = best
                candidate.events.removeSubrange(start..<min(start + size, best.events.count))
                if breaks(candidate) {
                    best = candidate
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size > 1 { size /= 2 } else if !isShorter { break }
        }
        return best
    }
}
