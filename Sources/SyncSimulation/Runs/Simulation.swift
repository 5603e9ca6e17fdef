/// Runs worlds.
public enum Simulation {
    /// What came of one.
    public struct Outcome: Sendable {
        /// The promise that was broken; `nil` where all were kept.
        public var violation: Violation?
        /// Equal for equal runs.
        public var hash: UInt64
        /// What happened, a line each; the last part of it where the run was long.
        public var lines: [String]
    }

    /// Runs a workload to its end, and on until the world is at rest.
    /// - Parameters:
    ///   - schedule: The seed of everything that the workload leaves open.
    ///   - keepingLines: How many of the last lines of the trace are kept; `nil`: all.
    ///   - checksPlans: Whether each plan of a device has to be the one that it would make after a start.
    public static func run(
        _ workload: Workload, schedule: UInt64, keepingLines: Int? = 200, checksPlans: Bool = false
    ) -> Outcome {
        do {
            let world = try World(
                devices: workload.devices, scheduleSeed: schedule, keepingLines: keepingLines, checksPlans: checksPlans)
            world.run(until: .seconds(5))
            let meeting = workload.events.prefix { $0.isMeeting(in: workload) }
            for event in meeting where world.violation == nil { world.takeUp(event) }
            if workload.calmFrom != nil, !meeting.isEmpty { world.becomeCalm() }
            for moment in workload.moments where world.violation == nil {
                guard world.takeUpAlone(moment) else { break }
            }
            if world.violation == nil { world.comeToRest() }
            let violation = world.violation
            world.end()
            return Outcome(violation: violation, hash: world.trace.hash, lines: world.trace.lines)
        } catch {
            return Outcome(
                violation: Violation(invariant: .termination, message: "The world cannot be made: \(error)"), hash: 0,
                lines: [])
        }
    }
}
