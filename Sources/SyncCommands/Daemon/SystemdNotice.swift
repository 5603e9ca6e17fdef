#if canImport(Glibc)
    import Glibc
#endif

/// Tells the service manager how the daemon stands, where one asks for it.
///
/// One datagram for each notice, to the Unix socket that `NOTIFY_SOCKET` names; an `@` at its beginning stands for the
/// NUL of an abstract address.
/// - SeeAlso: sd_notify(3)
struct SystemdNotice: Sendable {
    private let socketName: String?

    init(environment: ProgramEnvironment) {
        socketName = environment.notifySocket
    }

    /// Sends a notice such as `READY=1`. Nothing here depends on its arrival, so a failure is not reported.
    /// - Parameter waits: Whether to wait for a manager that has more to read than it takes. Else the notice is lost then: a
    ///   manager that hangs holds up no folder.
    func send(_ notice: String, waits: Bool = false) {
        guard let socketName else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(socketName.utf8)
        guard !name.isEmpty, name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        let isAbstract = name[0] == UInt8(ascii: "@")
        if isAbstract { name[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path)!
        let length = socklen_t(pathOffset + name.count + (isAbstract ? 0 : 1))
        let bytes = Array(notice.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
                _ = sendto(descriptor, bytes, bytes.count, flags, $0, length)
            }
        }
    }
}
