import CloudKitWire
import Synchronization

/// The queues behind the couriers' URLs, and the requests that wait at them.
///
/// A queue lives in memory: a push is a hint, and a device that lost its courier fetches anyway. One that equals a push
/// still waiting, but for its ID and badge, is left out and only counts, so a queue is never longer than the device has
/// subscriptions and zones.
/// A queue that nobody has asked for as long as a push token lives is forgotten; an empty one at once.
final class Courier: Sendable {
    private struct Queue {
        var waiting: [PushNotification] = []
        var request: (id: UInt64, answer: CheckedContinuation<PushNotification?, Never>)?
        /// When it began, or its device last asked: milliseconds since 1970, UTC.
        var since: Int64

        var isEmpty: Bool { waiting.isEmpty && request == nil }
    }

    private struct State {
        var queues: [String: Queue] = [:]
        var nextID: UInt64 = 0
        var isClosed = false
        var lastPruning: Int64 = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64
    private static let capacity = 256
    private static let lifetime = StoreLimits.pushTokenSeconds * 1000

    /// - Parameter now: Milliseconds since 1970, UTC.
    init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// How many devices have pushes waiting, or a request.
    var count: Int { state.withLock { $0.queues.count } }

    /// Queues pushes, and answers requests that wait for them, at once.
    func deliver(_ pushes: [Push]) {
        prune()
        let now = now()
        for push in pushes {
            let request = state.withLock { state -> CheckedContinuation<PushNotification?, Never>? in
                var queue = state.queues[push.device] ?? Queue(since: now)
                defer { state.queues[push.device] = queue.isEmpty ? nil : queue }
                if let request = queue.request {
                    queue.request = nil
                    return request.answer
                }
                if let same = queue.waiting.firstIndex(where: { $0.saysTheSame(as: push.notification) }) {
                    queue.waiting[same].badge = push.notification.badge
                    return nil
                }
                // Beyond the bound the oldest goes: whoever reads none of 256 pushes has stopped reading.
                if queue.waiting.count == Self.capacity { queue.waiting.removeFirst() }
                queue.waiting.append(push.notification)
                return nil
            }
            request?.resume(returning: push.notification)
        }
    }

    /// The next push for a device; `nil` when the time is up, a newer request took this one's place, the task was
    /// cancelled, or the server shuts down.
    func next(for device: String, within timeout: Duration) async -> PushNotification? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let timer = Mutex<Task<Void, any Error>?>(nil)
        defer { timer.withLock { $0?.cancel() } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                park(continuation, id, device)
                // Not before: a timer that is faster than the request would find nobody to answer.
                timer.withLock {
                    $0 = Task {
                        try await Task.sleep(for: timeout)
                        answer(device, id, with: nil)
                    }
                }
            }
        } onCancel: {
            answer(device, id, with: nil)
        }
    }

    /// Answers every request that waits, and from now on at once.
    func close() {
        let requests = state.withLock { state in
            state.isClosed = true
            let requests = state.queues.values.compactMap(\.request)
            for device in state.queues.keys { state.queues[device]!.request = nil }
            state.queues = state.queues.filter { !$0.value.isEmpty }
            return requests
        }
        for request in requests { request.answer.resume(returning: nil) }
    }

    private func park(_ continuation: CheckedContinuation<PushNotification?, Never>, _ id: UInt64, _ device: String) {
        let isCancelled = Task.isCancelled
        let now = now()
        let (answered, notification) = state.withLock {
            state -> ([CheckedContinuation<PushNotification?, Never>], PushNotification?) in
            var queue = state.queues[device] ?? Queue(since: now)
            defer { state.queues[device] = queue.isEmpty ? nil : queue }
            queue.since = now
            // A device asks once at a time: its older request is one that it gave up.
            let older = queue.request.map { [$0.answer] } ?? []
            queue.request = nil
            if !queue.waiting.isEmpty, !isCancelled { return (older + [continuation], queue.waiting.removeFirst()) }
            if state.isClosed || isCancelled { return (older + [continuation], nil) }
            queue.request = (id, continuation)
            return (older, nil)
        }
        for request in answered.dropLast() { request.resume(returning: nil) }
        // The last is this request where it was answered, else an older one, which gets nothing.
        answered.last?.resume(returning: notification)
    }

    private func answer(_ device: String, _ id: UInt64, with notification: PushNotification?) {
        let request = state.withLock { state -> CheckedContinuation<PushNotification?, Never>? in
            guard var queue = state.queues[device], let request = queue.request, request.id == id else { return nil }
            queue.request = nil
            state.queues[device] = queue.isEmpty ? nil : queue
            return request.answer
        }
        request?.resume(returning: notification)
    }

    /// Once an hour at most: the queues of all devices are looked at.
    private func prune() {
        let now = now()
        state.withLock { state in
            guard now - state.lastPruning >= Self.lifetime / 12 else { return }
            state.lastPruning = now
            state.queues = state.queues.filter { $0.value.request != nil || now - $0.value.since < Self.lifetime }
        }
    }
}

extension PushNotification {
    /// Equal but for the ID and the badge's count.
    fileprivate func saysTheSame(as other: Self) -> Bool {
        var other = other
        other.notificationID = notificationID
        other.badge = badge
        return self == other
    }
}
