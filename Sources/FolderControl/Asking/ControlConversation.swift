import NIOCore

/// What is said over one connection: a line for each request, and one for its answer, in order.
struct ControlConversation: Sendable {
    let handler: any ControlHandler

    /// Answers until the client ends the connection, or sends a line that is too long.
    /// - Parameter isAllowed: Whether there is room for this connection; where there is none, one answer says so.
    func hold(
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
                    let answer = await handler.answer(to: request)
                    // First the answer: the end of the folder or of the daemon ends the connection.
                    try await write(answer)
                    switch answer {
                    case .reloading: await handler.reload()
                    case .stopping: await handler.stop()
                    default: break
                    }
                }
            } catch is LineBuffer.LineTooLong {
                return try await write(.error("A request has at most \(ControlRequest.longestLine) bytes."))
            }
        }
    }
}
