import ArgumentParser
import CloudKitWire
import Testing

@testable import SyncCommands

@Suite("init --database shared")
struct SharedZonesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var zone = "Notes"
        var owner: String?
        var zones: [(String, String?)]
        /// The owner, or words of the refusal.
        var chosen: String?
        var says: [String] = []
    }

    private static let several: [(String, String?)] = [("Notes", "_ada"), ("Notes", "_bob"), ("Tasks", "_ada")]

    @Test(
        "The zone's owner is found where only one can be meant; else the choices are listed",
        arguments: [
            Row(testDescription: "the only one", zones: [("Tasks", "_ada"), ("Notes", "_bob")], chosen: "_bob"),
            Row(testDescription: "named", owner: "_bob", zones: several, chosen: "_bob"),
            Row(testDescription: "several", zones: several, says: ["--owner", "_ada", "_bob"]),
            Row(
                testDescription: "none of that name", zone: "Cards", zones: several,
                says: ["'Cards'", "Tasks, of _ada"]),
            Row(testDescription: "another owner", owner: "_eve", zones: several, says: ["_eve", "Notes, of _bob"]),
            Row(testDescription: "nothing is shared", zones: [], says: ["Nothing is shared"]),
            Row(testDescription: "one's own default zone", zones: [("Notes", nil)], says: ["Nobody shares"]),
        ])
    func owner(_ row: Row) {
        let zones = row.zones.map { ZoneID(zoneName: $0.0, ownerRecordName: $0.1) }
        do throws(CommandFailure) {
            let owner = try SharedZones.owner(of: row.zone, named: row.owner, among: zones)
            #expect(owner == row.chosen)
        } catch {
            #expect(row.chosen == nil && row.says.allSatisfy(error.message.contains), "\(error.message)")
            #expect(error.status == .configuration)
        }
    }

    @Test("The public database is refused with the reason and the way out (S0.14)")
    func publicDatabase() async throws {
        let words = ["--container", "iCloud.a", "--zone", "Notes", "--database", "public", "--api-token", "x"]
        let command = try InitCommand.parse(words)
        let failure = await #expect(throws: CommandFailure.self) { try await command.run() }
        #expect(failure?.message.contains("no list of changes") == true)
        #expect(failure?.message.contains("zonefolder query") == true)
        #expect(throws: (any Error).self) {
            try InitCommand.parse(["--container", "iCloud.a", "--zone", "Notes", "--owner", "_ada"])
        }
    }
}
