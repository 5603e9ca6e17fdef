import Testing

@testable import SyncSimulation

@Suite("Worlds")
struct SimulationTests {
    @Test("A workload is read back from its script", arguments: 0..<UInt64(20))
    func scripts(seed: UInt64) throws {
        let workload = Workload(seed: seed, devices: 3, steps: 100)
        #expect(try Workload(script: "# a remark\n\n" + workload.script) == workload)
    }

    @Test("A dense workload is short, of its devices alone, and read back from its script", arguments: 0..<UInt64(40))
    func denseWorkloads(seed: UInt64) throws {
        for devices in 1...3 {
            let workload = Workload(denseSeed: seed, devices: devices)
            #expect((7...15).contains(workload.events.count))
            #expect(workload.events.allSatisfy { $0.device < devices })
            #expect(workload == Workload(denseSeed: seed, devices: devices))
            #expect(try Workload(script: workload.script) == workload)
        }
    }

    @Test(
        "A calm workload is one of people alone and processes that end, and read back from its script",
        arguments: 0..<UInt64(20))
    func calmWorkloads(seed: UInt64) throws {
        let workload = Workload(calmSeed: seed, devices: 3, steps: 16)
        #expect(workload.events.count { !$0.act.isMishap } == 16 && workload.calmFrom == 0)
        #expect(
            workload.moments.allSatisfy { moment in
                moment.first?.act.isMishap == false
                    && moment.dropFirst().allSatisfy { $0.act.isMishap || $0.device == moment.first?.device }
            })
        #expect(workload.moments.flatMap(\.self) == workload.events)
        #expect(try Workload(script: workload.script) == workload)
    }

    @Test("A workload that becomes calm is so from the same event on when some of it is left out")
    func becomingCalm() throws {
        var workload = try Workload(
            script: "devices 2\n3 device0 +1 delete a\n5 device1 +1 delete b\ncalm\n6 device0 +1 delete c")
        #expect(workload.calmFrom == 6)
        for number in [3, 5, 6] {
            #expect(try Workload(script: workload.script).events == workload.events)
            #expect(workload.script.split(separator: "\n" as Character).count == workload.events.count + 2)
            workload.events.removeAll { $0.number == number }
        }
    }

    @Test("Where people never approve, the zone ends, and one person is left to answer", arguments: 0..<UInt64(20))
    func neverApproving(seed: UInt64) throws {
        for workload in [
            Workload(seed: seed, devices: 3, steps: 20), Workload(denseSeed: seed, devices: 2),
        ] {
            let changed = workload.withPeopleWhoNeverApprove
            let silent = changed.events.filter { $0.act == .neverApprove }.map(\.device)
            #expect(silent == Array(1..<workload.devices))
            #expect(changed.events.contains { if case .foreignEndZone = $0.act { true } else { false } })
            #expect(Set(changed.events.map(\.number)).count == changed.events.count)
            #expect(try Workload(script: changed.script) == changed)
            // What happens otherwise stays.
            #expect(changed.events.filter(workload.events.contains) == workload.events)
        }
    }

    @Test("A line that is no event is named")
    func brokenScript() throws {
        let error = try #require(throws: ScriptError.self) {
            try Workload(script: "devices 2\n0 device0 +1 kill\n1 device5 +1 kill")
        }
        #expect(error.line == 3)
    }

    @Test("What happens in an order that nothing decides, a seed decides")
    func executor() async {
        func order(_ seed: UInt64) -> [Int] {
            let executor = StepExecutor()
            let noted = Noted()
            for number in 0..<8 { Task(executorPreference: executor) { noted.numbers.append(number) } }
            var random = SeededRandom(seed: seed)
            while executor.step({ random.below($0) }) {}
            return noted.numbers
        }
        #expect(order(1) == order(1))
        #expect(order(1).sorted() == Array(0..<8))
        #expect(order(1) != order(2))
    }
}

/// Numbers in the order of their coming, all from one thread.
private final class Noted: @unchecked Sendable {
    var numbers: [Int] = []
}
