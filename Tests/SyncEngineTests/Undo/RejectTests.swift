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
}
