import Synchronization

/// The events of one folder, in order, in batches that are never empty; for one consumer.
///
/// A consumer that falls more than 65,536 events behind finds one ``WatchEvent/overflow`` in their place; cookies
/// that arrive after it are still delivered. The sequence ends when the watch is stopped.
public struct WatchEvents: AsyncSequence, Sendable {
    let mailbox: EventMailbox

    /// Waits for batches.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: EventMailbox
        var signals: AsyncStream<Void>.Iterator

        /// The next batch; `nil` when the watch is stopped or the task cancelled.
        public mutating func next() async -> [WatchEvent]? {
            while true {
                let batch = mailbox.takeAll()
                if !batch.isEmpty { return batch }
                guard await signals.next() != nil else {
                    let rest = mailbox.takeAll()
                    return rest.isEmpty ? nil : rest
                }
            }
        }
    }

    /// Starts to wait; call it once.
    public func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: mailbox, signals: mailbox.signals.makeAsyncIterator())
    }
}

/// A bounded buffer between the watching thread and a consumer.
final class EventMailbox: Sendable {
    private struct Buffer {
        var events: [WatchEvent] = []
        var lagged = false
    }

    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let bound: Int
    private let buffer = Mutex(Buffer())

    init(bound: Int = 65_536) {
        self.bound = bound
        (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func post(_ event: WatchEvent) {
        buffer.withLock { buffer in
            if buffer.events.count >= bound {
                buffer.events = [.overflow]
                buffer.lagged = true
            }
            if buffer.lagged, case .changed = event { return }
            buffer.events.append(event)
        }
        signal.yield()
    }

    func takeAll() -> [WatchEvent] {
        buffer.withLock { buffer in
            defer { buffer = Buffer() }
            return buffer.events
        }
    }

    func finish() {
        signal.finish()
    }
}
