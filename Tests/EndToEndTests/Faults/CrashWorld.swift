import Foundation

/// A server and two folders in sync, of which one is changed round by round, and a process is killed in each round.
struct CrashWorld {
    let world: RealWorld
    let laptop: RealFolder
    let desk: RealFolder
    private(set) var workload: CrashWorkload
    private let stranger: ForeignClient

    /// Brings both folders to the first round's end, and through a second one, so that every kind of thing is there.
    init() async throws {
        world = try await RealWorld()
        laptop = try await world.addFolder("laptop")
        desk = try await world.addFolder("desk")
        // Round after round deletes a few of few: together, within ten minutes, they would be a person's to allow.
        for folder in [laptop, desk] { try folder.set("deletion_limit", to: "100000") }
        stranger = try await ForeignClient(world)
        workload = try CrashWorkload(laptop)
        try await syncAll()
        try await change()
        try await syncAll()
    }

    /// Changes one of everything on the laptop. By default somebody else deletes, for that needs no waiting.
    mutating func change(deletingHere: Bool = false) async throws {
        let gone = try workload.next()
        if deletingHere { return try gone.forEach { try laptop.delete($0) } }
        let records = gone.map { $0.replacing(".json", with: "") }
        let operations = records.map { #"{"operationType":"forceDelete","record":{"recordName":"\#($0)"}}"# }
        try await stranger.post(
            "records/modify",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(operations.joined(separator: ","))]}"#)
    }

    /// One round that the desk receives with a fault in it, with what was found to be broken after that and after the next
    /// pass.
    /// - Parameters:
    ///   - act: What the desk meets on its pass, below its folder.
    ///   - number: At which call, from 1, of those whose line in the list begins with `step`.
    mutating func receive(
        _ act: FaultInjection.Act, at number: Int = 1, of step: String? = nil
    ) async throws -> (ending: RealProgram.Outcome, violations: [String]) {
        let before = try desk.contents()
        try await change()
        try await laptop.sync()
        let mark = try StateHonesty.changes(of: world)

        let ending = try await desk.pass(
            with: FaultInjection(below: desk.url, point: (number, act), step: step))
        var found = try CrashCheck.oldOrNew(desk, before: before, expected: workload.expected)
        found += try StateHonesty.violations(desk, against: world)
        let again = try await desk.pass()
        if again.status != 0 { found.append("the next pass says \(again.output) \(again.errors)") }
        found += try CrashCheck.settled(desk, before: before, expected: workload.expected, saved: workload.saved)
        found += try StateHonesty.violations(desk, against: world)
        if try StateHonesty.changes(of: world) != mark { found.append("something was sent") }
        try forgetHistory()
        return (ending, found)
    }

    /// One round that the laptop sends while a fault waits in the server, which is started again where it died of it.
    /// - Returns: Whether it was killed.
    mutating func send(through fault: FaultInjection) async throws -> Bool {
        try await change()
        _ = try await world.stopServer()
        // It can be killed before it listens.
        let isUp = (try? await world.startServer(with: fault)) != nil
        if !isUp { try await world.startServer() }
        let pass = try RunningProgram(arguments: ["sync", laptop.path])
        let wasKilled = try await world.untilServerDies { !pass.isRunning }
        if wasKilled { try await world.startServer() }
        guard try await pass.ended(within: .seconds(120)) != nil else { throw TestFailure("sync does not end") }
        guard isUp, !wasKilled else { return true }
        // Its last steps come when it is stopped.
        let status = try await world.stopServer()
        try await world.startServer()
        return status == -9
    }

    /// Lets both folders come to rest without faults; gives what is broken then.
    func settle() async throws -> [String] {
        var found: [String] = []
        for folder in [laptop, desk] {
            let again = try await folder.pass()
            if again.status != 0 { found.append("the next pass says \(again.output) \(again.errors)") }
            found += try CrashCheck.settled(
                folder, before: [:], expected: workload.expected, saved: workload.saved)
            found += try StateHonesty.violations(folder, against: world)
        }
        let living = try StateHonesty.living(in: world)
        if living != workload.records { found.append("the zone has \(living) records") }
        try forgetHistory()
        return found
    }

    func syncAll() async throws {
        try await laptop.sync()
        try await desk.sync()
    }

    /// Where one process lists its calls.
    var log: URL { world.place.appending(path: "calls") }

    /// The points of one worker, from the calls that were just listed.
    /// - Parameter count: Of all workers, where not every one is tried.
    func points(below directory: URL, worker: Int, count: Int) throws -> [CrashPoint] {
        let points = try CrashPoint.points(in: log, below: directory, count: count)
        return points.enumerated().filter { $0.offset % CrashTally.workers == worker }.map(\.element)
    }

    /// Begins each point with an empty history, so that a look at it stays short.
    func forgetHistory() throws {
        for folder in [laptop, desk] {
            for name in try folder.names(in: "history") { try folder.delete(".zonefolder/history/" + name) }
        }
    }
}
