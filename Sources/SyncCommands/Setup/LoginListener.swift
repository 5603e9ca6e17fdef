import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Waits on this machine's loopback address for the browser to come back from a sign-in, and on standard input for a
/// person to paste what it came back with. Whichever is first counts.
///
/// It answers one kind of request: a GET with a token in its query, as a page that a person looks at. Everything else,
/// such as the browser's wish for an icon, gets 404 and is waited past.
struct LoginListener: ~Copyable {
    private let listener: FileDescriptor

    private static let longestRequest = 64 << 10
    private static let mostConnections = 16

    /// Listens from now on.
    /// - Throws: ``CommandFailure`` where another program has the port.
    init(port: UInt16) throws {
        listener = try Self.listener(on: port)
    }

    deinit {
        try? listener.close()
    }

    /// The token that the sign-in brought. Blocks.
    func token(within limit: Duration) throws -> String {
        let deadline = ContinuousClock.now + limit
        var clients: [(descriptor: FileDescriptor, received: [UInt8])] = []
        defer { for client in clients { try? client.descriptor.close() } }
        var isReadingInput = true
        var typed: [UInt8] = []
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw CommandFailure.signInTimedOut }
            var polled = [pollfd(fd: listener.rawValue, events: Int16(POLLIN), revents: 0)]
            polled.append(pollfd(fd: isReadingInput ? 0 : -1, events: Int16(POLLIN), revents: 0))
            polled += clients.map { pollfd(fd: $0.descriptor.rawValue, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), Int32(left.components.seconds * 1000) + 1000) > 0 else {
                continue
            }

            for index in clients.indices.reversed() where polled[index + 2].revents != 0 {
                let piece = (try? Self.read(clients[index].descriptor)) ?? []
                clients[index].received += piece
                let isWhole = LoginRequest.isWhole(clients[index].received)
                guard piece.isEmpty || isWhole || clients[index].received.count > Self.longestRequest else { continue }
                let token = isWhole ? LoginRequest.token(in: clients[index].received) : nil
                _ = try? clients[index].descriptor.writeAll(LoginRequest.answer(hasToken: token != nil))
                try? clients[index].descriptor.close()
                clients.remove(at: index)
                if let token { return token }
            }
            if polled[0].revents != 0, let client = accept() {
                if clients.count == Self.mostConnections { try? clients.removeFirst().descriptor.close() }
                clients.append((client, []))
            }
            if polled[1].revents != 0 {
                let piece = (try? Self.read(.standardInput)) ?? []
                typed += piece
                isReadingInput = !piece.isEmpty && typed.count < Self.longestRequest
                while let end = typed.firstIndex(of: UInt8(ascii: "\n")) ?? (piece.isEmpty ? typed.endIndex : nil) {
                    let line = String(decoding: typed[..<end], as: UTF8.self)
                    typed.removeSubrange(..<min(end + 1, typed.count))
                    if let token = LoginAnswer.token(in: line) { return token }
                    if line.contains(where: { !$0.isWhitespace }) {
                        StandardError.print(
                            "That holds no token. Paste the whole URL, or the token that the page shows.")
                    }
                    if typed.isEmpty { break }
                }
            }
        }
    }

    private static func listener(on port: UInt16) throws -> FileDescriptor {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw CommandFailure.cannotListen(port, Errno(rawValue: errno)) }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let bound = withUnsafeBytes(of: &address) { bytes in
            bind(descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard bound == 0, listen(descriptor, 8) == 0 else {
            let error = Errno(rawValue: errno)
            close(descriptor)
            throw CommandFailure.cannotListen(port, error)
        }
        return FileDescriptor(rawValue: descriptor)
    }

    private func accept() -> FileDescriptor? {
        let descriptor = Glibc.accept(listener.rawValue, nil, nil)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // A client that does not read its answer must not hold the others up.
        var limit = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return FileDescriptor(rawValue: descriptor)
    }

    private static func read(_ descriptor: FileDescriptor) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
            count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}

/// The browser's request at the end of a sign-in.
enum LoginRequest {
    /// Whether the head has come.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n")
    }

    /// The token in a request that a browser makes to show a page; `nil` for every other one. An image of another page
    /// must not sign a person in.
    static func token(in bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3, words[0] == "GET", words[1].contains("?") else { return nil }
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "sec-fetch-dest" else { continue }
            guard parts[1].drop(while: \.isWhitespace) == "document" else { return nil }
        }
        return LoginAnswer.token(in: words[1])
    }

    /// A page that says how it went.
    static func answer(hasToken: Bool) -> [UInt8] {
        let text = hasToken ? "Signed in. You can close this page." : "Nothing is here."
        let html = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>zonefolder</title></head><body><p>\(text)</p></body></html>

            """
        let head = [
            hasToken ? "HTTP/1.1 200 OK" : "HTTP/1.1 404 Not Found", "Content-Type: text/html; charset=UTF-8",
            "Content-Length: \(html.utf8.count)", "Content-Security-Policy: default-src 'none'",
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + html).utf8)
    }
}
