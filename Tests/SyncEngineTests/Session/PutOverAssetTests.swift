import CloudKitClient
import CloudKitServer
import FolderControl
import SyncModel
import Synchronization
import Testing

/// Nothing in the bytes shows that a file was renamed over an equal one: the record that names it says so.
@Suite("A file put in the place of an attached one", .timeLimit(.minutes(30)))
struct PutOverAssetTests {
    private static let note = #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#
    private static let second = #"{"n": 2, "pic": {"$asset": "a.jpg"}}"#
    private static let files = ["Note/a.jpg": "a picture", "Note/n.json": note, "Note/b.jpg": "a picture"]

    /// What else becomes of the record that names the file, while a device is away.
    enum Beside: CaseIterable {
        case nothing, editedBefore, editedAfter, answerLost, putAgain
    }

    @Test(
        "A file renamed over an equal attached one stays where what names it is deleted meanwhile (invariant 6)",
        arguments: [nil, "another picture"])
    func renamedOverAndDeleted(next: String?) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: Self.files)
            try desk.move("Note/b.jpg", to: "Note/a.jpg")
            if let next { try desk.write(next, to: "Note/b.jpg") }
            try laptop.delete("Note/n.json")
            try laptop.delete("Note/a.jpg")
            try await laptop.sync()
            try await desk.sync()
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files().values.contains("a picture"))
                #expect(try await device.report().verdict == .inSync)
                try device.close()
            }
        }
    }

    @Test(
        "A file renamed over an equal attached one stays where another picture was put there meanwhile (invariant 6)",
        arguments: Beside.allCases)
    func renamedOverAndReplaced(beside: Beside) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: Self.files)
            try laptop.write("another picture", to: "Note/a.jpg")
            if beside == .putAgain {
                try desk.write("a picture", to: "Note/c.jpg")
                try await desk.sync()
            }
            // Whoever is away then has neither version.
            if beside == .editedBefore {
                try desk.write(Self.second, to: "Note/n.json")
                try await desk.sync()
            }
            if beside == .answerLost {
                desk.network.next(to: "records/modify", .answerLost)
            }
            try desk.move("Note/b.jpg", to: "Note/a.jpg")
            try await desk.sync()
            if beside == .putAgain {
                try desk.move("Note/c.jpg", to: "Note/a.jpg")
                try await desk.sync()
            }
            // What is said of the file is still said by the record's next version.
            if beside == .editedAfter {
                try desk.write(Self.second, to: "Note/n.json")
                try await desk.sync()
            }
            try await laptop.sync()
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(try device.files()["Note/a.jpg"] == "a picture")
                let isEdited = [.editedBefore, .editedAfter].contains(beside)
                #expect(try device.files()["Note/n.json"] == (isEdited ? Self.second : Self.note))
            }
            // A conflict copy waits for who made it.
            #expect(try laptop.files().values.contains("another picture"))
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test("Who put a file over an equal attached one, and another one over that, is in no conflict with a lost answer")
    func renamedOverByItself() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: Self.files)
            try desk.move("Note/b.jpg", to: "Note/a.jpg")
            // From the answer on, the desk hears nothing.
            let isCutOff = Mutex(false)
            desk.network.decide { request in
                isCutOff.withLock { isCutOff in
                    if isCutOff { return .lostOnTheWay }
                    isCutOff = FaultyNetwork.operation(of: request) == "records/modify"
                    return isCutOff ? .answerLost : .delivered
                }
            }
            await desk.look()
            #expect(isCutOff.withLock { $0 })
            try desk.write("another picture", to: "Note/a.jpg")
            await laptop.settle()
            try laptop.write(Self.second, to: "Note/n.json")
            try await laptop.sync()
            desk.network.decide { _ in .delivered }
            try await desk.sync()
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "another picture", "Note/n.json": Self.second])
        }
    }

    @Test("A file put over an equal attached one says nothing of the text that names it: that is merged")
    func textIsMerged() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: Self.files)
            try laptop.write(Self.second, to: "Note/n.json")
            try desk.move("Note/b.jpg", to: "Note/a.jpg")
            world.faults.add(FaultRule.html(503, on: "records/modify"))
            await desk.look()
            world.faults.removeAll()
            try desk.write("another picture", to: "Note/a.jpg")
            try await desk.sync()
            try await laptop.sync()
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "another picture", "Note/n.json": Self.second])
        }
    }

    @Test("An asset whose place another record's asset takes is itself at its new place, on who learns of both at once")
    func placeTaken() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note])
            try laptop.move("Note/a.jpg", to: "Note/b.jpg")
            let text = #"{"n": 1, "pic": {"$asset": "b.jpg"}}"#
            try laptop.write(text, to: "Note/n.json")
            try await laptop.sync()
            try laptop.write("another picture", to: "Note/a.jpg")
            // Its record comes first.
            try laptop.write(#"{"pic": {"$asset": "a.jpg"}}"#, to: "Note/m.json")
            try await laptop.sync()
            try await desk.sync()
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                let files = try device.files()
                #expect(files["Note/a.jpg"] == "another picture")
                #expect(files["Note/b.jpg"] == "a picture")
                #expect(files["Note/n.json"] == text)
                try device.close()
            }
        }
    }

    @Test("A file renamed over an equal attached one is copied where another picture comes there (invariant 6)")
    func receivedOverRenamed() async throws {
        try await EngineWorld.run { world in
            let files = ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/b.jpg": "a picture"]
            let (laptop, desk) = try await world.pair(with: files)
            try laptop.write("another picture", to: "Note/a.jpg")
            try await laptop.sync()
            try desk.move("Note/b.jpg", to: "Note/a.jpg")
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(try desk.files()["Note/a.jpg"] == "another picture")
            #expect(try desk.files().values.contains("a picture"))
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test("A copy of an attached file, whose place another one took, stays where the note brings one (invariant 6)")
    func receivedOverCopy() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note])
            try laptop.write("a third", to: "Note/b.jpg")
            try laptop.write(#"{"pic": {"$asset": "b.jpg"}}"#, to: "Note/n.json")
            try await laptop.sync()
            try desk.write("a picture", to: "Note/b.jpg")
            try desk.write("another picture", to: "Note/a.jpg")
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(Set(try desk.files().values).isSuperset(of: ["a picture", "another picture", "a third"]))
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test("A picture that went over to another note is no version of the one that its own note brings (invariant 6)")
    func receivedOverAnothersNow() async throws {
        try await EngineWorld.run { world in
            func note(_ picture: String) -> String { #"{"pic": {"$asset": "\#(picture)"}}"# }
            let (laptop, desk) = try await world.pair(with: [
                "Note/b.jpg": "a picture", "Note/d.jpg": "an old one", "Note/m.json": note("d.jpg"),
                "Note/n.json": note("b.jpg"),
            ])
            try laptop.move("Note/b.jpg", to: "Note/d.jpg")
            try laptop.write("another picture", to: "Note/a.jpg")
            try laptop.write(note("a.jpg"), to: "Note/n.json")
            try await laptop.sync()
            try desk.move("Note/d.jpg", to: "Note/a.jpg")
            try desk.write(note("a.jpg"), to: "Note/m.json")
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(Set(try desk.files().values).isSuperset(of: ["a picture", "another picture"]))
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test(
        "A file that came to where another device attaches another one is copied if a new text names it (invariant 6)",
        arguments: [true, false])
    func receivedOverNamedAnew(isRenamed: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note])
            try laptop.write("another picture", to: "Note/b.jpg")
            try laptop.write(#"{"n": 1, "pic": {"$asset": "b.jpg"}}"#, to: "Note/n.json")
            try laptop.delete("Note/a.jpg")
            try await laptop.sync()
            if isRenamed {
                try desk.move("Note/a.jpg", to: "Note/b.jpg")
            } else {
                try desk.write("a picture", to: "Note/b.jpg")
            }
            try desk.write(#"{"pic": {"$asset": "b.jpg"}}"#, to: "Note/m.json")
            try await desk.sync()
            try await converge(laptop, desk)
            #expect(try desk.files().values.contains("a picture"))
            #expect(try desk.files().values.contains("another picture"))
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test("An attached file that is taken out and renamed over an equal one outlives that one's deletion (invariant 6)")
    func assetRenamedOver() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: Self.files)
            try desk.move("Note/a.jpg", to: "Note/b.jpg")
            try desk.write(#"{"n": 1}"#, to: "Note/n.json")
            try await desk.sync()
            // Of the two files that the laptop still has, its person deletes the one.
            try laptop.delete("Note/b.jpg")
            try await laptop.sync()
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/b.jpg": "a picture", "Note/n.json": #"{"n": 1}"#])
        }
    }

    @Test("A file put where an asset was that has a record now is no edit of the one put back there (invariant 6)")
    func putBackAndTakenOut() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note])
            try laptop.move("Note/a.jpg", to: "Note/b.jpg")
            try await converge(laptop, desk)
            try laptop.write("another picture", to: "Note/a.jpg")
            try desk.move("Note/b.jpg", to: "Note/a.jpg")
            try await desk.sync()
            try desk.write(#"{"n": 1}"#, to: "Note/n.json")
            try await desk.sync()
            try await converge(laptop, desk)
            for device in [laptop, desk] { #expect(try device.files()["Note/a.jpg"] == "a picture") }
            #expect(try laptop.files().values.contains("another picture"))
            for device in [laptop, desk] { try device.close() }
        }
    }
}
