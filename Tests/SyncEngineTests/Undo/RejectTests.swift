import CloudKitWire
import FolderControl
import Testing

@testable import SyncEngine

@Suite("A large deletion that is rejected", .timeLimit(.minutes(30)))
struct RejectTests {
    @Test("What was deleted here comes back from the zone, and no other device notices")
    func deletedHere() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<30 { try laptop.write("text \(number)", to: "\(number).txt") }
            try laptop.write("attached", to: "Note/pic.png")
            try laptop.write(#"{"image": {"$asset": "pic.png"}}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            let files = try desk.files()
            for name in try laptop.files().keys { try laptop.delete(name) }
            try await laptop.sync()
            let batch = try #require(try await laptop.report().approval)
            #expect(try await !laptop.session.rejected("another batch"))
            #expect(try await laptop.session.rejected(batch.batch))
            #expect(try await laptop.report().approval == nil)
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("What was deleted there is sent again under its own names, and comes back to who deleted it")
    func deletedThere() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<30 { try laptop.write("text \(number)", to: "\(number).txt") }
            try laptop.write("attached", to: "Note/pic.png")
            try laptop.write(#"{"image": {"$asset": "pic.png"}}"#, to: "Note/n.json")
            try laptop.move("0.txt", to: "first.txt")
            try await converge(laptop, desk)
            let files = try laptop.files()
            for name in try desk.files().keys { try desk.delete(name) }
            try await desk.sync()
            #expect(await desk.session.approved(try #require(try await desk.report().approval).batch))
            try await converge(desk, laptop)
            let batch = try #require(try await laptop.report().approval)
            #expect(batch.side == "folder")
            #expect(try await laptop.session.rejected(batch.batch))
            try await converge(laptop, desk)
            try await expectInSync(laptop, desk, with: files)
        }
    }

    @Test("What was deleted in a zone that may only be read cannot be put back: that is said, and nothing changes")
    func readOnly() async throws {
        try await SharedWorld.run { world in
            for number in 0..<30 { try world.ada.write("text \(number)", to: "\(number).txt") }
            try await world.ada.sync()
            try world.accept(try await world.share(.readOnly))
            let bob = try world.bob()
            try await converge(world.ada, bob)
            let files = try bob.files()
            #expect(files.count == 30)
            for name in files.keys { try world.ada.delete(name) }
            try await world.ada.sync()
            #expect(await world.ada.session.approved(try #require(try await world.ada.report().approval).batch))
            try await converge(world.ada, bob)
            let waiting = try #require(try await bob.report().approval)
            _ = bob.network.takeOperations()
            await #expect {
                _ = try await bob.session.rejected(waiting.batch)
            } throws: { error in
                let error = error as? ControlError
                return error?.code == .refused
                    && error?.message.contains("'Notes' is shared with you to be read") == true
                    && error?.message.contains("copy them to another folder") == true
            }
            #expect(try await bob.report().approval == waiting)
            try await bob.sync()
            #expect(try await bob.report().approval == waiting)
            #expect(try bob.files() == files)
            #expect(!bob.network.takeOperations().contains("records/modify"))
            try bob.close()
        }
    }
}
