import CNetlink
import Dispatch
import Glibc
import Synchronization

/// Tells when the machine's network comes up: a link, an address or a route (rtnetlink(7)).
///
/// Needs no right. It ends when nobody holds it any more.
public final class NetworkWatcher: Sendable {
    /// An element each time something came up; several that nobody has taken yet are one. For one task.
    public let arrivals: AsyncStream<Void>
    // Dispatch's objects may be used from any thread, and nothing but `cancel` is called once it is made.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Listens from now on.
    /// - Throws: ``NetworkWatchError`` where the system gives no such socket, as in some sandboxes.
    public init() throws(NetworkWatchError) {
        let descriptor = socket(
            AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            NETLINK_ROUTE)
        guard descriptor >= 0 else { throw NetworkWatchError(errno: errno) }
        var address = sockaddr_nl()
        address.nl_family = sa_family_t(AF_NETLINK)
        address.nl_groups = UInt32(
            RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_nl>.size)) == 0
            }
        }
        guard isBound else {
            let error = errno
            close(descriptor)
            throw NetworkWatchError(errno: error)
        }
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        arrivals = stream
        let changes = Mutex(NetworkChanges())
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "network changes"))
        source.setEventHandler {
            if changes.withLock({ Self.read(descriptor, &$0) }) { continuation.yield() }
        }
        source.setCancelHandler {
            close(descriptor)
            continuation.finish()
        }
        source.activate()
        self.source = source
    }

    deinit {
        source.cancel()
    }

    /// Reads all that is there.
    private static func read(_ descriptor: Int32, _ changes: inout NetworkChanges) -> Bool {
        var isUp = false
        // The kernel's messages have at most a page's size, or 8 KiB where pages are larger.
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                if changes.cameUp(in: Array(buffer[..<count])) { isUp = true }
            } else if count < 0, errno == ENOBUFS {
                changes.forget()
                isUp = true
            } else if count == 0 || errno != EINTR {
                return isUp
            }
        }
    }
}

/// The system does not tell of changes of the network.
public struct NetworkWatchError: Error, CustomStringConvertible {
    /// The error of the system call.
    public let errno: Int32

    /// For people.
    public var description: String {
        "The system does not tell when a network comes up: \(String(cString: strerror(errno))). The server is tried "
            + "every few seconds instead."
    }
}
