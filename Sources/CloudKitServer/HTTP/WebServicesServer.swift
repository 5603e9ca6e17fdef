import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization
import SystemPackage

/// A CloudKit Web Services server for people and tests: the protocol over HTTP/1.1, with or without TLS, the data in
/// one directory.
///
/// What it answers with success is on disk. Run it in a `ServiceGroup`; on graceful shutdown, requests under way are
/// finished and couriers answered at once.
///
/// ```swift
/// let server = try WebServicesServer(configuration: .init(dataDirectory: "/var/lib/zonefolder"), logger: logger)
/// let ada = try server.store.addUser(name: "ada", container: "iCloud.example", environment: "development")
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
public final class WebServicesServer: Service {
    /// The databases behind the server; calls to it show to clients at once.
    public let store: RecordStore
    let configuration: Configuration
    /// `nil` where it speaks plain HTTP.
    let certificate: ServedCertificate?
    let files: AssetFiles
    let courier: Courier
    let pool = NIOThreadPool(numberOfThreads: 8)
    /// Hashes passwords: few at once, so that guesses take neither all memory nor the threads that others wait for.
    let passwordPool = NIOThreadPool(numberOfThreads: 2)
    let signInLimit = Mutex(SignInLimit())
    let logger: Logger
    let faultControl: FaultControl?
    /// `nil` where no fault can come.
    let faults: (any FaultInterceptor)?
    private let directory: DataDirectory
    private let port = FirstValue<Int>()

    /// Opens the data directory and removes assets that nothing has named for an hour.
    /// - Throws: ``ServerError`` where another server uses the directory, or the certificate cannot be used.
    public init(configuration: Configuration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        faultControl = configuration.faultSecret.map { FaultControl(secret: $0, board: FaultBoard()) }
        faults = configuration.faults ?? faultControl?.board
        certificate = try configuration.tls.map { try ServedCertificate($0, logger: logger) }
        directory = try DataDirectory(locking: configuration.dataDirectory)
        let files = try AssetFiles(in: directory.path)
        self.files = files
        courier = Courier(now: configuration.surroundings.now)
        store = try RecordStore(
            writer: RecordStore.openPool(at: DataDirectory.database(in: directory.path)),
            surroundings: configuration.surroundings, settings: configuration.store,
            holdsAsset: { files.contains($0) },
            pushes: { [courier] in courier.deliver($0) })
        try store.beginRun()
        try files.removeUnused(keeping: store.forgetUnusedAssets(), now: configuration.surroundings.now())
    }

    /// Serves until the service group shuts down gracefully or the task is cancelled. Runs once.
    public func run() async throws {
        pool.start()
        passwordPool.start()
        let limits = configuration.connections
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [HangUpDetector(), RequestGuard(limits)],
                idleTimeout: .init(limits.idle),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes)))
        let application = Application(
            responder: WebServicesResponder(server: self),
            server: try certificate.map { try .tls(http, tlsConfiguration: $0.configuration(reading: pool)) } ?? http,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "zonefolder",
                availableConnectionsDelegate: .maximum(limits.count, logger: logger)),
            onServerRunning: { [port] channel in port.fulfill(channel.localAddress?.port ?? 0) },
            logger: logger)
        let outcome: Result<Void, any Error>
        do {
            try await withGracefulShutdownHandler {
                try await application.run()
            } onGracefulShutdown: {
                self.courier.close()
            }
            outcome = .success(())
        } catch let error as IOError {
            let reason = ServerError.cannotListen(
                configuration.host, configuration.port, Errno(rawValue: error.errnoCode))
            port.fail(reason)
            outcome = .failure(reason)
        } catch {
            outcome = .failure(error)
        }
        courier.close()
        port.fail(ServerError.neverListened)
        try await passwordPool.shutdownGracefully()
        try await pool.shutdownGracefully()
        try store.close()
        directory.unlock()
        try outcome.get()
    }

    /// The port that the server listens on, once it does.
    /// - Throws: ``ServerError`` where the server stopped before.
    public func boundPort() async throws -> Int {
        try await port.value()
    }

    /// Looks at once whether the certificate was renewed, which else the next connection has done.
    public func readCertificate() {
        certificate?.look()
    }
}
