import CloudKitClient
import CloudKitWire
import FolderControl
import SyncModel
import Testing

@testable import FolderKnowledge
@testable import RecordTrees
@testable import SyncEngine
@testable import WireCoding

/// A hold ends when its cause does, whoever removed it (reliability §4.28).
@Suite("What waits for another record", .timeLimit(.minutes(30)))
struct AwaitedRecordTests {
    @Test("What refers to a file that is held says so, and goes with it in one request once that is mended")
    func heldTarget() async throws {
        try await EngineWorld.run { world in
            let witness = ReferenceWitness(world.transport)
            let laptop = try world.device("laptop", over: witness)
            // A picture that it names is not there.
            try laptop.write(#"{"picture": {"$asset": "none.png"}}"#, to: "Note/target.json")
            try laptop.write(ReferringNote.text("Note/target.json"), to: "Note/a.json")
            try laptop.write(ReferringNote.text("Note/a.json"), to: "Note/b.json")
            try await laptop.sync()
            let held = try await laptop.report().held.filter { $0.path != "Note/target.json" }
            #expect(held.map(\.path) == ["Note/a.json", "Note/b.json"])
            #expect(Set(held.map(\.code)) == ["referenceRefused"])
            #expect(
                held.first?.message == #"Note/a.json: "next" refers to Note/target.json, which is not in the zone."#)
            // Nobody was asked what is known.
            #expect(witness.takeRequests() == 0)
            try laptop.write(ReferringNote.text(nil), to: "Note/target.json")
            await laptop.settle()
            #expect(witness.takeRequests() == 1)
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    /// A device with a new file that the server takes in so many seconds, and one that refers to it.
    private static func waiting(
        for seconds: Double, in world: EngineWorld
    ) async throws -> (laptop: EngineDevice, witness: ReferenceWitness) {
        let witness = ReferenceWitness(world.transport)
        let laptop = try world.device("laptop", over: witness)
        var busy = ErrorDictionary(.zoneBusy, reason: "later")
        busy.retryAfter = seconds
        let answer = RecordsResponse(records: [.failure(busy)]).encoded()
        laptop.network.next(to: "records/modify", .answered(TransportResponse(status: 200, body: answer)))
        try laptop.write(ReferringNote.text(nil), to: "Note/target.json")
        await laptop.settle()
        try laptop.write(ReferringNote.text("Note/target.json"), to: "Note/a.json")
        await laptop.settle()
        return (laptop, witness)
    }

    @Test("What waits for a record that the server is yet to take is pending, and follows at once when it has it")
    func waitingTarget() async throws {
        try await EngineWorld.run { world in
            let (laptop, witness) = try await Self.waiting(for: 30, in: world)
            #expect(try await laptop.report().verdict == .pending)
            #expect(try await laptop.report().held.isEmpty)
            // The wait is up to a tenth longer than what was asked for.
            laptop.pass(.seconds(34))
            await laptop.settle()
            #expect(witness.tooEarly == [])
            let report = try await laptop.report()
            #expect(report.verdict == .inSync, "\(report)")
            try laptop.close()
        }
    }

    @Test("Files that came to wait for each other one after the other go together")
    func circle() async throws {
        try await EngineWorld.run { world in
            // Sooner than the one that waits for it would be tried again by itself.
            let (laptop, witness) = try await Self.waiting(for: 10, in: world)
            try laptop.write(ReferringNote.text("Note/a.json"), to: "Note/target.json")
            await laptop.settle()
            laptop.pass(.seconds(12))
            await laptop.settle()
            let report = try await laptop.report()
            #expect(report.verdict == .inSync, "\(report)")
            #expect(witness.references(of: "Note/a") == ["Note/target"])
            #expect(witness.references(of: "Note/target") == ["Note/a"])
            try laptop.close()
        }
    }

    @Test("A record that comes from the zone lets go at once what was refused for want of it, however often that was")
    func arrives() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            let text = #"{"to": {"$ref": {"recordName": "Note/x"}, "action": "VALIDATE"}}"#
            try laptop.write(text, to: "Note/a.json")
            for _ in 0..<8 {
                laptop.pass(.seconds(4000))
                await laptop.settle()
            }
            let held = try #require(try await laptop.report().held.first)
            #expect(
                held.message.hasPrefix(#"Note/a.json: "to" refers to the record 'Note/x', which is not in the zone. ("#)
            )
            try desk.write(ReferringNote.text(nil), to: "Note/x.json")
            try await desk.sync()
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try await laptop.report().records == 2)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("A file whose target goes before it is sent waits for it to come back")
    func targetGoes() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            // A picture that it names is not there.
            try laptop.write(#"{"picture": {"$asset": "none.png"}}"#, to: "Note/target.json")
            try laptop.write(ReferringNote.text("Note/target.json"), to: "Note/a.json")
            await laptop.settle()
            try laptop.delete("Note/target.json")
            for _ in 0..<3 {
                // Less than until all files are read anew.
                laptop.pass(.seconds(300))
                await laptop.settle()
            }
            #expect(try await laptop.report().held.map(\.path) == ["Note/a.json"])
            try laptop.write(ReferringNote.text(nil), to: "Note/target.json")
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }

    @Test("A file whose target others delete before it is sent follows at once when it is there again")
    func targetIsDeleted() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/target.json": ReferringNote.text(nil)])
            var busy = ErrorDictionary(.zoneBusy, reason: "later")
            busy.retryAfter = 30
            let answer = RecordsResponse(records: [.failure(busy)]).encoded()
            laptop.network.next(to: "records/modify", .answered(TransportResponse(status: 200, body: answer)))
            try laptop.write(ReferringNote.text("Note/target.json"), to: "Note/a.json")
            await laptop.settle()
            try desk.delete("Note/target.json")
            try await desk.sync()
            laptop.pass(.seconds(34))
            await laptop.settle()
            #expect(try laptop.files().keys.sorted() == ["Note/a.json"])
            #expect(try await laptop.report().held.map(\.code) == ["referenceRefused"])
            try laptop.write(ReferringNote.text(nil), to: "Note/target.json")
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test("A file whose target went since it was read is known to lack one once it is to be sent")
    func targetWentSinceItWasRead() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(ReferringNote.text("Note/target.json"), to: "Note/a.json")
            await laptop.settle()
            let file = FolderPath("Note/a.json")!
            #expect(await laptop.session.lackingTarget == [file])
            try await laptop.session.takeForFit(file)
            #expect(await laptop.session.lackingTarget == [])
            try await laptop.session.act()
            #expect(await laptop.session.lackingTarget == [file])
            try laptop.close()
        }
    }

