import CloudKitWire
import FolderControl
import Testing

@testable import SyncEngine

/// What Bob has of Ada's zone where she shares one record and what hangs below it.
@Suite("A record of Ada's that she shares with Bob, on the product's own server", .timeLimit(.minutes(30)))
struct SharedHierarchyTests {
    /// Runs a test with a list of Ada's that Bob may change, besides which she has a note of her own.
    private static func run(_ body: @Sendable (SharedWorld, EngineDevice) async throws -> Void) async throws {
        try await SharedWorld.run { world in
            try world.ada.write(#"{"name": "groceries"}"#, to: "List/top.json")
            try world.ada.write(#"{"secret": 1}"#, to: "Note/secret.json")
            try await world.ada.sync()
            try world.accept(try await world.share(.readWrite, root: "List/top"))
            let bob = try world.bob()
            try await world.meet(bob)
            try await body(world, bob)
            try bob.close()
        }
    }

    @Test("Of a shared record Bob sees what hangs below it, and what he adds hangs there, too")
    func hierarchy() async throws {
        try await Self.run { world, bob in
            #expect(try bob.files() == ["List/top.json": #"{"name": "groceries"}"#])
            try bob.write(#"{"what": "milk"}"#, to: "Item/milk.json")
            try bob.write("picture", to: "milk.bin")
            try await world.meet(bob)
            #expect(world.ada.read("Item/milk.json") == #"{"what": "milk"}"#)
            #expect(world.ada.read("milk.bin") == "picture")
            // An edit keeps the place, from either side.
            try world.ada.write(#"{"what": "oat milk"}"#, to: "Item/milk.json")
            try await world.meet(bob)
            try bob.write(#"{"what": "oat milk, two"}"#, to: "Item/milk.json")
            try bob.write(#"{"name": "food"}"#, to: "List/top.json")
            try await world.meet(bob)
            #expect(world.ada.read("Item/milk.json") == #"{"what": "oat milk, two"}"#)
            #expect(world.ada.read("List/top.json") == #"{"name": "food"}"#)
            // The record that is shared is Ada's to delete.
            try bob.delete("List/top.json")
            try await world.meet(bob)
            let held = try await bob.report().held
            #expect(held.map(\.path) == ["List/top.json"] && held.map(\.code) == ["permissionDenied"], "\(held)")
            #expect(world.ada.read("List/top.json") != nil && bob.read("Note/secret.json") == nil)
        }
    }

    @Test("A new file that has the name of a record out of sight is held, and goes through under another name")
    func nameOutOfSight() async throws {
        try await Self.run { world, bob in
            try bob.write(#"{"mine": 1}"#, to: "Note/secret.json")
            try await world.meet(bob)
            let held = try await bob.report().held
            #expect(held.map(\.path) == ["Note/secret.json"] && held.map(\.code) == ["permissionDenied"], "\(held)")
            #expect(held.first?.message.contains("outside of that part") == true)
            #expect(held.first?.message.contains("read-only") == false)
            #expect(held.first?.remedy.hasPrefix("Give the file another name") == true)
            try bob.move("Note/secret.json", to: "Note/bobs.json")
            try await world.meet(bob)
            #expect(try await bob.report().held.isEmpty)
            #expect(world.ada.read("Note/bobs.json") == #"{"mine": 1}"#)
            #expect(world.ada.read("Note/secret.json") == #"{"secret": 1}"#)
            // What is shared for reading alone is another matter.
            try bob.delete("List/top.json")
            try await world.meet(bob)
            #expect(try await bob.report().held.first?.remedy.contains("write access") == true)
        }
    }
}
