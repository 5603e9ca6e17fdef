import CloudKitClient
import FolderControl
import FolderSettings
import FolderWatching
public import Logging
import NetworkWatching
import RemoteZone
public import ServiceLifecycle
import SessionCore
import StateStorage
import SyncEngine
import SyncTiming
import Synchronization
public import SystemPackage

/// The daemon: keeps folders in sync until it is asked to stop.
public struct FolderService: Service {
    private let folders: [FilePath]
    let logger: Logger
    private let onReady: @Sendable () -> Void
    private let watchdog: EngineWatchdog?
    private let onAttention: @Sendable (String, AttentionCall) -> Void

    /// How often it is looked whether a folder needs a person, where somebody wants to be told.
    private static let attentionInterval = Duration.seconds(2)

    /// - Parameters:
    ///   - folders: Folders that were set up, each with its own lock and control socket.
    ///   - onReady: Called once every folder answers on its control socket.
    ///   - aliveEvery: How often `onAlive` is called; `nil` where nobody asks for it.
    ///   - onAlive: Called as long as the session of every folder answers.
    ///   - onAttention: Called with the folder's command of `on_attention` where it comes to need a person.
    public init(
        folders: [FilePath], logger: Logger, onReady: @escaping @Sendable () -> Void = {}, aliveEvery: Duration? = nil,
        onAlive: @escaping @Sendable () -> Void = {},
        onAttention: @escaping @Sendable (String, AttentionCall) -> Void = { _, _ in }
    ) {
        self.folders = folders
        self.logger = logger
        self.onReady = onReady
        self.onAttention = onAttention
        watchdog = aliveEvery.map { EngineWatchdog(interval: $0, clock: .system, feed: onAlive) }
    }

    /// Syncs until a graceful shutdown, a `stop` over the control socket, or cancellation.
    /// - Throws: Why the only folder, or the last one, cannot be synced. One of several that fails leaves the others alone.
    public func run() async throws {
        let transport = HTTPTransport()
        let network = NetworkReach(
            clock: .system, connect: transport.connect, onReturn: transport.closeStalledConnections)
        let result: Result<Void, any Error>
        do {
            // Both end when the folders have.
            async let _ = network.run()
            async let _ = watchNetwork(for: network)
            result = .success(try await run(over: transport, network))
        } catch {
            result = .failure(error)
        }
        try? await transport.shutdown()  // Nothing is under way any more that could be lost.
        try result.get()
    }

    /// Tells of links, addresses and routes that come up, where the system does.
    private func watchNetwork(for network: NetworkReach) async {
        do {
            let watcher = try NetworkWatcher()
            for await _ in watcher.arrivals { await network.networkCameUp() }
        } catch {
            logger.notice("Links that come up are not noticed", metadata: ["error": "\(error)"])
        }
    }

    private func run(over transport: HTTPTransport, _ network: NetworkReach) async throws {
        let feeds = DatabaseFeeds()
        var open = try openFolders(over: transport, feeds, network)
        let started = SessionClock.system.milliseconds
        let ready = Countdown(Set(open.keys), then: onReady)
        var lastFailure: (any Error)?
        var told: [Int: String] = [:]
        let sessions = CurrentSessions(open.mapValues(\.session))
        let questions = open.keys.map { number in { @Sendable in await sessions.answer(for: number) } }
        async let _ = watchdog?.run(asking: questions)
        await withTaskGroup(of: (Int, (any Error)?).self) { group in
            let sync = { @Sendable (folder: OpenFolder, number: Int) async -> (Int, (any Error)?) in
                do {
                    try await run(folder, startedMilliseconds: started, onListening: { ready.step(number) })
                    return (number, nil)
                } catch {
                    return (number, error)
                }
            }
            for (number, folder) in open { group.addTask { await sync(folder, number) } }
            for await (number, failure) in group {
                let ended = open.removeValue(forKey: number)
                sessions.set(nil, of: number)
                // Whoever opens the folder next reads it.
                try? await ended?.account.session.flush()
                var failure = failure
                if failure == nil, let ended, await ended.session.isReloading {
                    do {
                        let anew = try reopen(ended, over: transport, feeds, network)
                        open[number] = anew
                        sessions.set(anew.session, of: number)
                        group.addTask { await sync(anew, number) }
                        continue
                    } catch let error {
                        failure = error
                        if Self.isTriedAgain(ended, after: error) {
                            if told.updateValue("\(error)", forKey: number) != "\(error)" {
                                logger.warning(
                                    "The folder cannot be opened again yet, and is tried soon",
                                    metadata: ["folder": "\(ended.directory.folder)", "error": "\(error)"])
                            }
                            open[number] = ended
                            group.addTask {
                                await Self.waitForDisk()
                                return (number, nil)
                            }
                            continue
                        }
                    }
                }
                lastFailure = failure
                if let failure {
                    ready.step(number)
                    log(failure, of: ended?.directory.folder)
                } else {
                    // One folder that was asked to stop stops the daemon.
                    for folder in open.values { await folder.stop() }
                }
                do { try ended?.store.close() } catch { log(error, of: ended?.directory.folder) }
            }
        }
        if let lastFailure { throw lastFailure }
    }

