import Glibc

/// A port of the loopback device that is taken, so that no other test gets it, and at which nobody listens.
struct DeafPort: ~Copyable {
    let number: Int
    private let socket: Int32

    init() throws(DeafPortError) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        self.socket = socket
        number = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else { throw DeafPortError(code: errno) }
    }

    deinit { close(socket) }
}

/// There is no port to be had.
struct DeafPortError: Error {
    let code: Int32
}
