import CloudKitWire
import Crypto
import Foundation
import GRDB
import Logging
import Synchronization
import SystemPackage
import Testing

@testable import CloudKitServer

/// The protocol's record; GRDB has a class of the same name.
private typealias Record = CloudKitWire.Record

@Suite("The files of assets")
struct AssetFilesTests {
    private func withFiles(_ body: (AssetFiles) throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            try DataDirectory.make(directory)
            try body(AssetFiles(in: directory))
        }
    }

    private var now: Int64 { StoreSurroundings.system.now() }

    @Test(
        "The same bytes sent again heal a file that is too short or too long, or has others",
        arguments: [[1, 2], [], [1, 2, 3, 4, 5], [1, 2, 3, 5]] as [[UInt8]])
    func healing(damaged: [UInt8]) async throws {
        try await withFiles { files in
            let bytes: [UInt8] = [1, 2, 3, 4]
            let path = files.path(try files.store(bytes))
            try Data(damaged).write(to: URL(fileURLWithPath: path.string))
            try files.store(bytes)
            #expect(try readFile(path) == bytes)
            let uploads = files.directory.removingLastComponent().appending("uploads")
            #expect(try regularFiles(below: uploads) == 0)
        }
    }

    @Test("Only a file that is read to its end is known to be whole", arguments: [0, 1])
    func largeFile(damaged: UInt8) async throws {
        try await withFiles { files in
            let bytes = [UInt8](repeating: 7, count: 3 * AssetReader.pieceSize + 1)
            let asset = try files.store(bytes)
            var stored = bytes
            stored[bytes.count - 1] ^= damaged
            try Data(stored).write(to: URL(fileURLWithPath: files.path(asset).string))
            #expect(AssetReader.holds(asset, files.path(asset)) == (damaged == 0))
        }
    }

    @Test(
        "An asset whose file is damaged is lost where that is seen, not promised, and there once its bytes are sent again",
        arguments: [(nil, 404), ([1, 2], 404), ([1, 2, 4], 200)] as [([UInt8]?, Int)])
    func lostBytes(damaged: [UInt8]?, status: Int) async throws {
        try await withServer(logger: silent) { server in
            try await server.makeZone()
            let saved = try await server.save(server.upload([1, 2, 3], for: "a"), as: "a")
            let path = server.server.files.path(Array(SHA256.hash(data: [1, 2, 3]))).string
            if let damaged {
                try Data(damaged).write(to: URL(fileURLWithPath: path))
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            let promised = try await server.post(
                "assets/rereference",
                #"{"zoneID":{"zoneName":"Folder"},"assets":[{"recordName":"a","fieldName":"content"}]}"#)
            #expect(promised["assets"][0]["serverErrorCode"].string == (status == 404 ? "NOT_FOUND" : nil))
            #expect(try await server.download(saved).status == status)
            _ = try await server.upload([1, 2, 3], for: "b")
            #expect(try await server.download(saved).body == [1, 2, 3])
        }
    }

    @Test("A whole file is kept as it is when the same bytes are sent again, and counts as new")
    func again() async throws {
        try await withFiles { files in
            let asset = try files.store([1])
            // What is written through the link shows whether it is the same file.
            let link = files.directory.removingLastComponent().appending("link").string
            try FileManager.default.linkItem(atPath: files.path(asset).string, toPath: link)
            try age(files.directory)
            try files.store([1])
            let isGone = try files.removeUnused(asset, now: now)
            #expect(!isGone)
            try Data([2]).write(to: URL(fileURLWithPath: link))
            #expect(try readFile(files.path(asset)) == [2])
        }
    }

    @Test("An unused file stays for as long as it was promised, and one that is gone is not promised")
    func promises() async throws {
        try await withFiles { files in
            let asset = try files.store([1])
            try age(files.directory)
            #expect(files.renew(asset))
            let isGone = try files.removeUnused(asset, now: now)
            #expect(!isGone)
            try age(files.directory)
            let isGoneNow = try files.removeUnused(asset, now: now)
            #expect(isGoneNow && !files.renew(asset))
        }
    }

    /// Syncs directories, but fails the first time.
    private final class FailingSync: Sendable {
        private let isFirst = Mutex(true)
        private let names = Mutex<[String]>([])

        var synced: [String] { names.withLock { $0 } }

        func sync(_ directory: FilePath) throws {
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if fails { throw Errno.ioError }
            names.withLock { $0.append(directory.lastComponent?.string ?? "") }
        }
    }

    @Test("A new directory's entry is synced before the first upload into it is stored, also where that failed once")
    func directories() async throws {
        try await withTemporaryDirectory { directory in
            try DataDirectory.make(directory)
            let failing = FailingSync()
            let files = try AssetFiles(in: directory) { try failing.sync($0) }
            #expect(throws: Errno.ioError) { _ = try files.store([1]) }
            #expect(try regularFiles(below: files.directory) == 0)
            let folder = try String(hex(files.store([1])).prefix(2))
            #expect(failing.synced == ["assets", folder])
            try files.store([1])
            #expect(failing.synced == ["assets", folder, folder])
            // Another process cannot know.
            let next = try AssetFiles(in: directory) { try failing.sync($0) }
            try next.store([1])
            #expect(failing.synced == ["assets", folder, folder, "assets", folder])
        }
    }

    @Test("A receipt for bytes that are stored already keeps them, and there is none for bytes that are lost")
    func rereference() async throws {
        try await withFiles { files in
            let store = try RecordStore(writer: DatabaseQueue(), holdsAsset: { files.renew($0, size: $1) })
            let (container, environment) = ("iCloud.example", "development")
            let user = try store.addUser(name: "ada", container: container, environment: environment)
            let caller = try #require(
                try store.caller(userRecordName: user.userRecordName, container: container, environment: environment))
            let token = AssetToken(recordType: "File", recordName: "a", fieldName: "content")
            let urls = try store.assetUploads(AssetsUploadRequest(zoneID: nil, tokens: [token]), as: caller)
            let upload = try #require(store.assetUpload(at: urls.tokens[0].url!))
            let asset = try files.store([1])
            let record = Record(
                recordName: "a", recordType: "File",
                fields: ["content": Field(.asset(store.receive(upload, sha256: asset, size: 1).singleFile))])
            _ = try store.modify(
                RecordsModifyRequest(operations: [RecordOperation(.forceUpdate, record)], zoneID: nil), as: caller)
            let request = AssetsRereferenceRequest(
                zoneID: nil, assets: [.init(recordName: "a", fieldName: "content")])

            try age(files.directory)
            guard case .success(let copy) = try store.rereference(request, as: caller).assets[0] else {
                return #expect(Bool(false), "There is no receipt")
            }
            let isGone = try files.removeUnused(asset, now: now)
            #expect(copy.receipt != nil && !isGone)

            try FileManager.default.removeItem(atPath: files.path(asset).string)
            guard case .failure(let refusal) = try store.rereference(request, as: caller).assets[0] else {
                return #expect(Bool(false), "There is a receipt for nothing")
            }
            #expect(refusal.serverErrorCode == .notFound)
        }
    }

    @Test("Before a database is opened, unused files go and it stays as it is, whether it has a log or none")
    func beforeTheStart() async throws {
        try await withTemporaryDirectory { directory in
            let saved = try await withServer(in: directory) { server in
                try await server.makeZone()
                _ = try await server.save(server.upload([1], for: "a"), as: "a")
                let saved = try await server.save(server.upload([2], for: "a"), as: "a")
                _ = try await server.upload([3], for: "b")
                // The server runs, and what it wrote is in the log alone.
                try clear(directory)
                _ = try await server.upload([4], for: "b")
                return TestServer.link(saved)
            }
            try clear(directory)
            try await withServer(in: directory) { server in
                let path = try #require(saved.firstMatch(of: /\/assets\/.*/)).output
                #expect(try await server.sendRaw("GET", String(path), nil).body == [2])
            }
        }
    }

    private func clear(_ directory: FilePath) throws {
        let files = try AssetFiles(in: directory)
        let database = directory.appending("server.sqlite")
        let before = try readFile(database)
        #expect(try regularFiles(below: files.directory) > 1)
        try age(files.directory)
        files.removeUnused(accordingTo: database, now: now, logger: silent)
        #expect(try regularFiles(below: files.directory) == 1)
        let isAsBefore = try readFile(database) == before
        #expect(isAsBefore)
    }

    private var silent: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    @Test(
        "Where no database says what is used, no file goes before it is opened",
        arguments: [nil, "", "no database"] as [String?])
    func noDatabase(text: String?) async throws {
        try await withFiles { files in
            let asset = try files.store([1])
            let database = files.directory.removingLastComponent().appending("server.sqlite")
            if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: database.string)) }
            try age(files.directory)
            files.removeUnused(accordingTo: database, now: now, logger: silent)
            #expect(files.renew(asset))
        }
    }

    @Test("A database of a later version does not say what is used")
    func laterDatabase() async throws {
        try await withFiles { files in
            let asset = try files.store([1])
            let database = files.directory.removingLastComponent().appending("server.sqlite")
            let store = try RecordStore(writer: RecordStore.openPool(at: database.string))
            try store.writer.write { db in
                try db.execute(sql: "INSERT INTO grdb_migrations (identifier) VALUES ('999: assets elsewhere')")
            }
            try store.close()
            try age(files.directory)
            files.removeUnused(accordingTo: database, now: now, logger: silent)
            #expect(files.renew(asset))
        }
    }
}
