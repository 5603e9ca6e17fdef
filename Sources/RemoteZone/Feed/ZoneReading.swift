package import CloudKitClient
package import CloudKitWire
import Synchronization

/// Reads the change feeds of several zones of one database in one request (S0.23, S2.7).
///
/// Who comes while a request is under way waits for the next one, which asks for all who wait. Nobody waits for company:
/// who comes alone asks at once. Every folder gets its own zone's answer, and keeps a token of its own.
package final class ZoneReading: Sendable {
    private enum Answer: Sendable {
        case zone(ItemResult<ZoneChanges>)
        case failed(CloudKitError)
    }

    private struct State {
        var lastTicket = 0
        /// Asked for by nobody yet, in the order of their coming.
        var waiting: [(ticket: Int, query: ZoneChangesQuery)] = []
        /// Fetched for somebody who has not taken it yet.
        var answers: [Int: Answer] = [:]
        /// The request of several zones failed, perhaps for one of them: each of these asks by itself.
        var alone: Set<Int> = []

        /// What is asked for together, the ticket's own zone first; it does not wait any more.
        mutating func takeBatch(for ticket: Int, limit: Int) -> [(ticket: Int, query: ZoneChangesQuery)] {
            let others =
                alone.contains(ticket) ? [] : waiting.filter { $0.ticket != ticket && !alone.contains($0.ticket) }
            let batch = waiting.filter { $0.ticket == ticket } + others.prefix(limit - 1)
            let taken = Set(batch.map(\.ticket))
            waiting.removeAll { taken.contains($0.ticket) }
            return batch
        }
    }

    /// Zones of one request: as many pages are in memory at a time.
    private let limit: Int

    private let state = Mutex(State())
    private let reading = SerialGate()

    /// - Parameter limit: Zones of one request at most.
    init(limit: Int = 20) {
        self.limit = limit
    }

    /// How many zones are asked for by nobody yet; for tests.
    var waitingCount: Int { state.withLock(\.waiting.count) }

    /// The next page of a zone, from a request that is sent after this call.
    /// - Parameter database: With the asking folder's credentials, which may serve for others, too. What the server says of
    ///   an account goes to its folder alone, and the others ask with their own.
    /// - Throws: ``CloudKitError``, or `CancellationError`.
    package func page(
        for query: ZoneChangesQuery, asking database: CloudKitDatabase
    ) async throws -> ItemResult<ZoneChanges> {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            state.waiting.append((state.lastTicket, query))
            return state.lastTicket
        }
        defer { forget(ticket) }
        let turn = try await reading.enter()
        let answer: Answer
        if let known = state.withLock({ $0.answers[ticket] }) {
            answer = known
        } else {
            answer = await ask(for: ticket, with: database)
        }
        await reading.leave(turn)
        switch answer {
        case .zone(let page): return page
        case .failed(let error): throw error
        }
    }

    /// Asks for one zone and for others that wait; leaves the answers of those behind.
    private func ask(for ticket: Int, with database: CloudKitDatabase) async -> Answer {
        let batch = state.withLock { $0.takeBatch(for: ticket, limit: limit) }
        do {
            let pages = try await database.zoneChanges(batch.map(\.query))
            state.withLock { state in
                for (asked, page) in zip(batch, pages).dropFirst() { state.answers[asked.ticket] = .zone(page) }
            }
            return .zone(pages[0])
        } catch {
            let others = Array(batch.dropFirst())
            if error.isOfTheAccount {
                state.withLock { $0.waiting += others }
            } else if !others.isEmpty, error.mayBeOfOneZone {
                state.withLock { state in
                    state.waiting += batch
                    state.alone.formUnion(batch.map(\.ticket))
                }
                return await ask(for: ticket, with: database)
            } else {
                state.withLock { state in
                    for asked in others { state.answers[asked.ticket] = .failed(error) }
                }
            }
            return .failed(error)
        }
    }

    private func forget(_ ticket: Int) {
        state.withLock { state in
            state.waiting.removeAll { $0.ticket == ticket }
            state.answers[ticket] = nil
            state.alone.remove(ticket)
        }
    }
}

extension CloudKitError {
    /// Whether the server refused the request, or failed at it, for what it asks for: that may be one of its parts. What asks
    /// everybody to wait, or comes from an edge before the server, is no matter of a zone.
    fileprivate var mayBeOfOneZone: Bool {
        guard let status, status >= 400 else { return false }
        return ![408, 425, 429, 502, 503, 504].contains(status)
    }
}
