import GRDB
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
/// finished, if they do not take longer than ``ConnectionLimits/farewell``, and couriers answered at once.
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
    /// Calls to the store, which block while they work. Whoever can hold a thread for long takes turns.
    let pool = NIOThreadPool(numberOfThreads: 8)
    /// Of the four connections with which the database is read, one is left for finding out who calls.
    let readingTurns: Turns<TurnOwner>
    /// One at a time is written; the next one is decoded meanwhile.
    let writingTurns: Turns<TurnOwner>
    /// Reads and writes the bytes of assets, so that a slow disk keeps none of the other requests waiting.
    let filePool = NIOThreadPool(numberOfThreads: 8)
    /// For six of its threads uploads take turns. Two are left for downloads, whose links do not say who has them, and for what
    /// the server does of itself.
    let uploadTurns: Turns<TurnOwner>
    /// Hashes passwords: few at once, so that guesses take neither all memory nor the threads that others wait for.
    let passwordPool = NIOThreadPool(numberOfThreads: 2)
    let signInLimit = Mutex(SignInLimit())
    let logger: Logger
    let faultControl: FaultControl?
    /// `nil` where no fault can come.
    let faults: (any FaultInterceptor)?
    private let directory: DataDirectory
    private let connections = OpenConnections()
    private let port = FirstValue<Int>()

    /// Opens the data directory and removes assets that nothing has named for an hour.
    /// - Throws: ``ServerError`` where another server uses the directory, a later version has written its data, it or the
    ///   certificate cannot be used.
    public init(configuration: Configuration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        let turns = TurnLimits(places: 3, share: 2, waiting: configuration.connections.waitingRequests)
        readingTurns = Turns(turns)
        writingTurns = Turns(turns)
        // Nobody is refused amid an upload. One piece of each waits, so there are no more than connections.
        uploadTurns = Turns(TurnLimits(places: 6, share: 4, waiting: .max))
        faultControl = configuration.faultSecret.map { FaultControl(secret: $0, board: FaultBoard()) }
        faults = configuration.faults ?? faultControl?.board
        certificate = try configuration.tls.map { try ServedCertificate($0, logger: logger) }
        directory = try DataDirectory(locking: configuration.dataDirectory)
        let files = try DataDirectory.writing(directory.path) { [directory] in try AssetFiles(in: directory.path) }
        self.files = files
        // Before anything is written: a full disk has room then.
        files.removeUnused(
            accordingTo: FilePath(DataDirectory.database(in: directory.path)), now: configuration.surroundings.now(),
            logger: logger)
        courier = Courier(now: configuration.surroundings.now)
        store = try DataDirectory.writing(directory.path) { [courier] in
            let store = try RecordStore(
                writer: RecordStore.openPool(at: DataDirectory.database(in: configuration.dataDirectory)),
                surroundings: configuration.surroundings, settings: configuration.store,
                holdsAsset: { files.renew($0, size: $1) }, pushes: { courier.deliver($0) })
            if let cause = try store.beginRun() {
                logger.warning(
                    cause.isOfFullDisk
                        ? "The disk is full: reading and deleting go on, and what is saved is refused until there is room"
                        : "The database cannot be written: reading goes on, and what is saved or deleted fails until it can",
                    metadata: ["directory": "\(configuration.dataDirectory)", "error": "\(cause.words)"])
            }
            return store
        }
        do {
            try files.removeUnused(keeping: store.forgetUnusedAssets(), now: configuration.surroundings.now())
        } catch let error as DatabaseError where error.isOfWriting {
            // Those that could go were found without writing.
        }
    }

    /// Serves until the service group shuts down gracefully or the task is cancelled. Runs once.
    public func run() async throws {
        pool.start()
        filePool.start()
        passwordPool.start()
        let limits = configuration.connections
        let http = HTTPServerBuilder.http1(
            configuration: .init(
                additionalChannelHandlers: [HangUpDetector(), RequestGuard(self.configuration, self.connections)],
                idleTimeout: .init(limits.idle),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headBytes, maxHeaderListSize: limits.headBytes)))
        let application = Application(
            responder: WebServicesResponder(server: self),
            server: try certificate.map { certificate in
                try .tls(http, tlsConfiguration: certificate.configuration(reading: filePool))
            } ?? http,
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: "zonefolder",
                availableConnectionsDelegate: .maximum(limits.count, logger: logger)),
            onServerRunning: { [port] channel in port.fulfill(channel.localAddress?.port ?? 0) },
            logger: logger)
        let outcome: Result<Void, any Error>
        do {
            try await withGracefulShutdownHandler {
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    tasks.addTask { await self.cutOffTheSlow() }
                    tasks.addTask { await AssetSweeper(of: self).run() }
                    defer { tasks.cancelAll() }
                    try await application.run()
                }
            } onGracefulShutdown: {
                self.courier.close()
            }
            outcome = .success(())
        } catch let error as IOError {
            let reason = ServerError.cannotListen(
                configuration.host, configuration.port, Errno(rawValue: error.errnoCode))
            port.fail(reason)
            outcome = .failure(reason)
        } catch let error as SocketAddressError.UnknownHost {
            let reason = ServerError.unknownHost(configuration.host, error.errorDescription)
            port.fail(reason)
            outcome = .failure(reason)
        } catch {
            if !(error is CancellationError) { port.fail(error) }
            outcome = .failure(error)
        }
        courier.close()
        port.fail(ServerError.neverListened)
        try await passwordPool.shutdownGracefully()
        try await filePool.shutdownGracefully()
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

    /// Looks at once whether the certificate was renewed, which else the next connection has done. A server without TLS
    /// says in its log that there is nothing to read.
    public func readCertificate() {
        guard let certificate else {
            logger.warning("There is nothing to read again: the server has no certificate")
            return
        }
        certificate.look()
    }

    /// Closes what is left of the connections some time after graceful shutdown began, and ends the requests under way: a
    /// client that takes its answer or sends its body too slowly, or not at all, would keep the server from ending, and so
    /// would a query of half an hour. Cancelled where none is left, and goes on until then.
    private func cutOffTheSlow() async {
        do {
            try await gracefulShutdown()
            try await Task.sleep(for: configuration.connections.farewell)
        } catch {
            return  // The server has ended.
        }
        let count = connections.closeAll()
        // Nobody is left who would be answered: what waits is not begun, and what is under way ends.
        for turns in [readingTurns, writingTurns, uploadTurns] { turns.close() }
        if count > 0 {
            logger.warning(
                "The server stops, and cut off requests that did not end", metadata: ["connections": "\(count)"])
        }
        // Again and again: a call that has its place may not yet have begun what takes long.
        while !Task.isCancelled {
            store.writer.interrupt()
            try? await Task.sleep(for: Self.interruptions)
        }
    }

    private static let interruptions: Duration = .milliseconds(500)
}
