import SyncModel
import Testing

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

@Suite("What the state was learnt of")
struct OriginTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable (inout FolderConfiguration) -> Void
        /// Whether the accounts are the same ones afterwards.
        var keepsAccount = false

        init(
            _ name: String, keepsAccount: Bool = false,
            _ change: @escaping @Sendable (inout FolderConfiguration) -> Void
        ) {
            testDescription = name
            self.keepsAccount = keepsAccount
            self.change = change
        }
    }

    private static let configuration = FolderConfiguration(
        container: "iCloud.org.example.notes", zone: "Notes", device: "laptop")

    /// A folder that is in sync with its zone.
    private func synced(_ folder: TemporaryFolder) throws -> StateStore {
        let store = try folder.store()
        try store.setOrigin(FolderOrigin(Self.configuration))
        try store.updateFacts { facts in
            facts.marker = "marker"
            facts.device = "device"
            facts.account = "_me"
            facts.subscription = "private-changes"
            facts.courierURL = "https://courier.example"
            facts.schema = [1, 2]
            facts.pause = FolderPause(sinceMilliseconds: 5)
        }
        try store.setCreated(true, zone: notes)
        try store.commitOutcomes([agreed("a"), agreed("b", document: [1])])
        try store.commitDatabaseChanges(owed: [], lost: [], token: "d")
        try store.commitPage(
            records: [remote("c")], tombstones: [RecordName("d")], token: "1", moreComing: false, zone: notes)
        try store.updateProblems(set: [.path(FolderPath("a")!): Problem(.tooLarge, message: "m", remedy: "r")], now: 1)
        try store.replaceBatchesAwaitingApproval(with: [
            BatchAwaitingApproval(id: "zone", code: "zone", message: "m", count: 1, sinceMilliseconds: 1)
        ])
        try store.approve(ApprovedDeletions(inZone: [RecordName("a")]), asBatch: "zone", now: 2)
        try store.addConflict(
            ConflictRow(
                copy: FolderPath("a.conflict")!, original: FolderPath("a")!, record: RecordName("a"), fields: [],
                hash: hash(1),
                atMilliseconds: 1))
        return store
    }

    @Test(
        "Nothing of it is believed of another zone, and what would be sent there waits",
        arguments: [
            Row("server and zone") {
                $0.server = "https://other.example"; $0.zone = "Other"
            },
            Row("container") { $0.container = "iCloud.org.example.other" },
            Row("environment") { $0.environment = .production },
            Row("database", keepsAccount: true) {
                $0.database = .shared; $0.owner = "_her"
            },
            Row("zone", keepsAccount: true) { $0.zone = "Other" },
            Row("owner", keepsAccount: true) { $0.owner = "_her" },
            Row("file type", keepsAccount: true) { $0.fileRecordType = "Document" },
        ])
    func another(row: Row) throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        var configuration = Self.configuration
        row.change(&configuration)
        #expect(try store.setOrigin(FolderOrigin(configuration)) == .forgotten)
        try checkForgotten(store, configuration, row)
        // Back again it is another zone once more.
        #expect(try store.setOrigin(FolderOrigin(Self.configuration)) == .forgotten)
        #expect(try store.zone(notes).loss == .reconfigured)
        #expect(try store.zone(notes).token == nil)
    }

    private func checkForgotten(_ store: StateStore, _ configuration: FolderConfiguration, _ row: Row) throws {
        let trees = try store.loadTrees()
        #expect(trees.local.isEmpty && trees.remote.isEmpty && trees.base.isEmpty)
        #expect(trees.tombstones.isEmpty && trees.sent.isEmpty)
        let zones = try store.zones()
        let key = ZoneKey(name: configuration.zone, owner: configuration.owner)
        #expect(zones.map(\.key) == [key])
        #expect(zones.map(\.facts.loss) == [.reconfigured])
        #expect(zones.allSatisfy { $0.facts.token == nil && !$0.facts.created && !$0.facts.complete })
        let facts = try store.facts()
        #expect(facts.databaseToken == nil && facts.subscription == nil && facts.courierURL == nil)
        #expect(facts.schema == nil)
        #expect(facts.account == (row.keepsAccount ? "_me" : nil))
        #expect(facts.marker == "marker" && facts.device == "device" && facts.pause != nil)
        // An approval was for what was planned with the zone before.
        #expect(try store.problems().isEmpty && store.batchesAwaitingApproval().isEmpty)
        #expect(try store.approvedDeletions().isEmpty)
        #expect(try store.conflicts().count == 1)
    }

    @Test("Of a server by another name everything stays, unread, until its account tells whether it is the same one")
    func server() throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        let written = try store.rowsWritten
        let row = Row("server") { $0.server = "https://other.example" }
        var configuration = Self.configuration
        row.change(&configuration)
        #expect(try store.setOrigin(FolderOrigin(configuration)) == .server)
        // Mended before anybody asked: nothing was.
        #expect(try store.setOrigin(FolderOrigin(Self.configuration)) == .none)
        #expect(try store.rowsWritten == written)

        try store.confirmServer(FolderOrigin(configuration))
        #expect(try store.setOrigin(FolderOrigin(configuration)) == .none)
        #expect(try store.zone(notes).token == "1" && store.zone(notes).loss == nil)
        #expect(try store.loadTrees().base.count == 2)
        let facts = try store.facts()
        #expect(facts.account == "_me" && facts.databaseToken == "d" && facts.schema == [1, 2])
        #expect(facts.courierURL == nil)

        #expect(try store.setOrigin(FolderOrigin(Self.configuration)) == .server)
        try store.moveOrigin(to: FolderOrigin(Self.configuration))
        try checkForgotten(store, Self.configuration, row)
        #expect(try store.setOrigin(FolderOrigin(Self.configuration)) == .none)
    }

    @Test("Of the same zone everything is believed, and nothing is written")
    func same() throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        let written = try store.rowsWritten
        var configuration = Self.configuration
        configuration.device = "renamed"
        configuration.pollingInterval = .seconds(5)
        #expect(try store.setOrigin(FolderOrigin(configuration)) == .none)
        #expect(try store.rowsWritten == written)
        #expect(try store.zone(notes).token == "1")
    }

    @Test("A zone that was never reached can be named otherwise without a question")
    func neverReached() throws {
        let folder = try TemporaryFolder()
        let store = try folder.store()
        try store.setOrigin(FolderOrigin(Self.configuration))
        try store.commitLocal(upserts: [local("a")])
        var configuration = Self.configuration
        configuration.zone = "Other"
        #expect(try store.setOrigin(FolderOrigin(configuration)) == .forgotten)
        #expect(try store.zones().isEmpty)
    }

    @Test("A loss that was approved and not yet made good is one for the next zone as well")
    func approvedLoss() throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        var configuration = Self.configuration
        configuration.zone = "Other"
        try store.setOrigin(FolderOrigin(configuration))
        try store.endLoss(of: ZoneKey(name: "Other"))
        try store.setOrigin(FolderOrigin(Self.configuration))
        #expect(try store.zone(notes).loss == .reconfigured)
    }

    @Test("The state of an earlier version is of the zone that is configured (invariant 25)")
    func earlierVersion() throws {
        let folder = try TemporaryFolder()
        let store = try synced(folder)
        _ = try store.write(.durable) { db in try FolderTable.update(db) { $0.origin = nil } }
        #expect(try store.setOrigin(FolderOrigin(Self.configuration)) == .none)
        #expect(try store.facts().origin == FolderOrigin(Self.configuration))
        #expect(try store.zone(notes).token == "1")
        #expect(try store.loadTrees().base.count == 2)
    }
}
