import SyncModel
import SyncPlanning
import SystemPackage
import Testing

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
}

extension FolderSession {
    /// One cycle that looks at the whole folder, and asks the server too where it is told to.
    fileprivate func cycleOnce(asking: Bool = false) async {
        owed.wholeScan = true
        if asking { owed.zoneFetch = true }
        await cycle()
    }
}
