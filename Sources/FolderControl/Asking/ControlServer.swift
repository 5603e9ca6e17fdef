public import FolderSettings
import NIOCore
import NIOPosix
public import ServiceLifecycle
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
        let conversation = ControlConversation(handler: handler)
        await withDiscardingTaskGroup { group in
            // The listener ends by a shutdown or with a broken socket: in both cases nobody can connect any more.
            _ = try? await listener.executeThenClose { connections in
                for try await arrival in connections {
                    group.addTask {
                        let isAllowed = open.enter()
                        // A client that goes away before its answer is its own affair.
                        _ = try? await arrival.connection().executeThenClose { requests, answers in
                            try await conversation.hold(requests, answers, isAllowed: isAllowed)
                        }
                        open.leave()
                    }
                }
            }
            group.cancelAll()
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
