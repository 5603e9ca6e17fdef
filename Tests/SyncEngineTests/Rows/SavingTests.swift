import CloudKitClient
import CloudKitWire
import FolderControl
import StateStorage
import SyncModel
import SyncPlanning
import Testing

@testable import FolderObserving
@testable import FolderSettings
@testable import RecordTrees
@testable import SessionCore
@testable import SyncEngine

/// What a save starts from, and what its answer is good for (seeds 000, 001 and 003).
@Suite("Saving", .timeLimit(.minutes(30)))
struct SavingTests {
    @Test("A known record is saved with the tag of its stored system fields, a new one without; none by force (S0.28)")
    func tags() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<5 {
                try laptop.write(#"{"number": \#(number)}"#, to: "Note/\(number).json")
                try laptop.write("bytes \(number)", to: "\(number).bin")
            }
            try await laptop.sync()
            let created = laptop.network.takeBodies(of: "records/modify").joined()
            #expect(created.matches(of: /"operationType":"create"/).count == 10)
            #expect(!created.contains("recordChangeTag"))
            try laptop.write(#"{"number": 10}"#, to: "Note/0.json")
            try laptop.write("other bytes", to: "0.bin")
            try laptop.move("1.bin", to: "deep/1.bin")
            try laptop.move("Note/1.json", to: "Note/deep/1.json")
            try laptop.delete("Note/2.json")
            try laptop.restart()
            try await laptop.sync()
            let saved = laptop.network.takeBodies(of: "records/modify").joined()
            #expect(saved.matches(of: /"operationType":"update"/).count == 4, "\(saved)")
            #expect(saved.matches(of: /"operationType":"(delete|update)"/).count == 5, "\(saved)")
            #expect(saved.matches(of: /"recordChangeTag":"/).count == 5, "\(saved)")
            #expect(!saved.contains("force") && !saved.contains(#""replace""#), "\(saved)")
            try laptop.close()
        }
    }

    @Test("The answer to a save is what both sides agree on: nothing is fetched or looked up for it (S3.21)")
    func answer() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(#"{"number": 1}"#, to: "Note/a.json")
            try await laptop.sync()
            for number in 2...4 {
                _ = laptop.network.takeOperations()
                try laptop.write(#"{"number": \#(number)}"#, to: "Note/a.json")
                await laptop.session.lookLocally()
                #expect(laptop.network.takeOperations() == ["records/modify"])
            }
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("A save that was refused is in `status` and in the events until it goes through (S3.16, S4.9)")
    func refused() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try await laptop.sync()
            laptop.network.decide {
                FaultyNetwork.operation(of: $0) == "records/modify"
                    ? .answered(.refusal("QUOTA_EXCEEDED", status: 413)) : .delivered
            }
            try laptop.write(#"{"number": 1}"#, to: "Note/a.json")
            await laptop.settle()
            let held = try await laptop.report().held
            #expect(held.map(\.path) == ["Note/a.json"] && held.map(\.code) == ["quotaExceeded"])
            let failed = try await laptop.session.environment.store.events().filter { $0.kind == .export }
            guard case .error? = failed.last?.outcome else {
                Issue.record("\(failed)")
                return
            }
            laptop.network.decide { _ in .delivered }
            laptop.pass(.seconds(7200))
            try await laptop.sync()
            let report = try await laptop.report()
            #expect(report.held.isEmpty && report.verdict == .inSync)
            #expect(try await laptop.session.environment.store.events().last?.outcome == .success)
            try laptop.close()
        }
    }

    @Test("A JSON file over the limit of a record travels as an asset, whole (S4.4)")
    func large() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let text = #"{"text": "\#(String(repeating: "0123456789", count: 150_000))"}"#
            try laptop.write(text, to: "Note/large.json")
            try laptop.write(#"{"text": "small"}"#, to: "Note/small.json")
            try await converge(laptop, desk)
            #expect(desk.read("Note/large.json") == text)
            let remote = await laptop.session.trees.remote
            #expect(remote.values.map(\.recordType).sorted() == ["File", "Note"])
            try await expectInSync(
                laptop, desk, with: ["Note/large.json": text, "Note/small.json": #"{"text": "small"}"#])
        }
    }

    @Test(
        "While access is withdrawn there are no imports and exports, and edits wait; it goes on by itself (S1.5, S1.7)",
        arguments: [
            ("AUTHENTICATION_REQUIRED", 421, "noAccount"), ("ACCESS_DENIED", 403, "restricted"),
        ])
    func accessWithdrawn(code: String, status: Int, word: String) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("one", to: "a.txt")
            try await converge(laptop, desk)
            let before = try await laptop.session.environment.store.events().last?.id ?? 0
            laptop.network.decide { _ in .answered(.refusal(code, status: status)) }
            try laptop.write("two", to: "a.txt")
            try desk.write("other", to: "b.txt")
            try await desk.sync()
            for _ in 0..<5 {
                laptop.pass(.seconds(600))
                await laptop.settle()
            }
            let events = try await laptop.session.environment.store.events(after: before)
            #expect(events.map(\.kind) == [.setup], "\(events)")
            guard case .error(let given, let message)? = events.first?.outcome else {
                Issue.record("\(events)")
                return
            }
            #expect(given == word && !message.isEmpty)
            #expect(message.contains("the server refuses this folder's sign-in") == (word == "noAccount"))
            #expect(laptop.read("a.txt") == "two" && laptop.read("b.txt") == nil)
            laptop.network.decide { _ in .delivered }
            laptop.pass(.seconds(600))
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["a.txt": "two", "b.txt": "other"])
        }
    }

    @Test("Whose value stands is chosen per folder, and per type and field within it (S1.15)")
    func policies() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop") {
                $0.merge.types["Note"] = .local
                $0.merge.fields["Note"] = ["score": .max]
            }
            let desk = try world.device("desk")
            try laptop.write(#"{"title": "start", "score": 1}"#, to: "Note/a.json")
            try laptop.write(#"{"title": "start"}"#, to: "Todo/a.json")
            try await converge(laptop, desk)
            try laptop.write(#"{"title": "laptop", "score": 5}"#, to: "Note/a.json")
            try laptop.write(#"{"title": "laptop"}"#, to: "Todo/a.json")
            try desk.write(#"{"title": "desk", "score": 9}"#, to: "Note/a.json")
            try desk.write(#"{"title": "desk"}"#, to: "Todo/a.json")
            try await desk.sync()
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(device.read("Note/a.json") == #"{"title": "laptop", "score": 9}"#)
                #expect(device.read("Todo/a.json") == #"{"title": "desk"}"#)
                try device.close()
            }
        }
    }
}

extension FolderSession {
    /// One cycle that looks at the whole folder, as after a save that the watcher told of.
    fileprivate func lookLocally() async {
        looks.oweAll()
        await cycle()
    }
}
