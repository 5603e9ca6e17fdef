import StateRows
import StateStorage
import Testing

@testable import SessionCore
@testable import SyncEngine

@Suite("One device edits what another one deletes (reliability §4.7)", .timeLimit(.minutes(30)))
struct EditAgainstDeletionTests {
    @Test(
        "The edit outlives the deletion, whoever is heard first, and is told once (invariant 7)",
        arguments: [true, false])
    func outlives(deletionFirst: Bool) async throws {
        try await EngineWorld.run { world in
            let kept = ["Note/c.json": #"{"n": 3}"#, "d.txt": "d"]
            let start = ["Note/a.json": #"{"n": 1}"#, "b.txt": "b"]
            let (laptop, desk) = try await world.pair(with: kept.merging(start) { first, _ in first })
            for path in start.keys { try laptop.delete(path) }
            let edits = ["Note/a.json": #"{"n": 2}"#, "b.txt": "edited"]
            for (path, text) in edits { try desk.write(text, to: path) }
            for device in deletionFirst ? [laptop, desk] : [desk, laptop] { try await device.sync() }
            try await converge(laptop, desk)

            // The device that brought the two together says so, for each file.
            var outlived: [[String]] = []
            for device in [laptop, desk] {
                let changes = try await device.session.environment.store.changes(limit: .max)
                outlived.append(changes.filter(\.isKeptEdit).compactMap { $0.path.map { "\($0)" } }.sorted())
            }
            let told = edits.keys.sorted()
            #expect(outlived == (deletionFirst ? [[], told] : [told, []]))
            try await expectInSync(laptop, desk, with: kept.merging(edits) { first, _ in first })
        }
    }
}

extension JournalEntry {
    fileprivate var isKeptEdit: Bool { [Self.keptEditHere, Self.keptEditThere].contains(action) }
}
