import Foundation
import SeededRandomness
import SyncModel
import SyncPlanning
import Testing

/// What holds of every plan, on trees that seeds make: a folder and a zone that agreed, and went apart.
@Suite("The laws of plans")
struct PlanLawTests {
    /// `ZONEFOLDER_PLAN_SEEDS` says how many, for long runs.
    private static let seeds =
        0..<(ProcessInfo.processInfo.environment["ZONEFOLDER_PLAN_SEEDS"].flatMap { UInt64($0) } ?? 2000)

    /// Plans and carries out until nothing is left to do.
    /// - Returns: After how many plans that was; `nil` where it never was.
    private static func settle(_ world: inout PlannedWorld) -> Int? {
        for round in 0...max(4 * world.paths.count, 1) {
            let plan = world.plan()
            if plan.actions.isEmpty, plan.awaitingApproval.isEmpty { return round }
            for action in plan.actions { world.carryOut(action) }
        }
        return nil
    }

    @Test("After at most four plans for each path nothing is left to do, and both sides are equal (invariant 9)")
    func termination() throws {
        for seed in Self.seeds {
            var world = RandomWorld(seed: seed).world
            try #require(Self.settle(&world) != nil, "seed \(seed)")
            #expect(world.folder == world.zone && world.agreed == world.zone, "seed \(seed)")
            world.lookAtAll()
            #expect(world.plan(passesOverAgreed: false).actions.isEmpty, "seed \(seed)")
        }
    }

    @Test("What either side wrote is in the folder at the end, whatever the other one deleted (invariants 1 and 7)")
    func editsOutlive() throws {
        for seed in Self.seeds {
            let random = RandomWorld(seed: seed)
            var world = random.world
            _ = Self.settle(&world)
            let lost = random.edits.subtracting(world.folder.values)
            #expect(lost.isEmpty, "seed \(seed): \(lost.map { $0.hex.prefix(2) })")
        }
    }

    @Test("A plan is the same when it is made again, of all or of what is not agreed, and after a start (invariant 11)")
    func planningTwice() {
        for seed in Self.seeds {
            var world = RandomWorld(seed: seed).world
            var random = SeededGenerator(seed: ~seed)
            // The first may ask a person.
            _ = world.plan()
            let plan = world.plan()
            #expect(world.plan().summary == plan.summary, "seed \(seed)")
            for passesOverAgreed in [false, true] {
                world.lookAtAll()
                #expect(world.plan(passesOverAgreed: passesOverAgreed).summary == plan.summary, "seed \(seed)")
            }
            world.restart(using: &random)
            #expect(world.plan().summary == plan.summary, "seed \(seed)")
        }
    }

    @Test("A start looks at what differs, and at nothing else")
    func startMarks() {
        var world = PlannedWorld()
        var random = SeededGenerator(seed: 1)
        let content = { (byte: UInt8) in ContentHash(bytes: repeatElement(byte, count: 32))! }
        for number in UInt8(1)...9 {
            let (path, name) = (FolderPath("\(number).txt")!, RecordName("\(number)"))
            world.putFile(content(number), at: path)
            world.saveRecord(name, content(number), path: path)
            world.agree(on: name, at: path)
        }
        world.restart(using: &random)
        #expect(world.marks.isEmpty)
        world.edit(FolderPath("3.txt")!, to: content(10))
        world.removeFile(FolderPath("4.txt")!)
        world.saveRecord(RecordName("5"), content(11))
        world.putFile(content(12), at: FolderPath("new.txt")!)
        world.restart(using: &random)
        #expect(world.marks == ["3", "3.txt", "4", "5", "5.txt", "new.txt"])
    }

    @Test("What does not touch the same paths and records ends alike in any order (invariant 10)")
    func anyOrder() {
        for seed in Self.seeds {
            var inOrder = RandomWorld(seed: seed).world
            var shuffled = inOrder
            var random = SeededGenerator(seed: ~seed)
            for action in inOrder.plan().actions { inOrder.carryOut(action) }
            for action in Self.shuffled(shuffled.plan().actions, using: &random) { shuffled.carryOut(action) }
            #expect(inOrder.folder == shuffled.folder && inOrder.zone == shuffled.zone, "seed \(seed)")
            _ = (Self.settle(&inOrder), Self.settle(&shuffled))
            #expect(inOrder.folder == shuffled.folder && inOrder.zone == shuffled.zone, "seed \(seed)")
        }
    }

    /// The actions in another order, in which those that have a path or a record in common keep theirs.
    private static func shuffled(_ actions: [Action], using random: inout SeededGenerator) -> [Action] {
        var rest = actions
        var result: [Action] = []
        while !rest.isEmpty {
            let free = rest.indices.filter { index in rest[..<index].allSatisfy { !$0.touches(rest[index]) } }
            result.append(rest.remove(at: free.randomElement(using: &random)!))
        }
        return result
    }
}

extension Plan {
    fileprivate var summary: [String] { actions.map(\.summary) + awaitingApproval.map(\.summary) }
}

extension Action {
    private var paths: Set<FolderPath> {
        if case .moveFile(let target) = kind { [path, target] } else { [path] }
    }

    fileprivate func touches(_ other: Action) -> Bool {
        !paths.isDisjoint(with: other.paths) || record != nil && record == other.record
    }
}
