import Foundation
import Synchronization

/// One request and what was answered.
struct WireExchange: Sendable, CustomStringConvertible {
    var method: String
    /// With its query.
    var target: String
    var body: [UInt8]
    var moment: ContinuousClock.Instant
    /// `nil` while the server holds its answer back.
    var answer: [UInt8]?

    /// The last two parts of the path, such as `records/modify`.
    var operation: String {
        target.prefix { $0 != "?" }.split(separator: "/").suffix(2).joined(separator: "/")
    }

    /// Whether it waits for a push, or asks where to wait.
    var isCourier: Bool { target.hasPrefix("/courier/") || operation.hasPrefix("tokens/") }

    /// Whether it asks what changed.
    var isFetch: Bool { operation.hasPrefix("changes/") }

    var text: String { String(decoding: body, as: UTF8.self) }
    var description: String { "\(method) \(target.prefix { $0 != "?" }) \(text)" }

    /// The body's JSON.
    func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(body)) }
}

/// All that was said over the connections of one proxy.
final class WireRecording: Sendable {
    private let said = Mutex<[WireExchange]>([])

    var exchanges: [WireExchange] { said.withLock { $0 } }

    /// Takes in a request, and gives its number.
    func add(_ exchange: WireExchange) -> Int {
        said.withLock {
            $0.append(exchange)
            return $0.count - 1
        }
    }

    func answer(_ number: Int, _ body: [UInt8]) {
        said.withLock { $0[number].answer = body }
    }
}

/// What goes over one connection: requests and answers in turns.
final class WireConversation: Sendable {
    private struct State {
        var requests = HTTPMessages()
        var answers = HTTPMessages()
        var unanswered: [Int] = []
    }

    private let recording: WireRecording
    private let state = Mutex(State())

    init(in recording: WireRecording) {
        self.recording = recording
    }

    func client(said bytes: some Sequence<UInt8>) {
        state.withLock { state in
            for message in state.requests.take(bytes) {
                let line = message.firstLine.split(separator: " ")
                let number = recording.add(
                    WireExchange(
                        method: line.first.map(String.init) ?? "", target: line.count > 1 ? String(line[1]) : "",
                        body: message.body, moment: .now))
                state.unanswered.append(number)
            }
        }
    }

    func server(said bytes: some Sequence<UInt8>) {
        state.withLock { state in
            for message in state.answers.take(bytes) where !state.unanswered.isEmpty {
                recording.answer(state.unanswered.removeFirst(), message.body)
            }
        }
    }
}

/// Finds the messages in one direction of an HTTP/1.1 connection (RFC 9112): a head, then as many bytes as it names,
/// or chunks. A message without either has no body.
struct HTTPMessages {
    struct Message {
        var firstLine: String
        var body: [UInt8]
    }

    private var bytes: [UInt8] = []

    /// The messages that these bytes bring to their end.
    mutating func take(_ more: some Sequence<UInt8>) -> [Message] {
        bytes += more
        var messages: [Message] = []
        while let (message, length) = first() {
            messages.append(message)
            bytes.removeFirst(length)
        }
        return messages
    }

    private func first() -> (message: Message, length: Int)? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let firstLine = lines.first.map(String.init) ?? ""
        let fields = lines.dropFirst().map { $0.lowercased() }
        if fields.contains(where: { $0.hasPrefix("transfer-encoding:") && $0.contains("chunked") }) {
            return chunks(from: end).map { (Message(firstLine: firstLine, body: $0.body), $0.end) }
        }
        let length = fields.first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
        let last = end + (length ?? 0)
        guard bytes.count >= last else { return nil }
        return (Message(firstLine: firstLine, body: Array(bytes[end..<last])), last)
    }

    private func chunks(from start: Int) -> (body: [UInt8], end: Int)? {
        var body: [UInt8] = []
        var position = start
        while let line = bytes[position...].firstRange(of: [13, 10]) {
            let size = String(decoding: bytes[position..<line.lowerBound], as: UTF8.self).prefix { $0 != ";" }
            guard let count = Int(size, radix: 16), bytes.count >= line.upperBound + count + 2 else { return nil }
            body += bytes[line.upperBound..<line.upperBound + count]
            position = line.upperBound + count + 2
            if count == 0 { return (body, position) }
        }
        return nil
    }
}
