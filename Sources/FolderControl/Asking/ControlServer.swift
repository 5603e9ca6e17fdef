public import FolderSettings
import NIOCore
import NIOPosix
public import ServiceLifecycle
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Answers the commands of one folder over its control socket.
///
/// Whoever can open the socket can stop the daemon: it has mode 0600, in a directory that only its owner enters.
/// Requests of one connection are answered in order; connections do not wait for each other, and one too many is
/// refused at once.
///
/// Run it while holding the folder's `FolderLock`.
public struct ControlServer: Service {
    /// How many connections are answered at a time.
    public static let mostConnections = 64

    private let socket: ControlSocket
    private let handler: any ControlHandler
    private let onListening: @Sendable () -> Void

    /// Listens nowhere yet.
    /// - Parameter onListening: Called once commands can connect.
    public init(
        socket: ControlSocket, handler: any ControlHandler, onListening: @escaping @Sendable () -> Void = {}
    ) {
        self.socket = socket
        self.handler = handler
        self.onListening = onListening
    }

    /// The device and inode at a path; `nil` where nothing is there.
    private static func identity(of path: String) -> [UInt64]? {
        var status = stat()
        return lstat(path, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }

    /// Answers until the service group shuts down gracefully or the task is cancelled; then removes the socket.
    /// - Throws: ``ControlError`` where another daemon answers at the socket, or something else is in its place.
    public func run() async throws {
        try await removeStaleSocket()
        let path = socket.path.string
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(SpareDescriptor())
                }
            }
            // Nothing is read before somebody takes the connection.
            .childChannelOption(.autoRead, value: false)
            .bind(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeSucceededFuture(Arrival(channel))
            }
        let own = Self.identity(of: path)
        // Where the folder was mounted anew meanwhile, another daemon's socket may have the path.
        defer { if Self.identity(of: path) == own { unlink(path) } }
        guard chmod(path, 0o600) == 0 else {
            let error = Errno(rawValue: errno)
            try? await listener.channel.close()
            throw ControlError.system(error, socket.path)
        }
        onListening()
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await serve(listener)
        } onCancelOrGracefulShutdown: {
            listener.channel.close(promise: nil)
        }
    }

    // MARK: Connections

    private func serve(_ listener: NIOAsyncChannel<Arrival, Never>) async throws {
        let open = OpenConnections(most: Self.mostConnections)
        await withDiscardingTaskGroup { group in
            // The listener ends by a shutdown or with a broken socket: in both cases nobody can connect any more.
            _ = try? await listener.executeThenClose { connections in
                for try await arrival in connections {
                    group.addTask {
                        let isAllowed = open.enter()
                        // A client that goes away before its answer is its own affair.
                        _ = try? await arrival.connection().executeThenClose { requests, answers in
                            try await converse(requests, answers, isAllowed: isAllowed)
                        }
                        open.leave()
                    }
                }
            }
            group.cancelAll()
        }
    }

    private func converse(
        _ requests: NIOAsyncChannelInboundStream<ByteBuffer>, _ answers: NIOAsyncChannelOutboundWriter<ByteBuffer>,
        isAllowed: Bool
    ) async throws {
        func write(_ answer: ControlAnswer) async throws {
            try await answers.write(ByteBuffer(bytes: ControlCoding.line(answer)))
        }
        guard isAllowed else { return try await write(.error("Too many commands ask this daemon at once; try again.")) }
        var lines = LineBuffer(limit: ControlRequest.longestLine)
        for try await bytes in requests {
            lines.append(bytes)
            do {
                while let line = try lines.next() {
                    guard let request = try? ControlCoding.message(ControlRequest.self, in: line) else {
                        try await write(.error("The daemon knows no such request. It may be of another version."))
                        continue
                    }
                    if request == .reload {
                        try await reload(write)
                        continue
                    }
                    guard request != .stop else {
                        // First the answer: the daemon's end ends the connection.
                        try await write(.stopping)
                        await handler.stop()
                        continue
                    }
                    try await write(answer(to: request))
                }
            } catch is LineBuffer.LineTooLong {
                return try await write(.error("A request has at most \(ControlRequest.longestLine) bytes."))
            }
        }
    }

    /// First the answer: the folder's end ends the connection.
    private func reload(_ write: (ControlAnswer) async throws -> Void) async throws {
        do {
            try await handler.checkConfiguration()
        } catch {
            return try await write(.error("\(error)"))
        }
        try await write(.reloading)
        await handler.reload()
    }

    private func answer(to request: ControlRequest) async -> ControlAnswer {
        switch request {
        case .status(let isOfPath): .status(await handler.status(isOfPath: isOfPath))
        case .settle(let timeout):
            .status(await handler.settledStatus(timeout: timeout.map { .milliseconds($0) }))
        case .plan(let asKnown): .plan(await handler.plan(asKnown: asKnown))
        case .approve(let batch): .approved(await handler.approve(batch: batch))
        case .pause(let milliseconds): await pause(for: milliseconds)
        case .resume: await resume()
        case .reject(let batch): await reject(batch)
        case .account(let change): await answer(to: change)
        case .call(let call): await answer(to: call)
        case .left: await noteLeft()
        case .reload: .reloading
        case .stop: .stopping
        }
    }

    private func reject(_ batch: String) async -> ControlAnswer {
        do {
            return .rejected(try await handler.reject(batch: batch))
        } catch {
            return .error("\(error)")
        }
    }

    private func noteLeft() async -> ControlAnswer {
        await handler.noteLeft()
        return .left
    }

    private func pause(for milliseconds: Int64?) async -> ControlAnswer {
        do {
            return .paused(try await handler.pause(for: milliseconds.map { .milliseconds($0) }))
        } catch {
            return .error("\(error)")
        }
    }

    private func resume() async -> ControlAnswer {
        do {
            return .resumed(try await handler.resume())
        } catch {
            return .error("\(error)")
        }
    }

    private func answer(to change: AccountChange) async -> ControlAnswer {
        do {
            try await handler.change(change)
            return .accountChanged
        } catch {
            return .error("\(error)")
        }
    }

    private func answer(to call: DatabaseCall) async -> ControlAnswer {
        do {
            // Not cut off by the daemon's end: the token that the answer brings would be lost.
            return .called(try await Task { [handler] in try await handler.call(call) }.value)
        } catch {
            return .error("\(error)")
        }
    }

    // MARK: The socket's place

    /// Removes the socket that a killed daemon left. One at which somebody answers stays.
    private func removeStaleSocket() async throws {
        var status = stat()
        guard lstat(socket.path.string, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw ControlError.inTheWay(socket.path) }
        let probe = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: socket.path.string).get()
        if let probe {
            try? await probe.close()
            throw ControlError.inUse(socket.path)
        }
        guard unlink(socket.path.string) == 0 || errno == ENOENT else {
            throw ControlError.system(Errno(rawValue: errno), socket.path)
        }
    }
}

/// A connection that came, and is closed where nobody takes it any more, as one that comes while the listener ends.
///
/// A `NIOAsyncChannel` in its place would end the process: it must not go without having been used.
private final class Arrival: Sendable {
    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    deinit { channel.close(promise: nil) }

    /// The connection, which is read from now on; asked for once.
    func connection() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        let connection = try await channel.eventLoop.submit { [channel] in
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }.get()
        try? await channel.setOption(.autoRead, value: true).get()
        return connection
    }
}

/// Counts the connections that are answered now.
private final class OpenConnections: Sendable {
    private let count = Mutex(0)
    private let most: Int

    init(most: Int) {
        self.most = most
    }

    /// Whether there is room for this one.
    func enter() -> Bool {
        count.withLock { count in
            count += 1
            return count <= most
        }
    }

    func leave() {
        count.withLock { $0 -= 1 }
    }
}
