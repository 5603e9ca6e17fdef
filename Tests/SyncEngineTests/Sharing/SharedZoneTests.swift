import CloudKitServer
import CloudKitWire
import FolderControl
import Foundation
import StateStorage
import SyncModel
import SystemPackage
import Testing

@testable import FolderSettings
@testable import SyncEngine

@Suite("A zone of somebody else's", .timeLimit(.minutes(30)))
struct SharedZoneTests {
    /// The owner's device, one of a participant, and what the participant sees of the zone; nothing is in it yet.
    private static func withZone(
        _ body: @Sendable (_ owner: EngineDevice, _ guest: EngineDevice, SharedView, EngineWorld) async throws -> Void
    ) async throws {
        try await EngineWorld.run { world in
            let name = try world.userRecordName()
            let owner = try world.device("owner")
            try await owner.sync()
            let view = SharedView(world.transport, owner: name)
            let guest = try world.device("guest", over: view) { configuration in
                configuration.database = .shared
                configuration.owner = name
            }
            try await body(owner, guest, view, world)
            try owner.close()
            try guest.close()
        }
    }

    private static func held(_ device: EngineDevice) async throws -> [String: String] {
        let report = try await device.report()
        return Dictionary(report.held.map { ($0.path, $0.code) }, uniquingKeysWith: { $1 })
    }

