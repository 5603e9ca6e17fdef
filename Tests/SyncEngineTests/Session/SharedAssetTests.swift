import CloudKitClient
import CloudKitWire
import SyncModel
import Testing

/// One file that several records have, at a time or one after the other.
@Suite("A file that belongs to more than one record", .timeLimit(.minutes(30)))
struct SharedAssetTests {
    private static let note = #"{"n": 1, "pic": {"$asset": "a.jpg"}}"#
    private static let other = #"{"pic": {"$asset": "a.jpg"}}"#

    @Test(
        "What arrives with one record is no edit of another one, unless who changed it leaves that to us (invariant 12)",
        arguments: [true, false])
    func arrivesWithOne(isLeftToUs: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
            _ = laptop.takeChanges()
            try await desk.foreignAttach("another picture", to: "Note/n")
            await laptop.look()
            #expect(try laptop.files()["Note/a.jpg"] == "another picture")
            #expect(!laptop.takeChanges().contains("records/modify"))
            if !isLeftToUs {
                try await desk.foreignAttach("another picture", to: "Note/m")
            }
            try await laptop.sync()
            #expect(laptop.takeChanges().contains("records/modify") == isLeftToUs)
            try await converge(desk, laptop)
            try await expectInSync(
                laptop, desk,
                with: ["Note/a.jpg": "another picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
        }
    }

    /// The desk moves two notes and their one picture to another folder, as the laptop does not know yet.
    private static func movedTogether(in world: EngineWorld) async throws -> (laptop: EngineDevice, desk: EngineDevice)
    {
        let (laptop, desk) = try await world.pair(
            with: ["Note/a.jpg": "a picture", "Note/n.json": note, "Note/m.json": other])
        for name in ["a.jpg", "n.json", "m.json"] { try desk.move("Note/\(name)", to: "Note/k/\(name)") }
        try await desk.sync()
        return (laptop, desk)
    }

    @Test("Two notes with one picture go elsewhere, and one lets it go: at the old place nobody has it then")
    func leftTogether() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.movedTogether(in: world)
            try desk.write(#"{"n": 1}"#, to: "Note/k/n.json")
            try await desk.sync()
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: ["Note/k/a.jpg": "a picture", "Note/k/n.json": #"{"n": 1}"#, "Note/k/m.json": Self.other])
        }
    }

    @Test("A new file where two notes that moved had their picture needs no copy of that one (invariant 22)")
    func madeAnewWhereItWas() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await Self.movedTogether(in: world)
            try desk.write("another picture", to: "Note/a.jpg")
            try await desk.sync()
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: [
                    "Note/a.jpg": "another picture", "Note/k/a.jpg": "a picture", "Note/k/n.json": Self.note,
                    "Note/k/m.json": Self.other,
                ])
        }
    }

    @Test("What arrives with one record is no edit of another one that comes to name it with it (invariant 12)")
    func arrivesTogether() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/m.json": "{}"])
            try desk.write(Self.other, to: "Note/m.json")
            try await desk.sync()
            try await desk.foreignAttach("another picture", to: "Note/n")
            _ = laptop.takeChanges()
            // It waits for whoever did so: longer than files need to settle.
            await laptop.settle()
            #expect(try laptop.files()["Note/a.jpg"] == "another picture")
            #expect(try laptop.files()["Note/m.json"] == Self.other)
            #expect(!laptop.takeChanges().contains("records/modify"))
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk,
                with: ["Note/a.jpg": "another picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
        }
    }

    @Test("What arrived with one record gives way to what comes with another one, without a copy (invariant 22)")
    func arrivesAgain() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
            for (names, picture) in [(["Note/n"], "a second"), (["Note/m", "Note/n"], "a third")] {
                for name in names { try await desk.foreignAttach(picture, to: name) }
                await laptop.look()
            }
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk, with: ["Note/a.jpg": "a third", "Note/n.json": Self.note, "Note/m.json": Self.other])
        }
    }

    @Test(
        "What arrived with one record is no edit of another one, once the first has it no more (invariant 6)",
        arguments: [true, false])
    func arrivesAndIsGoneThere(isOtherEdited: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
            try await desk.foreignAttach("another picture", to: "Note/n")
            await laptop.look()
            #expect(try laptop.files()["Note/a.jpg"] == "another picture")

            try await desk.foreignSave(["n": Field(.int64(1))], of: "Note/n", as: .forceReplace)
            if isOtherEdited {
                try await desk.foreignSave(["title": Field(.string("new"))], of: "Note/m", as: .forceUpdate)
            }
            _ = laptop.takeChanges()
            await laptop.look()
            #expect(try laptop.files()["Note/a.jpg"] == "a picture")
            await laptop.settle()
            #expect(!laptop.takeChanges().contains("records/modify"))
            try await converge(desk, laptop)
            let other = isOtherEdited ? #"{"pic": {"$asset": "a.jpg"}, "title": "new"}"# : Self.other
            let files = ["Note/a.jpg": "a picture", "Note/n.json": #"{"n": 1}"#, "Note/m.json": other]
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("What arrives with one record again and again leaves no copy, while the other one is not sent (invariant 22)")
    func arrivesTwice() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
            for picture in ["a second", "a third"] {
                try await desk.foreignAttach(picture, to: "Note/n")
                await laptop.look()
                #expect(try laptop.files()["Note/a.jpg"] == picture)
            }
            try await converge(laptop, desk)
            try await expectInSync(
                laptop, desk, with: ["Note/a.jpg": "a third", "Note/n.json": Self.note, "Note/m.json": Self.other])
        }
    }

    @Test("What arrived with a record that leaves it stays where a person put it into one more text (invariant 6)")
    func arrivesAndIsNamedHere() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
            try await desk.foreignAttach("another picture", to: "Note/n")
            await laptop.look()
            try laptop.write(Self.other, to: "Note/q.json")
            try await desk.foreignSave(["n": Field(.int64(1))], of: "Note/n", as: .forceReplace)
            await laptop.look()
            try await converge(laptop, desk)
            var files = ["Note/a.jpg": "another picture", "Note/n.json": #"{"n": 1}"#]
            for note in ["m", "q"] { files["Note/\(note).json"] = Self.other }
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test(
        "What arrived with one record is the other one's at once when a person takes it out of the first, or deletes that",
        arguments: [#"{"n": 1}"#, nil])
    func arrivesAndIsTakenOut(next: String?) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
            try await desk.foreignAttach("another picture", to: "Note/n")
            await laptop.look()
            if let next {
                try laptop.write(next, to: "Note/n.json")
                _ = laptop.takeChanges()
                // Nobody else is waited for, and at no time are the bytes in neither of the two.
                await laptop.look()
                #expect(laptop.takeChanges().count { $0 == "records/modify" } == 1)
            } else {
                try laptop.delete("Note/n.json")
                try await laptop.sync()
            }
            let phone = try world.device("phone")
            try await phone.sync()
            var files = ["Note/a.jpg": "another picture", "Note/m.json": Self.other]
            files["Note/n.json"] = next
            try await converge(laptop, desk)
            try await expectInSync(phone, laptop, desk, with: files)
        }
    }

    @Test("What comes with two records at once to one path is all there then, if need be in a copy (invariant 6)")
    func rivals() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(
                with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note, "Note/m.json": Self.other])
            try await desk.foreignAttach("a second", to: "Note/n")
            try await desk.foreignAttach("a third", to: "Note/m")
            try await laptop.sync()
            #expect(Set(try laptop.files().values).isSuperset(of: ["a second", "a third"]))
            for device in [laptop, desk] { try device.close() }
        }
    }

    @Test(
        "A file that a record lets go gives way to a new one at its path, without a copy (invariant 22)",
        arguments: [#"{"n": 1, "pic": {"$asset": "b.jpg"}}"#, #"{"n": 1}"#, nil])
    func letGo(next: String?) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note])
            try laptop.move("Note/a.jpg", to: "Note/b.jpg")
            if let next { try laptop.write(next, to: "Note/n.json") } else { try laptop.delete("Note/n.json") }
            try await laptop.sync()
            try laptop.write("another picture", to: "Note/a.jpg")
            try await laptop.sync()
            try await desk.sync()
            try await converge(laptop, desk)
            var files = ["Note/a.jpg": "another picture", "Note/b.jpg": "a picture"]
            files["Note/n.json"] = next
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("What a person writes to a file while a record lets it go is an edit of the file that it is then")
    func letGoAndEdited() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["Note/a.jpg": "a picture", "Note/n.json": Self.note])
            try laptop.write(#"{"n": 1}"#, to: "Note/n.json")
            try await laptop.sync()
            try desk.write("another picture", to: "Note/a.jpg")
            try await desk.sync()
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["Note/a.jpg": "another picture", "Note/n.json": #"{"n": 1}"#])
        }
    }
}
