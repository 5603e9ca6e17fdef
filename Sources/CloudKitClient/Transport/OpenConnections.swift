import NIOCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The connections of a transport that are open now.
final class OpenConnections: Sendable {
    private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

    /// Takes a connection in until it closes.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        channels.withLock { $0[id] = channel }
        channel.closeFuture.whenComplete { [self] _ in
            channels.withLock { _ = $0.removeValue(forKey: id) }
        }
    }

    /// Closes those on which something was sent again and again without an acknowledgement: while the network was away, the
    /// kernel's pauses between two tries grew to a minute and more, and nothing that happens meanwhile shortens them.
    func closeStalled() async {
        for channel in channels.withLock({ Array($0.values) }) {
            guard let options = channel as? any SocketOptionProvider else { continue }
            // One that has closed by now gives none.
            guard let state = try? await options.getTCPInfo().get(), state.tcpi_retransmits > 0 else { continue }
            channel.close(promise: nil)
        }
    }
}
