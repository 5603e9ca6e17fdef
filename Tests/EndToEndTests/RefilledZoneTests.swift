import Foundation
import Testing

/// A zone that an app deletes while two devices are in step with it.
@Suite("A deleted zone", .timeLimit(.minutes(10)))
struct RefilledZoneTests {
    @Test("One person fills it again on one device; the other device, which asked too, goes on by itself")
    func filledElsewhere() async throws {
        let world = try await RealWorld()
        let (laptop, desk) = (try await world.addFolder("laptop"), try await world.addFolder("desk"))
        let daemons = try [laptop.run(), desk.run()]
        for (folder, daemon) in zip([laptop, desk], daemons) { try await folder.untilDaemonAnswers(daemon) }
        for number in 0..<5 { try laptop.write("text \(number)", to: "\(number).txt") }
        try laptop.write(#"{"n": 1}"#, to: "Note/n.json")
        #expect(try await eventually(within: .seconds(120)) { try desk.files() == laptop.files() })

        let app = try await ForeignClient(world)
        try await app.post(
            "zones/modify", #"{"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": "Notes"}}}]}"#
        )
        for folder in [laptop, desk] {
            #expect(try await RealProgram.run("status", folder.path, "--wait=60").status == 7)
            let report = try await folder.report()
            #expect(report.held.map(\.code) == ["zoneVanished"], "\(report)")
        }
        try laptop.write("edited", to: "0.txt")
        try laptop.write("new", to: "new.txt")
        _ = try await RealProgram.run("status", laptop.path, "--wait=60")
        #expect(try await laptop.report().held.map(\.code) == ["zoneVanished"])

        #expect(try await RealProgram.run("approve", "zone", desk.path).status == 0)
        let isFilled = try await eventually(within: .seconds(120)) {
            try desk.read("new.txt") == "new" && laptop.sharedFiles() == desk.sharedFiles()
        }
        let reports = [try await laptop.report(), try await desk.report()]
        #expect(isFilled, "\(reports)")
        // Both have a version of the one that was edited: its bytes there, and the other ones in a copy.
        let copies = try laptop.copies()
        #expect(copies.count == 1 && laptop.read(copies.first ?? "") == "edited")
        #expect(try await laptop.report().held.isEmpty)
        try laptop.write("from now on", to: "1.txt")
        #expect(try await eventually(within: .seconds(120)) { desk.read("1.txt") == "from now on" })
        #expect(daemons[0].isRunning && daemons[1].isRunning)
    }
}
