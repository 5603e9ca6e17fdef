import CloudKitClient
import CloudKitServer
import CloudKitWire
import FolderControl
import Foundation
import SeededRandomness
import StateStorage
import Testing

@testable import FolderSettings
@testable import WireCoding

/// Parents first, whatever they are called (S4.19; reliability §6, "children refused before their parents").
@Suite("Records that refer to each other", .timeLimit(.minutes(30)))
struct ReferenceTests {
    /// How the names of what is referred to stand to those of what refers to it.
    enum Names: CaseIterable {
        case targetsFirst, targetsLast, mixed

        func numbers(_ count: Int) -> [Int] {
            switch self {
            case .targetsFirst: return Array(0..<count)
            case .targetsLast: return (0..<count).reversed()
            case .mixed:
                var random = SeededGenerator(seed: 19)
                return (0..<count).shuffled(using: &random)
            }
        }
    }

    private static func path(_ number: Int) -> String { "Note/n\(1_000_000 + number).json" }

    @Test("A chain of 1,000 goes in one pass, in as few requests as it fits into", arguments: Names.allCases)
    func chain(names: Names) async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let laptop = try world.device("laptop", over: witness)
            let numbers = names.numbers(1000)
            for (place, number) in numbers.enumerated() {
                // One that is only sent after its target shows the order as well as one that is refused before it.
                let action = place.isMultiple(of: 7) ? "VALIDATE" : "DELETE_SELF"
                let target = place == 0 ? nil : Self.path(numbers[place - 1])
                try laptop.write(ReferringNote.text(target, action: action), to: Self.path(number))
            }
            await laptop.settle()
            #expect(witness.tooEarly == [])
            #expect(witness.takeRequests() <= 1000 / 200 + 3)
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try await laptop.report().records == 1000)
            try laptop.close()
        }
    }

    @Test("A tree of 3 levels with 500 each goes in one pass, and goes away in one", arguments: Names.allCases)
    func tree(names: Names) async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let laptop = try world.device("laptop", over: witness) {
                $0.deletionLimit = 100_000
            }
            let numbers = names.numbers(1500)
            for (place, number) in numbers.enumerated() {
                // Not all parents have the same number of children.
                let parent = place < 500 ? nil : numbers[(place / 500 - 1) * 500 + place % 500 / 3]
                try laptop.write(ReferringNote.text(parent.map(Self.path)), to: Self.path(number))
            }
            await laptop.settle()
            #expect(witness.tooEarly == [])
            #expect(witness.takeRequests() <= 1500 / 200 + 3)
            #expect(try await laptop.report().verdict == .inSync)

            for number in numbers.dropFirst() { try laptop.delete(Self.path(number)) }
            await laptop.settle()
            #expect(witness.tooEarly == [])
            #expect(witness.takeRequests() <= 1500 / 200 + 3)
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try await laptop.report().records == 1)
            try laptop.close()
        }
    }

    @Test("The order holds where the server takes no request of that many records")
    func split() async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let laptop = try world.device("laptop", over: witness)
            laptop.network.decide { request in
                guard FaultyNetwork.operation(of: request) == "records/modify", case .bytes(let body) = request.body,
                    let asked = try? RecordsModifyRequest.decode(body), asked.operations.count > 30
                else { return .delivered }
                return .answered(TransportResponse(status: 413, body: []))
            }
            for number in 0..<250 {
                try laptop.write(ReferringNote.text(number == 249 ? nil : Self.path(number + 1)), to: Self.path(number))
            }
            await laptop.settle()
            #expect(witness.tooEarly == [])
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("What refers to what an unanswered request holds waits until it is known what became of it")
    func unanswered() async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let laptop = try world.device("laptop", over: witness)
            for number in 0..<450 {
                try laptop.write(ReferringNote.text(number == 449 ? nil : Self.path(number + 1)), to: Self.path(number))
            }
            laptop.network.next(to: "records/modify", .lostSomewhere)
            await laptop.settle()
            #expect(witness.tooEarly == [])
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    /// Files that need each other, by their paths.
    static let circles: [[String: String]] = [
        ["Note/a.json": ReferringNote.text("Note/a.json")],
        ["Note/a.json": ReferringNote.text("Note/b.json"), "Note/b.json": ReferringNote.text("Note/a.json")],
        [
            "Note/a.json": ReferringNote.text("Note/b.json", action: "DELETE_SELF"),
            "Note/b.json": ReferringNote.text("Note/a.json"),
        ],
        [
            "Note/a.json": #"{"next": {"$ref": "Note/b.json", "action": "VALIDATE"}, "all": [{"$ref": "Note/c.json", "#
                + #""action": "VALIDATE"}, {"$ref": "Note/a.json", "action": "VALIDATE"}]}"#,
            "Note/b.json": ReferringNote.text("Note/c.json"), "Note/c.json": ReferringNote.text("Note/a.json"),
            "Note/d.json": ReferringNote.text("Note/a.json"),
        ],
    ]

    @Test("A circle goes in two requests, and nobody sees another text in the end", arguments: circles)
    func circle(files: [String: String]) async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let (laptop, desk) = (try world.device("laptop", over: witness), try world.device("desk", over: witness))
            for (path, text) in files { try laptop.write(text, to: path) }
            await laptop.settle()
            #expect(witness.takeRequests() == 2)
            #expect(witness.tooEarly == [])
            #expect(try await laptop.report().verdict == .inSync)
            for name in files.keys { #expect(witness.references(of: String(name.dropLast(5)))?.isEmpty == false) }
            try await converge(laptop, desk)
            #expect(witness.takeRequests() == 0)
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test(
        "Killed between the two saves of a circle, or before the first answer, a start ends as without it",
        arguments: 1...2)
    func killed(at save: Int) async throws {
        let files = Self.circles[1]
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (path, text) in files { try laptop.write(text, to: path) }
            try await laptop.syncUntilKilled(at: "records/modify")
            #expect(laptop.transport.isDead)
            if save == 2 {
                // The zone has the first save alone; another device sees what is there.
                try await desk.sync()
                #expect(desk.files() == ["Note/a.json", "Note/b.json"])
                try await laptop.syncUntilKilled(at: "records/modify")
            }
            for device in [laptop, desk] {
                #expect(try await device.sync().verdict == .inSync)
                #expect(device.files() == Set(files.keys))
                for (path, text) in files { #expect(device.read(path) == text) }
            }
        }
    }

    @Test(
        "Files that need each other are deleted together: one lets go first, in a save that a crash does not undo",
        arguments: [false, true])
    func deletedCircle(isKilled: Bool) async throws {
        let files = Self.circles[3]
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for (path, text) in files { try laptop.write(text, to: path) }
            try laptop.write("other", to: "other.txt")
            #expect(try await laptop.sync().verdict == .inSync)
            try await desk.sync()
            for path in files.keys { try laptop.delete(path) }
            if isKilled {
                try await laptop.syncUntilKilled(at: "records/modify")
                #expect(laptop.transport.isDead)
            }
            for device in [laptop, desk] {
                #expect(try await device.sync().verdict == .inSync)
                #expect(device.files() == ["other.txt"])
            }
        }
    }

    @Test("A reference to a new file is to its own record, also where another one has the name that its path spells")
    func takenName() async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let laptop = try world.device("laptop", over: witness)
            try laptop.write(ReferringNote.text(nil), to: "Note/target.json")
            await laptop.settle()
            try laptop.move("Note/target.json", to: "Note/moved.json")
            await laptop.settle()
            try laptop.write(ReferringNote.text(nil), to: "Note/target.json")
            try laptop.write(ReferringNote.text("Note/target.json"), to: "Note/a.json")
            await laptop.settle()
            let named = try #require(witness.references(of: "Note/a")?.first)
            #expect(named.hasPrefix("Note/target~"))
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }
}
