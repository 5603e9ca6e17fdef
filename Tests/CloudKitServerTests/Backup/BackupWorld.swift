import CloudKitWire
import Crypto
import Foundation
import GRDB
import SystemPackage
import Testing

@testable import CloudKitServer

/// A server's data that is written without a network, and a place for its backup.
final class BackupWorld: Sendable {
    static let container = "iCloud.example"

    let data: FilePath
    let target: FilePath
    let store: RecordStore
    let files: AssetFiles
    private let caller: Caller

    init(in place: FilePath) throws {
        data = place.appending("data")
        target = place.appending("backup")
        try DataDirectory.make(data)
        let files = try AssetFiles(in: data)
        self.files = files
        store = try RecordStore(
            writer: RecordStore.openPool(at: DataDirectory.database(in: data)),
            holdsAsset: { files.renew($0, size: $1) })
        let user = try store.addUser(name: "ada", container: Self.container, environment: "development")
        caller = try #require(
            try store.caller(
                userRecordName: user.userRecordName, container: Self.container, environment: "development"))
    }

    /// Where a new backup is made before it gets its place.
    var unfinished: FilePath { target.removingLastComponent().appending(".backup.part") }

    /// Saves a record whose `content` has these bytes, as a client does.
    func save(_ name: String, _ bytes: [UInt8]) throws {
        let token = AssetToken(recordType: "File", recordName: name, fieldName: "content")
        let urls = try store.assetUploads(AssetsUploadRequest(zoneID: nil, tokens: [token]), as: caller)
        let upload = try #require(store.assetUpload(at: urls.tokens[0].url!))
        let asset = store.receive(upload, sha256: try files.store(bytes), size: Int64(bytes.count)).singleFile
        let record = CloudKitWire.Record(
            recordName: name, recordType: "File", fields: ["content": Field(.asset(asset))])
        let answer = try store.modify(
            RecordsModifyRequest(operations: [RecordOperation(.forceUpdate, record)], zoneID: nil), as: caller)
        if case .failure(let error) = answer.records[0] { throw error }
    }

    /// Where the data has the file of some bytes that were stored.
    func file(of bytes: [UInt8]) -> FilePath { files.path(Array(SHA256.hash(data: bytes))) }

    /// Removes at once what no record names, as a server does that starts two hours later.
    func sweep() throws {
        try age(files.directory)
        try files.removeUnused(keeping: store.forgetUnusedAssets(), now: StoreSurroundings.system.now())
    }

    @discardableResult
    func backUp(observing observe: @escaping (BackupStep) throws -> Void = { _ in }) throws -> BackupReport {
        try WebServicesServer.backUp(data, to: target, observing: observe)
    }

    /// What a data directory has: the bytes of each record's asset, by the record's name.
    static func contents(of directory: FilePath) throws -> [String: [UInt8]] {
        let named = try DataDirectory.read(directory) { queue in
            try queue.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT r.name, a.sha256 FROM records r JOIN asset_uses u ON u.record_id = r.id
                        JOIN assets a ON a.checksum = u.checksum
                        """
                ).map { row -> (String, [UInt8]) in (row[0], Array(row[1] as Data)) }
            }
        }
        var contents: [String: [UInt8]] = [:]
        for (name, sha256) in named {
            contents[name] = try readFile(directory.appending(AssetCopier.name(of: sha256)))
        }
        return contents
    }
}

/// A world in a directory that is gone afterwards.
func withBackupWorld(_ body: (BackupWorld) async throws -> Void) async throws {
    try await withTemporaryDirectory { place in
        let world = try BackupWorld(in: place)
        try await body(world)
        try world.store.close()
    }
}

/// Whether anything has a name.
func isThere(_ path: FilePath) -> Bool {
    FileManager.default.fileExists(atPath: path.string)
}

/// Sizes and times of all files below a directory but the log's index, which readers in this same process may write.
func trace(_ directory: FilePath) throws -> [String: String] {
    let manager = FileManager.default
    var trace: [String: String] = [:]
    for name in try manager.subpathsOfDirectory(atPath: directory.string) where !name.hasSuffix("-shm") {
        let facts = try manager.attributesOfItem(atPath: directory.appending(name).string)
        trace[name] = "\(facts[.size] ?? "") \(facts[.modificationDate] ?? "") \(facts[.posixPermissions] ?? "")"
    }
    return trace
}
