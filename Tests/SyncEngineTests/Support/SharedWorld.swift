import CloudKitClient
import CloudKitServer
import CloudKitWire
import StateStorage
import SyncModel
import SyncPlanning
import SystemPackage

@testable import FolderSettings
@testable import RemoteZone
@testable import SessionCore
@testable import SyncEngine

/// Two accounts of the product's own server: Ada, whose zone it is, and Bob, with whom she shares it.
struct SharedWorld {
    let world: EngineWorld
    let ada: EngineDevice
    let zoneID = ZoneID(zoneName: "Notes")

    /// Runs a test with a server and Ada's device, whose zone is there and empty.
    static func run(_ body: @Sendable (SharedWorld) async throws -> Void) async throws {
        try await EngineWorld.run { world in
            let ada = try world.device("ada")
            try await ada.sync()
            try await body(SharedWorld(world: world, ada: ada))
            try ada.close()
        }
    }

    /// A device of Bob's with a folder for Ada's zone.
    func bob(_ name: String = "bob", feeds: DatabaseFeeds = DatabaseFeeds()) throws -> EngineDevice {
        let owner = try world.userRecordName()
        return try world.device(name, of: "bob", feeds: feeds) { configuration in
            configuration.database = .shared
            configuration.owner = owner
        }
    }

    /// Lets Ada and Bob go on until neither has anything left to do, past the pause before a deletion.
    func meet(_ bob: EngineDevice) async throws {
        for _ in 0..<2 {
            try await converge(ada, bob)
            for device in [ada, bob] { device.pass(.seconds(5)) }
        }
    }

    /// Ada shares the zone, or a record and what hangs below it, with whoever has the short GUID that this gives.
    func share(_ permission: SharePermission, root: String? = nil) async throws -> String {
        var record = Record(
            recordName: root.map { "share-of-" + $0.replacing("/", with: "-") } ?? RecordSharing.zoneWideShareName,
            recordType: RecordSharing.recordType)
        record.sharing = RecordSharing()
        record.sharing?.publicPermission = permission
        if let root { record.sharing?.forRecord = SharedRoot(recordName: root) }
        let saved = try await modify(RecordOperation(.create, record))
        guard let guid = saved.sharing?.shortGUID else { throw SharedWorldFailure(text: "\(saved)") }
        return guid
    }

    /// Ada changes what everyone may do who joined by the short GUID.
    func change(to permission: SharePermission, root: String? = nil) async throws {
        var record = Record(
            recordName: root.map { "share-of-" + $0.replacing("/", with: "-") } ?? RecordSharing.zoneWideShareName,
            recordType: RecordSharing.recordType)
        record.sharing = RecordSharing()
        record.sharing?.publicPermission = permission
        _ = try await modify(RecordOperation(.forceUpdate, record))
    }

    /// Ada shares the zone no longer.
    func unshare() async throws {
        _ = try await modify(
            RecordOperation(.forceDelete, Record(recordName: RecordSharing.zoneWideShareName)))
    }

    private func modify(_ operation: RecordOperation) async throws -> Record {
        let results = try await ada.session.environment.database.modifyRecords([operation], in: zoneID)
        switch results[0] {
        case .success(let record): return record
        case .failure(let error): throw SharedWorldFailure(text: "\(error)")
        }
    }

    /// Bob takes part.
    func accept(_ guid: String) throws {
        let user = try world.userRecordName(of: "bob")
        guard
            let caller = try world.server.store.caller(
                userRecordName: user, container: EngineWorld.container, environment: "development", scope: .public)
        else { throw SharedWorldFailure(text: "nobody is called bob") }
        let answer = try world.server.store.acceptShares(SharesRequest(shortGUIDs: [ShortGUID(guid)]), as: caller)
        if case .failure(let error)? = answer.results.first { throw SharedWorldFailure(text: "\(error)") }
    }
}

struct SharedWorldFailure: Error {
    var text: String
}
