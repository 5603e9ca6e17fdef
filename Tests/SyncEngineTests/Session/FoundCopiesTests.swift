import FolderControl
import GRDB
import SyncModel
import SystemPackage
import Testing

@testable import FolderObserving
@testable import SyncEngine

/// Conflict copies whose row is not in the store, or names a place where they are no more (invariant 7).
@Suite("Conflict copies that a look finds", .timeLimit(.minutes(30)))
struct FoundCopiesTests {
    /// Two devices, of which one has a conflict copy in a directory.
    private static func withCopy(
        _ body: @Sendable (EngineDevice, _ copy: String) async throws -> Void,
        before: @Sendable (EngineDevice) throws -> Void = { _ in }
    ) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["in/a.txt": "one"])
            try laptop.write("laptop's", to: "in/a.txt")
            try await laptop.sync()
            try desk.write("desk's", to: "in/a.txt")
            try before(desk)
            await desk.settle()
            let copy = try #require(try desk.conflictCopies().first)
            #expect(desk.read(copy) == "desk's" && desk.read("in/a.txt") == "laptop's")
            try await body(desk, copy)
            try laptop.close()
            try desk.close()
        }
    }

    private static func inState(of device: EngineDevice, _ sql: String) throws {
        let queue = try DatabaseQueue(path: device.folder.appending(".zonefolder/state.sqlite").string)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test("One of which the row could not be stored is told of, once it is looked at and the state works again")
    func unstored() async throws {
        try await Self.withCopy { desk, copy in
            try Self.inState(of: desk, "DROP TRIGGER broken")
            desk.pass(.seconds(60))
            await desk.session.cycle(lookingAt: copy)
            #expect(try await desk.report().conflicts.map(\.copy) == [copy])
        } before: { desk in
            try Self.inState(
                of: desk, "CREATE TRIGGER broken BEFORE INSERT ON conflict BEGIN SELECT RAISE(ABORT, 'disk'); END")
        }
    }

    @Test("One that a person renamed with its directory is told of where it is now")
    func renamed() async throws {
        try await Self.withCopy { desk, copy in
            #expect(try await desk.report().conflicts.map(\.copy) == [copy])
            try desk.move("in", to: "out")
            await desk.session.cycle(lookingAt: "in", "out")
            #expect(try await desk.report().conflicts.map(\.copy) == [copy.replacing("in/", with: "out/")])
            #expect(try await desk.report().conflicts.map(\.path) == ["out/a.txt"])
        }
    }
}

extension FolderSession {
    /// One cycle that looks at some paths, as if nothing was told of any other one.
    fileprivate func cycle(lookingAt paths: String...) async {
        for path in paths { looks.owe(FolderPath(path)!) }
        await cycle()
    }
}