    @Test(
        "A deletion that another record forbids names its file, and goes through as soon as that lets go",
        arguments: [true, false])
    func deletionRefused(isDeleted: Bool) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.write(ReferringNote.text(nil), to: "Note/target.json")
            try laptop.write(ReferringNote.text("Note/target.json"), to: "Note/a.json")
            try laptop.write("other", to: "other.txt")
            await laptop.settle()
            try laptop.delete("Note/target.json")
            for _ in 0..<8 {
                laptop.pass(.seconds(4000))
                await laptop.settle()
            }
            let held = try #require(try await laptop.report().held.first)
            #expect(
                held.message.hasPrefix(
                    "Note/target.json is deleted here, but its record stays in the zone, since Note/a.json refers to it. ("
                ))
            if isDeleted {
                try laptop.delete("Note/a.json")
            } else {
                try laptop.write(ReferringNote.text(nil), to: "Note/a.json")
            }
            await laptop.settle()
            #expect(try await laptop.report().verdict == .inSync)
            #expect(try await laptop.report().records == (isDeleted ? 1 : 2))
            try laptop.close()
        }
    }
}

extension FolderSession {
    fileprivate var lackingTarget: Set<FolderPath> { knowledge.lackingTarget }

    /// As if its target had been there when it was read.
    fileprivate func takeForFit(_ path: FolderPath) throws {
        var entry = try #require(trees.local[path])
        entry.form = .structured(recordType: "Note", attachments: [])
        _ = try knowledge.take([entry], removals: [])
    }
}
