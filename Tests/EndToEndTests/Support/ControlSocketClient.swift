import Dispatch
import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// Asks a daemon over its control socket, on one connection: a question costs no process.
final class ControlSocketClient: Sendable {
    private let socket: Int32

    /// Connects to the daemon of a folder.
    init(_ folder: RealFolder) throws {
        let pointer = folder.path + "/.zonefolder/control.path"
        let path =
            FileManager.default.fileExists(atPath: pointer)
            ? try String(contentsOfFile: pointer, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            : folder.path + "/.zonefolder/control"
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw TestFailure("\(path) cannot be connected to: \(errno)") }
    }

    deinit {
        close(socket)
    }

    /// What `status` says now, or once everything has settled.
    func verdict(settled: Bool = false) async throws -> String {
        // Not on one of the threads on which the server in this process answers the daemon.
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try self.ask(settled: settled) }) }
        }
    }

    private func ask(settled: Bool) throws -> String {
        struct Answer: Decodable { var status: RealFolder.Report }
        let question = settled ? #"{"request":"settle","timeout_milliseconds":60000}"# : #"{"request":"status"}"#
        let request = Array(question.utf8) + [10]
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw TestFailure("the daemon takes no question: \(errno)")
        }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while line.last != 10 {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw TestFailure("the daemon does not answer: \(errno)") }
            line += buffer.prefix(count)
        }
        return try JSONDecoder().decode(Answer.self, from: Data(line)).status.verdict
    }
}
