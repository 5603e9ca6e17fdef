import CloudKitClient
import CloudKitServer
import CloudKitWire
import FolderControl
import FolderSettings
import FolderWriting
import Foundation
import GRDB
import LocalFolder
import Logging
import StateStorage
import SyncTiming
import SystemPackage

@testable import SessionCore
@testable import SyncEngine

/// A server in this process, and devices of one user that sync a zone with it.
final class CrashWorld: Sendable {
    static let container = "iCloud.org.example.engine"

    let place: FilePath
    let server: WebServicesServer
    let port: Int
    let network: HTTPTransport

    private init(place: FilePath, server: WebServicesServer, port: Int) {
        self.place = place
        self.server = server
        self.port = port
        network = HTTPTransport()
    }

    /// Runs the body with a server of its own, all of which is gone afterwards.
    static func run(_ body: (CrashWorld) async throws -> Void) async throws {
        let place = FilePath(NSTemporaryDirectory()).appending("zf-engine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place.string) }
        var configuration = WebServicesServer.Configuration(dataDirectory: place.appending("server"))
        configuration.port = 0
        var logger = Logger(label: "server")
        logger.logLevel = .error
        let server = try WebServicesServer(configuration: configuration, logger: logger)
        let running = Task { try await server.run() }
        let world = CrashWorld(place: place, server: server, port: try await server.boundPort())
        let result: Result<Void, any Error>
        do { result = .success(try await body(world)) } catch { result = .failure(error) }
        try await world.network.shutdown()
        running.cancel()
        _ = await running.result  // Cancelled on purpose.
        try result.get()
    }

    func device(_ name: String) throws -> CrashDevice {
        let user = try server.store.addUser(name: "ada", container: Self.container, environment: "development")
        return try CrashDevice(name, in: self, user: user)
    }
}

/// One device: a folder, its state, and a session that is begun anew with each start.
final class CrashDevice {
    let name: String
    let folder: FilePath
    let state: StateDirectory
    let transport: CrashingTransport
    let signIn: FaultyTokenStore
    let database: CloudKitDatabase
    let zoneID = ZoneID(zoneName: "Notes")
    private let configuration: FolderConfiguration

    init(_ name: String, in world: CrashWorld, user: NewUser) throws {
        self.name = name
        folder = world.place.appending(name)
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        state = try StateDirectory.create(in: folder)
        transport = CrashingTransport(world.network)
        signIn = FaultyTokenStore(WebAuthToken(user.webAuthToken))
        var configuration = FolderConfiguration(container: CrashWorld.container, zone: "Notes", device: name)
        configuration.server = "http://127.0.0.1:\(world.port)"
        self.configuration = configuration
        var logger = Logger(label: name)
        logger.logLevel = .critical
        database = CloudKitDatabase(
            DatabaseAddress(
                container: configuration.container, environment: .development, scope: .private,
                baseURL: configuration.server),
            session: WebAuthSession(apiToken: user.apiToken, store: signIn),
            transport: transport, logger: logger)
    }

    /// A session as a start of the daemon makes it, from nothing but what is on the disk.
    func start(
        clock: SessionClock = .system, disk: any FolderDisk = LinuxDisk(), filesAtATime: Int? = nil,
        isWatched: Bool = false
    ) throws -> (session: FolderSession, store: StateStore) {
        transport.revive()
        let store = try StateStore(of: state)
        let root = try FolderRoot(opening: folder, on: disk)
        let writer = try FolderWriter(root: root, device: name, clock: clock.wall)
        try writer.cleanStaging()
        var logger = Logger(label: name)
        logger.logLevel = .critical
        var environment = SessionEnvironment(
            configuration: configuration, root: root, writer: writer, store: store, database: database, clock: clock)
        if let filesAtATime { environment.filesAtATime = filesAtATime }
        environment.isWatched = isWatched
        let session = try FolderSession(environment, inbox: Inbox(clock: clock), logger: logger)
        return (session, store)
    }

    /// Starts, syncs all that can be synced, and ends.
    @discardableResult
    func sync(on disk: any FolderDisk = LinuxDisk()) async throws -> StatusReport {
        let (session, store) = try start(disk: disk)
        await session.settle()
        let report = try await session.report(daemon: nil, watch: nil)
        try store.close()
        return report
    }

    /// Starts, and is killed at a request: the server does what it asks, and nobody learns of it.
    func syncUntilKilled(at operation: String, on disk: any FolderDisk = LinuxDisk()) async throws {
        let (session, store) = try start(disk: disk)
        transport.kill(at: operation)
        await session.settle()
        try store.close()
    }

    /// Reads or damages the stored state behind the program's back.
    func inState<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let queue = try DatabaseQueue(path: state.database.string)
        defer { try? queue.close() }
        return try queue.write(body)
    }

    func write(_ text: String, to path: String) throws {
        let file = URL(filePath: folder.appending(path).string)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Over what is at the new path, if anything.
    func move(_ old: String, to new: String) throws {
        guard rename(folder.appending(old).string, folder.appending(new).string) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    func delete(_ path: String) throws {
        try FileManager.default.removeItem(atPath: folder.appending(path).string)
    }

    func read(_ path: String) -> String? {
        try? String(contentsOf: URL(filePath: folder.appending(path).string), encoding: .utf8)
    }

    /// The paths of all files, without the state directory.
    func files() -> Set<String> {
        var names: Set<String> = []
        for case let name as String in FileManager.default.enumerator(atPath: folder.string) ?? .init()
        where !name.hasPrefix(".zonefolder") {
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: folder.appending(name).string, isDirectory: &isDirectory),
                !isDirectory.boolValue
            {
                names.insert(name)
            }
        }
        return names
    }
}
