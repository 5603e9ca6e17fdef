import CloudKitClient
import CloudKitServer
import FolderSettings
import Foundation
import Logging
import ServiceLifecycle
import StateStorage
import SystemPackage

@testable import RemoteZone
@testable import SyncService

/// A server in this process, and devices of one user whose folders are real.
final class EngineWorld: Sendable {
    static let container = "iCloud.org.example.engine"

    let place: FilePath
    let server: WebServicesServer
    let port: Int
    let transport: any CloudKitTransport
    /// What the server does wrong.
    let faults: FaultBoard

    private init(
        place: FilePath, server: WebServicesServer, port: Int, transport: any CloudKitTransport, faults: FaultBoard
    ) {
        self.faults = faults
        self.place = place
        self.server = server
        self.port = port
        self.transport = transport
    }

    /// Runs a test in a world of its own, which is gone afterwards.
    /// - Parameter grace: How long the server takes a web auth token after the first use of a newer one; its own by
    ///   default, which only a slow machine outlives.
    static func run(
        grace: Duration? = nil, _ body: @Sendable (EngineWorld) async throws -> Void
    ) async throws {
        let place = FilePath(NSTemporaryDirectory()).appending("zonefolder-engine-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: place.string) }
        try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: true)
        var configuration = WebServicesServer.Configuration(dataDirectory: place.appending("server"))
        configuration.port = 0
        if let grace { configuration.store.webAuthTokenGrace = grace }
        let faults = FaultBoard()
        configuration.faults = faults
        let server = try WebServicesServer(configuration: configuration, logger: quiet)
        let group = ServiceGroup(services: [server], logger: quiet)
        let transport = HTTPTransport()
        let outcome: Result<Void, any Error> = try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let outcome: Result<Void, any Error>
            do {
                let world = EngineWorld(
                    place: place, server: server, port: try await server.boundPort(), transport: transport,
                    faults: faults)
                outcome = .success(try await body(world))
            } catch {
                outcome = .failure(error)
            }
            await group.triggerGracefulShutdown()
            while try await tasks.next() != nil {}
            return outcome
        }
        try await transport.shutdown()
        try outcome.get()
    }

    /// A device with an empty folder, set up for the zone `Notes`.
    /// - Parameters:
    ///   - user: Who is signed in.
    ///   - feeds: Those of the process that it runs in; a process of its own by default.
    ///   - reach: What the process knows of the network; `nil` for a single pass.
    ///   - time: Its steady time, where a test moves it.
    ///   - view: The network between the device and the server, where that is no plain one.
    func device(
        _ name: String, of user: String = "ada", feeds: DatabaseFeeds = DatabaseFeeds(),
        over view: (any CloudKitTransport)? = nil, reach: NetworkReach? = nil, time: HandMovedClock? = nil,
        _ configure: (inout FolderConfiguration) -> Void = { _ in }
    ) throws -> EngineDevice {
        let folder = place.appending(name)
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        var configuration = FolderConfiguration(container: Self.container, zone: "Notes", device: name)
        configuration.server = "http://127.0.0.1:\(port)"
        configure(&configuration)
        let user = try server.store.addUser(
            name: user, container: Self.container, environment: configuration.environment.rawValue)
        try FolderSetup.initialize(
            folder: folder, configuration: configuration,
            credentials: Credentials(apiToken: user.apiToken, webAuthToken: user.webAuthToken))
        return try EngineDevice(
            folder: folder, network: FaultyNetwork(view ?? transport), feeds: feeds, reach: reach, time: time)
    }

    /// How the server names a user.
    func userRecordName(of user: String = "ada") throws -> String {
        try server.store.addUser(name: user, container: Self.container, environment: "development").userRecordName
    }

    static var quiet: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }
}
