import SyncEngine
import Testing

/// A file is moved, and saved by a program that writes a new one over the old name, before the zone knows of the move.
///
/// Nothing of the file that the record had is there then: neither the path, nor the file's number, nor its bytes.
@Suite("A file that was moved and then replaced is its record's (S3.20)", .timeLimit(.minutes(30)))
struct MovedThenReplacedTests {
    /// Two devices that agree on files; the laptop moves some while it sends nothing, and looks at its folder.
    private static func moved(
        _ files: [String: String], restarts: Bool, _ move: @Sendable (EngineDevice) throws -> Void,
        then replace: @Sendable (EngineDevice) throws -> Void,
        meanwhile: @Sendable (EngineDevice) async throws -> Void = { _ in },
        _ body: @Sendable (EngineDevice, EngineDevice) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: files)
            _ = try await laptop.session.pause(for: nil)
            try move(laptop)
            await laptop.look()
            if restarts { try laptop.restart() }
            try replace(laptop)
            await laptop.look()
            try await meanwhile(desk)
            _ = laptop.network.takeBodies(of: "records/modify")
            _ = try await laptop.session.resume()
            try await converge(laptop, desk)
            try await body(laptop, desk)
        }
    }

    private static func replace(_ name: String, with text: String) -> @Sendable (EngineDevice) throws -> Void {
        {
            try $0.write(text, to: ".zonefolder/new")
            try $0.move(".zonefolder/new", to: name)
        }
    }

    private static func note(_ title: String, _ rank: Int) -> String {
        "{\n  \"title\": \"\(title)\",\n  \"rank\": \(rank)\n}\n"
    }

    @Test("What another device edited is merged with it, under its new name", arguments: [false, true])
    func merged(restarts: Bool) async throws {
        try await Self.moved(
            ["Note/n.json": Self.note("x", 1)], restarts: restarts,
            { try $0.move("Note/n.json", to: "Note/trip/paris.json") },
            then: Self.replace("Note/trip/paris.json", with: Self.note("Paris", 1)),
            meanwhile: {
                try $0.write(Self.note("x", 2), to: "Note/n.json")
                try await $0.sync()
            }
        ) { laptop, desk in
            try await expectInSync(laptop, desk, with: ["Note/trip/paris.json": Self.note("Paris", 2)])
        }
    }

    @Test("A file that is no note keeps its record, and its history", arguments: [false, true])
    func plain(restarts: Bool) async throws {
        try await Self.moved(
            ["docs/a.txt": "one"], restarts: restarts, { try $0.move("docs/a.txt", to: "docs/b.txt") },
            then: Self.replace("docs/b.txt", with: "one, and more")
        ) { laptop, desk in
            let bodies = laptop.network.takeBodies(of: "records/modify")
            #expect(!bodies.contains { $0.contains(#""create""#) || $0.contains(#""delete""#) })
            try await expectInSync(laptop, desk, with: ["docs/b.txt": "one, and more"])
        }
    }

    @Test("Of one that is moved twice, and of one that comes back, only the last place counts")
    func movedAgain() async throws {
        try await Self.moved(
            ["a.txt": "one", "b.txt": "two"], restarts: false,
            {
                try $0.move("a.txt", to: "x.txt")
                try $0.move("b.txt", to: "y.txt")
            },
            then: {
                try $0.move("x.txt", to: "z.txt")
                try $0.move("y.txt", to: "b.txt")
                try Self.replace("y.txt", with: "a new one")($0)
            }
        ) { laptop, desk in
            try await expectInSync(laptop, desk, with: ["b.txt": "two", "y.txt": "a new one", "z.txt": "one"])
        }
    }

    @Test("Another record's file that is renamed over it is that one's")
    func renamedOver() async throws {
        try await Self.moved(
            ["a.txt": "one", "b.txt": "two"], restarts: false, { try $0.move("a.txt", to: "x.txt") },
            then: { try $0.move("b.txt", to: "x.txt") }
        ) { laptop, desk in
            let bodies = laptop.network.takeBodies(of: "records/modify")
            #expect(!bodies.contains { $0.contains(#""create""#) })
            try await expectInSync(laptop, desk, with: ["x.txt": "two"])
        }
    }

    @Test("Where another device moved a file that is gone here to the same place, the new one is of one record alone")
    func placeTakenElsewhere() async throws {
        try await Self.moved(
            ["a.txt": "one", "b.txt": "two"], restarts: false, { try $0.move("b.txt", to: "x.txt") },
            then: {
                try Self.replace("x.txt", with: "two, and more")($0)
                try $0.delete("a.txt")
            },
            meanwhile: {
                try $0.move("a.txt", to: "x.txt")
                try await $0.sync()
            }
        ) { laptop, desk in
            try await converge(desk, laptop)
            let files = try laptop.files()
            #expect(try desk.files() == files)
            #expect(files.values.sorted() == ["one", "two, and more"], "\(files)")
            try laptop.close()
            try desk.close()
        }
    }
}
