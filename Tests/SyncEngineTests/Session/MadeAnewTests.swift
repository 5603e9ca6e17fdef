import Foundation
import SystemPackage
import Testing

@Suite("A record that was deleted and made again under its name (reliability 4.8)")
struct MadeAnewTests {
    @Test(
        "Its file looks alike on the devices that saw the deletion and on those that did not", arguments: [true, false])
    func manner(isSeen: Bool) async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("{\n  \"title\": \"t\",\n  \"body\": \"b\"\n}\n", to: "Note/a.json")
            try laptop.write("{}", to: "Note/other.json")
            try await laptop.sync()
            try await desk.sync()
            #expect(desk.read("Note/a.json") == laptop.read("Note/a.json"))

            try FileManager.default.removeItem(atPath: laptop.folder.appending("Note/a.json").string)
            try await laptop.sync()
            if isSeen {
                try await desk.sync()
                #expect(desk.files() == ["Note/other.json"])
            }
            // The plain layout, which needs no hints.
            let plain = "{\n  \"body\": \"b\",\n  \"title\": \"new\"\n}\n"
            try laptop.write(plain, to: "Note/a.json")
            try await laptop.sync()
            try await desk.sync()
            #expect(desk.read("Note/a.json") == plain)
            #expect(desk.files() == laptop.files())
        }
    }

    @Test("An edit of the file that was there before is no edit of it: it stands beside it (invariant 6)")
    func edited() async throws {
        try await CrashWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for name in ["a", "other"] { try laptop.write(#"{"title": "one", "n": 1}"#, to: "Note/\(name).json") }
            try await laptop.sync()
            try await desk.sync()
            try FileManager.default.removeItem(atPath: laptop.folder.appending("Note/a.json").string)
            try await laptop.sync()
            let new = #"{"title": "two", "n": 1}"#
            try laptop.write(new, to: "Note/a.json")
            try await laptop.sync()

            let edit = #"{"title": "one", "n": 2}"#
            try desk.write(edit, to: "Note/a.json")
            for device in [desk, laptop, desk] { try await device.sync() }
            #expect(desk.read("Note/a.json") == new)
            #expect(laptop.read("Note/a.json") == new)
            #expect(desk.files().contains { desk.read($0) == edit })
        }
    }
}
