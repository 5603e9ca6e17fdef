import FolderControl
import SyncModel
import SyncPlanning
import SystemPackage
import Testing

@testable import FolderObserving
@testable import RecordTrees
@testable import SessionCore
@testable import SyncEngine

/// A deletion needs a second look right before it is sent (reliability §2, invariant 6).
@Suite("A file that is back before its deletion was sent", .timeLimit(.minutes(30)))
struct SecondLookTests {
    /// The request during which it comes back.
    @Test("Its record stays, whatever was under way meanwhile", arguments: ["changes/zone", "records/modify"])
    func back(during operation: String) async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            for number in 0..<5 { try laptop.write("text \(number)", to: "\(number).txt") }
            try laptop.write("a", to: "a.txt")
            try await laptop.sync()
            let created = await laptop.session.trees.remote[RecordName("a.txt")]

            // Not one that takes over the number of the deleted file.
            try laptop.write("new", to: "new~")
            try laptop.delete("a.txt")
            // Seen as missing, for longer than any editor takes.
            await laptop.session.cycleOnce()
            laptop.pass(.seconds(5))
            try laptop.move("new~", to: "b.txt")
            let (folder, operation) = (laptop.folder, operation)
            laptop.network.decide { request in
                if FaultyNetwork.operation(of: request) == operation {
                    try? EngineDevice.write("a", to: folder.appending("a.txt"))
                }
                return .delivered
            }
            await laptop.session.cycleOnce(asking: operation == "changes/zone")
            laptop.network.decide { _ in .delivered }
            try await laptop.sync()
            let kept = await laptop.session.trees.remote[RecordName("a.txt")]
            #expect(kept?.createdMilliseconds == created?.createdMilliseconds)
            #expect(kept?.changeTag == created?.changeTag)
            try laptop.close()
        }
    }

    @Test("A file that comes back while hundreds of deletions are under way keeps its record")
    func backAmongMany() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            let names = (0..<1200).map { "\(String($0 + 10_000)).txt" }
            for name in names { try laptop.write("text of \(name)", to: name) }
            try await laptop.sync()
            let before = await laptop.session.trees.remote[RecordName(names[1199])]
            for name in names { try laptop.delete(name) }
            await laptop.session.cycleOnce()
            let batch = try #require(try await laptop.report().approval)
            #expect(await laptop.session.approved(batch.batch))
            laptop.pass(.seconds(5))
            let folder = laptop.folder
            laptop.network.decide { request in
                if FaultyNetwork.operation(of: request) == "records/modify" {
                    try? EngineDevice.write("text of \(names[1199])", to: folder.appending(names[1199]))
                }
                return .delivered
            }
            await laptop.session.cycleOnce()
            laptop.network.decide { _ in .delivered }
            try await laptop.sync()
            let zone = await laptop.session.trees.remote
            #expect(zone.count == 1)
            #expect(zone[RecordName(names[1199])]?.createdMilliseconds == before?.createdMilliseconds)
            #expect(zone[RecordName(names[1199])]?.changeTag == before?.changeTag)
            try laptop.close()
        }
    }
}

/// Nothing in the bytes tells that a file went over an equal one: only the file itself does, as long as its record is known.
@Suite("A file that went where nobody looked", .timeLimit(.minutes(30)))
struct UnseenPlaceTests {
    @Test("Its record stays until it was looked for where an equal file is, which somebody else deletes")
    func putOverAnEqualOne() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = try await world.pair(with: ["a.txt": "a", "b.txt": "a"])
            try laptop.move("a.txt", to: "b.txt")
            await laptop.session.cycleOnce(lookingAt: "a.txt")
            laptop.pass(.seconds(5))
            await laptop.session.cycleOnce(lookingAt: "a.txt")
            // Of the two files that the desk still has, its person deletes the other one.
            try desk.delete("b.txt")
            try await desk.sync()
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: ["b.txt": "a"])
        }
    }
}

extension FolderSession {
    /// One cycle that looks at one path, as if nothing was told of any other one.
    fileprivate func cycleOnce(lookingAt path: String) async {
        looks.owe(FolderPath(path)!)
        await cycle()
    }

    /// One cycle that looks at the whole folder, and asks the server too where it is told to.
    fileprivate func cycleOnce(asking: Bool = false) async {
        looks.oweAll()
        if asking { fetches.oweZone() }
        await cycle()
    }
}