    /// The folders that can be opened, by their numbers.
    private func openFolders(
        over transport: HTTPTransport, _ feeds: DatabaseFeeds, _ network: NetworkReach
    ) throws -> [Int: OpenFolder] {
        var open: [Int: OpenFolder] = [:]
        var firstFailure: (any Error)?
        for (number, folder) in folders.enumerated() {
            do {
                open[number] = try OpenFolder(
                    folder, transport: transport, watches: true, feeds: feeds, network: network, logger: logger)
            } catch {
                firstFailure = firstFailure ?? error
                if folders.count > 1 { log(error, of: folder) }
            }
        }
        if open.isEmpty, let firstFailure { throw firstFailure }
        return open
    }

    private func log(_ failure: any Error, of folder: FilePath?) {
        logger.error(
            "A folder cannot be synced; start it again once that is mended",
            metadata: ["folder": "\(folder?.string ?? "")", "error": "\(failure)"])
    }

    /// Tells of a folder that needs a person, until the task is cancelled.
    private func tell(of handler: SessionHandler, by command: String) async throws {
        var watch = AttentionWatch()
        let clock = SessionClock.system
        while true {
            try await clock.sleep(Self.attentionInterval)
            if let call = watch.call(for: await handler.knownStatus(), at: clock.steady()) {
                onAttention(command, call)
            }
        }
    }

    private func run(
        _ folder: OpenFolder, startedMilliseconds: Int64, onListening: @escaping @Sendable () -> Void
    ) async throws {
        let handler = SessionHandler(
            directory: folder.directory, session: folder.session, account: folder.account, database: folder.database,
            watch: folder.watch,
            traffic: folder.traffic, startedMilliseconds: startedMilliseconds, end: { await folder.stop(toReload: $0) })
        let control = ControlServer(
            socket: try ControlSocket.prepare(for: folder.directory, runtimeDirectory: nil), handler: handler,
            onListening: onListening)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await control.run() }
            group.addTask { await folder.courier.run() }
            group.addTask { try await Self.watchDisk(of: folder) }
            if let command = folder.attentionCommand {
                group.addTask { try await tell(of: handler, by: command) }
            }
            group.addTask {
                await withTaskCancellationHandler {
                    await withGracefulShutdownHandler {
                        await folder.session.run()
                    } onGracefulShutdown: {
                        Task { await folder.stop() }
                    }
                } onCancel: {
                    Task { await folder.stop() }
                }
                if folder.lock.isRemoved { throw StateError.removed(from: folder.directory.folder) }
                throw CancellationError()
            }
            // The first that ends with an error ends the others; `waitForAll()` would wait for all of them first.
            do {
                while try await group.next() != nil {}
            } catch is CancellationError {
                group.cancelAll()
            }
        }
    }
}

/// Calls once, after each of some numbers was named.
private final class Countdown: Sendable {
    private let left: Mutex<Set<Int>>
    private let action: @Sendable () -> Void

    /// - Parameter numbers: Those that have to be named.
    init(_ numbers: Set<Int>, then action: @escaping @Sendable () -> Void) {
        left = Mutex(numbers)
        self.action = action
    }

    func step(_ number: Int) {
        let isLast = left.withLock { $0.remove(number) != nil && $0.isEmpty }
        if isLast { action() }
    }
}