    @Test("With write access both sides sync as one's own zone does; the share is no file, and is not counted")
    func writable() async throws {
        try await Self.withZone { owner, guest, view, _ in
            view.share(SharedView.zoneShare("READ_WRITE"))
            try owner.write(#"{"by": "owner"}"#, to: "Note/a.json")
            try owner.write("bytes", to: "file.txt")
            try await converge(owner, guest)
            #expect(try guest.files() == ["Note/a.json": #"{"by": "owner"}"#, "file.txt": "bytes"])
            try guest.write(#"{"by": "guest"}"#, to: "Note/a.json")
            try guest.write("new", to: "new.txt")
            try guest.delete("file.txt")
            try await converge(guest, owner)
            guest.pass(.seconds(5))
            try await converge(guest, owner)
            #expect(try owner.files() == ["Note/a.json": #"{"by": "guest"}"#, "new.txt": "new"])
            let report = try await guest.report()
            #expect(report.verdict == .inSync && report.records == 2 && report.database == "shared")
            // The zone is never made, and no record but one's own new one is sent whole.
            #expect(!guest.network.takeOperations().contains("zones/modify"))
            #expect(view.takeSaves().allSatisfy { !$0.contains("parent") && !$0.contains("cloudkit.share") })
        }
    }

    @Test("Read-only: edits, new files and deletions stay here, each named; what comes in loses none of them")
    func readOnly() async throws {
        try await Self.withZone { owner, guest, view, _ in
            view.share(SharedView.zoneShare("READ_ONLY"))
            let start = [
                "Note/a.json": #"{"n": 1}"#, "edited.txt": "1", "gone.txt": "1", "both.txt": "1", "rest.txt": "1",
            ]
            for (name, text) in start { try owner.write(text, to: name) }
            try await converge(owner, guest)
            #expect(try guest.files() == start)
            #expect(try await guest.report().verdict == .inSync)

            try guest.write(#"{"n": 2}"#, to: "Note/a.json")
            try guest.write("2", to: "edited.txt")
            try guest.write("mine", to: "both.txt")
            try guest.write("new", to: "new.txt")
            try guest.delete("gone.txt")
            try owner.write("theirs", to: "both.txt")
            try owner.write("2", to: "rest.txt")
            try await converge(guest, owner)
            guest.pass(.seconds(5))
            try await converge(guest, owner)

            let copies = try guest.conflictCopies()
            #expect(copies.count == 1)
            var expected = [
                "Note/a.json": #"{"n": 2}"#, "edited.txt": "2", "both.txt": "theirs", "rest.txt": "2", "new.txt": "new",
            ]
            for copy in copies { expected[copy] = "mine" }
            #expect(try guest.files() == expected)
            let report = try await guest.report()
            #expect(report.verdict == .attention && report.approval == nil)
            #expect(report.verdict.exitCode(isRunning: true, needsApproval: false) == 4)
            let held = try await Self.held(guest)
            for path in ["Note/a.json", "edited.txt", "new.txt", "gone.txt"] {
                #expect(held[path] == "permissionDenied")
            }
            #expect(held.count == 4, "\(held)")
            #expect(report.held.allSatisfy { $0.message.contains("read-only") && $0.remedy.contains("owner") })
            #expect(view.takeSaves().isEmpty)
            #expect(try owner.files() == start.merging(["both.txt": "theirs", "rest.txt": "2"]) { $1 })

            // The same after a start, without asking anybody.
            try guest.restart()
            try await guest.sync()
            #expect(try await Self.held(guest).count == 4)
            #expect(view.takeSaves().isEmpty)

            // With write access everything goes through by itself.
            view.share(SharedView.zoneShare("READ_WRITE"))
            try owner.write("3", to: "rest.txt")
            try await converge(owner, guest)
            guest.pass(.seconds(5))
            try await converge(guest, owner)
            #expect(
                try owner.files() == [
                    "Note/a.json": #"{"n": 2}"#, "edited.txt": "2", "both.txt": "theirs", "rest.txt": "3",
                    "new.txt": "new",
                ])
            #expect(try await Self.held(guest).isEmpty)
        }
    }

    @Test("A mass deletion in a read-only zone asks for no approval: none could carry it out")
    func massDeletion() async throws {
        try await Self.withZone { owner, guest, view, _ in
            view.share(SharedView.zoneShare("READ_ONLY"))
            for number in 0..<60 { try owner.write("\(number)", to: "\(number).txt") }
            try await converge(owner, guest)
            for number in 0..<50 { try guest.delete("\(number).txt") }
            try await guest.sync()
            let report = try await guest.report()
            #expect(report.approval == nil && report.held.count == 50 && report.verdict == .attention)
            #expect(view.takeSaves().isEmpty)
        }
    }

    @Test("In a shared hierarchy every new record hangs below the shared one; an edit moves none")
    func hierarchy() async throws {
        try await Self.withZone { owner, guest, view, _ in
            try owner.write(#"{"name": "groceries"}"#, to: "List/top.json")
            try await owner.sync()
            let top = SharedView.share("Share-1", "READ_WRITE").replacing(
                #""publicPermission""#, with: #""forRecord": {"recordName": "List/top"}, "publicPermission""#)
            view.share(top)
            try await guest.sync()
            try guest.write(#"{"what": "milk"}"#, to: "Item/milk.json")
            try guest.write("picture", to: "milk.txt")
            try guest.write(#"{"name": "food"}"#, to: "List/top.json")
            try await guest.sync()
            let saves = view.takeSaves().joined()
            #expect(saves.components(separatedBy: #""parent":{"recordName":"List/top""#).count == 3, "\(saves)")
            #expect(try await guest.report().verdict == .inSync)
            try guest.write(#"{"what": "oat milk"}"#, to: "Item/milk.json")
            try await guest.sync()
            #expect(!view.takeSaves().joined().contains("parent"))
            try await converge(owner, guest)
            #expect(owner.read("Item/milk.json") == #"{"what": "oat milk"}"#)
        }
    }

    @Test("One record that the server refuses is held in its words, and the account is not doubted")
    func refusedRecord() async throws {
        try await Self.withZone { owner, guest, view, world in
            view.share(SharedView.zoneShare("READ_WRITE"))
            try await converge(owner, guest)
            world.faults.add(
                FaultRule(
                    .alter(.recordError(ErrorDictionary(.accessDenied, reason: "no write"), recordName: "one.txt")),
                    on: .init(operation: "records/modify")))
            try guest.write("1", to: "one.txt")
            try guest.write("2", to: "two.txt")
            _ = guest.network.takeOperations()
            await guest.session.settle()
            #expect(try await Self.held(guest) == ["one.txt": "permissionDenied"])
            #expect(try await guest.report().held.allSatisfy { $0.message.contains("not for this change") })
            #expect(!guest.network.takeOperations().contains("users/caller"))
            world.faults.removeAll()
            try await guest.sync()
            try await converge(guest, owner)
            #expect(try owner.files() == ["one.txt": "1", "two.txt": "2"])
        }
    }

    @Test(
        "No longer shared: every file stays, nothing is sent or made; shared again, it goes on by itself",
        arguments: [true, false])
    func unshared(isNamed: Bool) async throws {
        try await Self.withZone { owner, guest, view, _ in
            view.share(SharedView.zoneShare("READ_WRITE"))
            try owner.write("1", to: "a.txt")
            try await converge(owner, guest)
            // Where the database's feed does not say so, the zone's own does.
            view.setShared(false, isNamed: isNamed)
            try owner.write("2", to: "unseen.txt")
            try await owner.sync()
            try guest.write("mine", to: "b.txt")
            _ = view.takeSaves()
            _ = guest.network.takeOperations()
            try await guest.sync()
            let report = try await guest.report()
            #expect(report.verdict == .attention)
            #expect(report.held.map(\.code) == ["zoneVanished"] && report.held[0].message.contains("not shared"))
            #expect(try guest.files() == ["a.txt": "1", "b.txt": "mine"])
            #expect(view.takeSaves().isEmpty && !guest.network.takeOperations().contains("zones/modify"))

            view.setShared(true)
            guest.pass(.seconds(120))
            try await guest.sync()
            #expect(try guest.files() == ["a.txt": "1", "b.txt": "mine", "unseen.txt": "2"])
            try await converge(guest, owner)
            #expect(try owner.files() == ["a.txt": "1", "b.txt": "mine", "unseen.txt": "2"])
            #expect(try await guest.report().verdict == .inSync)
        }
    }

    /// What `zonefolder sync` waits for.
    private static func settledReport(of device: EngineDevice) async -> StatusReport? {
        let session = device.session
        let running = Task { await session.run() }
        let report = await session.settledReport(
            daemon: .init(pid: 1, startedMilliseconds: 0), watch: { nil }, timeout: nil)
        await session.stop()
        await running.value
        return report
    }

    @Test("Whoever waits for a folder whose zone is no longer shared is told so, and does not wait for ever")
    func waitingForWhatIsNotShared() async throws {
        try await Self.withZone { owner, guest, view, _ in
            view.share(SharedView.zoneShare("READ_WRITE"))
            try owner.write("1", to: "a.txt")
            try await converge(owner, guest)
            view.setShared(false, isNamed: true)
            #expect(await Self.settledReport(of: guest)?.held.map(\.code) == ["zoneVanished"])
        }
    }

    @Test("Whoever waits for a folder does not wait for a deletion that is held")
    func waitingForHeldDeletion() async throws {
        try await Self.withZone { owner, guest, view, _ in
            view.share(SharedView.zoneShare("READ_ONLY"))
            try owner.write("1", to: "a.txt")
            try await converge(owner, guest)
            try guest.delete("a.txt")
            #expect(await Self.settledReport(of: guest)?.verdict == .attention)
        }
    }

    @Test("A share in one's own zone is no file either, and holds nothing (protocol §3.1)")
    func ownZone() async throws {
        try await EngineWorld.run { world in
            // The owner's feed names the share like everybody's.
            let network = FeedWithShare(world.transport)
            let device = try world.device("laptop", over: network)
            try device.write("1", to: "a.txt")
            for _ in 0..<3 { try await device.sync() }
            #expect(try device.files() == ["a.txt": "1"])
            let report = try await device.report()
            #expect(report.verdict == .inSync && report.records == 1)
            try device.close()
        }
    }
}
