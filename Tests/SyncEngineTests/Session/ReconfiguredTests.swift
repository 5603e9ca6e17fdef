import CloudKitServer
import FolderControl
import FolderSettings
import Foundation
import StateStorage
import Testing

@testable import SyncEngine
@testable import SyncService

/// `config.toml` asks to be edited: what was learnt of one zone says nothing of another.
@Suite("A folder that is configured for another zone", .timeLimit(.minutes(30)))
struct ReconfiguredTests {
    @Test("What the state knows of one zone is never taken for another one's, there and back again")
    func thereAndBack() async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("a", to: "a.txt")
            try laptop.write("{\"n\": 1}\n", to: "Note/n.json")
            try await converge(laptop, desk)

            try laptop.configure { $0.zone = "Other" }
            try await laptop.sync()
            let report = try await laptop.report()
            #expect(report.verdict == .attention && report.held.map(\.code) == ["zoneChanged"], "\(report.held)")
            #expect(report.held[0].message.contains("'Other'"), "\(report.held)")
            #expect(await laptop.session.approved("zone"))
            try await laptop.sync()
            #expect(try await laptop.report().verdict == .inSync)
            // Other than in the first zone, to which the folder does not belong now.
            try laptop.write("edited in the other zone", to: "a.txt")
            try await laptop.sync()
            try desk.write("late", to: "late.txt")
            try await desk.sync()

            try laptop.configure { $0.zone = "Notes" }
            try await laptop.sync()
            #expect(try await laptop.report().held.map(\.code) == ["zoneChanged"])
            #expect(laptop.read("late.txt") == "late")
            #expect(await laptop.session.approved("zone"))
            try await converge(laptop, desk)
            for device in [laptop, desk] {
                #expect(device.read("late.txt") == "late")
                #expect(device.read("Note/n.json") == "{\"n\": 1}\n")
            }
            // Without a version on which both agreed, a person has both.
            #expect(try laptop.files().values.contains("edited in the other zone"))
            #expect(desk.read("a.txt") == "a")
            try laptop.close()
            try desk.close()
        }
    }

    @Test(
        "Whatever part of the address changes, no file goes away and none is sent unasked",
        arguments: ["container", "environment", "fileType", "zone"])
    func anyPart(part: String) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            for number in 0..<30 { try laptop.write("text \(number)", to: "Note/\(number).txt") }
            for number in 0..<30 { try laptop.write("{\"n\": \(number)}\n", to: "Note/\(number).json") }
            try await converge(laptop, desk)
            let files = try laptop.files()
            #expect(files.count == 60)

            try laptop.configure { configuration in
                switch part {
                case "container": configuration.container = "iCloud.org.example.other"
                case "environment": configuration.environment = .production
                case "fileType": configuration.fileRecordType = "Document"
                default: configuration.zone = "Other"
                }
            }
            try await laptop.sync()
            try await desk.sync()
            #expect(try desk.files() == files)
            #expect(try Set(files.values).isSubset(of: laptop.files().values))
            #expect(try laptop.conflictCopies().isEmpty)
            try laptop.close()
            try desk.close()
        }
    }

    @Test("Another name of the same server asks for nothing and reads nothing anew", arguments: [true, false])
    func renamedServer(isChangedMeanwhile: Bool) async throws {
        try await EngineWorld.run { world in
            let (laptop, desk) = (try world.device("laptop"), try world.device("desk"))
            try laptop.write("a", to: "a.txt")
            try laptop.write(#"{"n": 1}"#, to: "Note/n.json")
            try await converge(laptop, desk)
            if isChangedMeanwhile {
                try laptop.write("new", to: "new.txt")
                try laptop.write("edited", to: "a.txt")
                try desk.write(#"{"n": 2}"#, to: "Note/n.json")
                try await desk.sync()
            }
            try laptop.configure { $0.server = "http://localhost:\(world.port)" }
            _ = laptop.network.takeOperations()
            try await laptop.sync()
            let operations = laptop.network.takeOperations()
            #expect(try await laptop.report().held.isEmpty)
            if !isChangedMeanwhile {
                #expect(
                    !operations.contains { ["changes/zone", "zones/modify", "records/modify"].contains($0) },
                    "\(operations)")
            }
            try await converge(laptop, desk)
            // The next start knows the name.
            try laptop.restart()
            try await laptop.sync()
            try await expectInSync(
                laptop, desk,
                with: isChangedMeanwhile
                    ? ["a.txt": "edited", "new.txt": "new", "Note/n.json": #"{"n": 2}"#]
                    : ["a.txt": "a", "Note/n.json": #"{"n": 1}"#])
        }
    }

    @Test("Another server with a zone of that name: whoever signs in there is asked before anything is sent")
    func otherServer() async throws {
        try await EngineWorld.run { world in
            try await EngineWorld.run { other in
                let (laptop, desk) = (try world.device("laptop"), try other.device("desk"))
                try laptop.write("a", to: "a.txt")
                try laptop.write("1", to: "both.txt")
                try await laptop.sync()
                try desk.write("2", to: "both.txt")
                try desk.write("d", to: "d.txt")
                try await desk.sync()
                try laptop.configure { $0.server = "http://127.0.0.1:\(other.port)" }
                // Nobody is signed in there.
                try await laptop.sync()
                #expect(try await laptop.report().verdict == .attention)
                #expect(try laptop.files() == ["a.txt": "a", "both.txt": "1"])

                let user = try other.server.store.addUser(
                    name: "ada", container: EngineWorld.container, environment: "development")
                try await laptop.session.accountWillChange(to: user.userRecordName)
                try await laptop.account.replace(
                    with: Credentials(apiToken: user.apiToken, webAuthToken: user.webAuthToken))
                await laptop.session.accountChanged()
                try await laptop.sync()
                #expect(try await laptop.report().held.map(\.code) == ["zoneChanged"])
                let copies = try laptop.conflictCopies()
                #expect(copies.count == 1 && laptop.read(copies[0]) == "1")
                try await desk.sync()
                #expect(try desk.files() == ["both.txt": "2", "d.txt": "d"])
                #expect(await laptop.session.approved("zone"))
                try await converge(laptop, desk)
                let expected = ["a.txt": "a", "both.txt": "2", "d.txt": "d"]
                #expect(try desk.files() == expected)
                #expect(try laptop.files().filter { $0.key != copies[0] } == expected)
                try laptop.close()
                try desk.close()
            }
        }
    }

    @Test("An address that was never reached is mended without a question")
    func neverReached() async throws {
        try await EngineWorld.run { world in
            let laptop = try world.device("laptop")
            try laptop.configure { $0.server = "http://127.0.0.1:9" }
            try laptop.write("a", to: "a.txt")
            await laptop.settle()
            try laptop.configure { $0.server = "http://127.0.0.1:\(world.port)" }
            try await laptop.sync()
            #expect(try await laptop.report().verdict == .inSync)
            try laptop.close()
        }
    }
}
