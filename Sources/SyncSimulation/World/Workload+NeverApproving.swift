extension Workload {
    /// The same workload in a world in which the zone ends, at least once, and the person of the first device alone answers for
    /// that: the other devices have to go on by themselves.
    public var withPeopleWhoNeverApprove: Workload {
        var workload = self
        var number = (events.map(\.number).max() ?? -1) + 1
        func event(on device: Int, _ timing: WorldEvent.Timing, _ act: Act) -> WorldEvent {
            defer { number += 1 }
            return WorldEvent(number: number, device: device, timing: timing, act: act)
        }
        let isEnded = events.contains { if case .foreignEndZone = $0.act { true } else { false } }
        if !isEnded {
            let ending = ZoneEnding.allCases[events.count % ZoneEnding.allCases.count]
            let middle = event(on: 0, .after(9000), .foreignEndZone(ending))
            workload.events.insert(middle, at: events.count / 2)
        }
        let people = (1..<max(devices, 1)).map { event(on: $0, .after(0), .neverApprove) }
        workload.events.insert(contentsOf: people, at: 0)
        return workload
    }
}
