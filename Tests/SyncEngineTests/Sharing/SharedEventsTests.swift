import CloudKitWire
import FolderControl
import StateRows
import StateStorage
import SyncModel
import Testing

@testable import SessionCore
@testable import SyncEngine

/// What is told of who did what, in a zone that two people change.
@Suite("Whose a change of a shared zone was", .timeLimit(.minutes(30)))
struct SharedEventsTests {
    private static let note = "Note/n.json"

    /// Runs a test with a note of Ada's that Bob may change, and that both have.
    private static func run(_ body: @Sendable (SharedWorld, EngineDevice) async throws -> Void) async throws {
        try await SharedWorld.run { world in
            try world.ada.write(#"{"title": "1", "body": "1"}"#, to: note)
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite))
            let bob = try world.bob()
            try await world.meet(bob)
            try await body(world, bob)
            try bob.close()
        }
    }

    @Test("A conflict is with who saved the zone's version, also where this device merged and saved the record since")
    func mergedConflict() async throws {
        try await Self.run { world, bob in
            try world.ada.write(#"{"title": "ada's", "body": "1"}"#, to: Self.note)
            try await world.ada.sync()
            let saved = try await world.ada.session.environment.store.remoteRow(RecordName("Note/n"))
            try bob.write(#"{"title": "bob's", "body": "bob's"}"#, to: Self.note)
            try await world.meet(bob)
            #expect(bob.read(Self.note) == #"{"title": "ada's", "body": "bob's"}"#)
            let conflict = try #require(try await bob.report().conflicts.first)
            #expect(conflict.fields == ["title"])
            #expect(conflict.zoneUserRecordName == (try await world.ada.report().account.userRecordName))
            #expect(conflict.zoneMilliseconds == saved?.modifiedMilliseconds)
            try bob.restart()
            #expect(try await bob.report().conflicts.map(\.zoneUserRecordName) == [conflict.zoneUserRecordName])
        }
    }

    @Test("A deletion in a shared zone is another device's or somebody else's: the zone does not say whose")
    func deletion() async throws {
        try await Self.run { world, bob in
            try world.ada.delete(Self.note)
            try await world.meet(bob)
            #expect(try bob.files().isEmpty)
            let changes = try await bob.session.environment.store.changes(after: 0, limit: .max)
            #expect(changes.last { $0.action == JournalEntry.fileDeleted }?.author == .unknown, "\(changes)")
        }
    }
}
