import CloudKitClient
import FolderWatching
public import Logging
public import ServiceLifecycle
import StateStorage
public import SystemPackage

/// The daemon: keeps folders in sync until it is asked to stop.
public struct FolderService: Service {
    private let folders: [FilePath]
    private let logger: Logger
    private let onReady: @Sendable () -> Void

    /// - Parameters:
    ///   - folders: Folders that were set up, each with its own lock and control socket.
    ///   - onReady: Called once every folder answers on its control socket.
    public init(folders: [FilePath], logger: Logger, onReady: @escaping @Sendable () -> Void = {}) {
        self.folders = folders
        self.logger = logger
        self.onReady = onReady
    }

    /// Syncs until a graceful shutdown, a `stop` over the control socket, or cancellation.
    public func run() async throws {
        let transport = HTTPTransport()
        let result: Result<Void, any Error>
        do {
            let open = try folders.map { try OpenFolder($0, transport: transport, watches: true, logger: logger) }
            let started = SessionClock.system.milliseconds
            let ready = Countdown(open.count, then: onReady)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for folder in open {
                    group.addTask { try await run(folder, startedMilliseconds: started, onListening: ready.step) }
                }
                // One folder that was asked to stop stops the daemon.
                try await group.next()
                for folder in open { await folder.session.stop() }
                try await group.waitForAll()
            }
            for folder in open { try folder.store.close() }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try? await transport.shutdown()  // Nothing is under way any more that could be lost.
        try result.get()
    }

    private func run(
        _ folder: OpenFolder, startedMilliseconds: Int64, onListening: @escaping @Sendable () -> Void
    ) async throws {
        let handler = SessionHandler(
            session: folder.session, account: folder.account, watch: folder.watch,
            startedMilliseconds: startedMilliseconds)
        let control = ControlServer(
            socket: try ControlSocket.prepare(for: folder.directory, runtimeDirectory: nil), handler: handler,
            onListening: onListening)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await control.run() }
            if let watch = folder.watch {
                let inbox = folder.inbox
                group.addTask { for await events in watch.events { inbox.receive(events) } }
            }
            group.addTask { await folder.courier.run() }
            group.addTask {
                await withTaskCancellationHandler {
                    await withGracefulShutdownHandler {
                        await folder.session.run()
                    } onGracefulShutdown: {
                        Task { await folder.session.stop() }
                    }
                } onCancel: {
                    Task { await folder.session.stop() }
                }
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

/// Calls once, after a number of steps.
private final class Countdown: Sendable {
    private let left: AtomicCounter
    private let action: @Sendable () -> Void

    init(_ count: Int, then action: @escaping @Sendable () -> Void) {
        left = AtomicCounter(count)
        self.action = action
    }

    @Sendable func step() {
        if left.decrement() == 0 { action() }
    }
}
