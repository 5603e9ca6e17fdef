import Synchronization

/// The rules in force, in the order in which they came. A request meets every one that it matches.
package final class FaultBoard: FaultInterceptor {
    private struct State {
        var rules: [StandingFault] = []
        var lastID = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// What is in force, with what it met so far.
    package var rules: [StandingFault] { state.withLock { $0.rules } }

    /// Puts a rule in force, and gives the number to withdraw it by.
    @discardableResult
    package func add(_ rule: FaultRule) -> Int {
        state.withLock { state in
            state.lastID += 1
            state.rules.append(StandingFault(id: state.lastID, rule: rule))
            return state.lastID
        }
    }

    /// Withdraws a rule, and says whether there was one of that number.
    @discardableResult
    package func remove(_ id: Int) -> Bool {
        state.withLock { state in
            let count = state.rules.count
            state.rules.removeAll { $0.id == id }
            return state.rules.count < count
        }
    }

    /// Withdraws every rule.
    package func removeAll() {
        state.withLock { $0.rules = [] }
    }

    package func faults(for request: FaultableRequest) -> [Fault] {
        state.withLock { state in
            state.rules.indices.compactMap { state.rules[$0].meets(request) ? state.rules[$0].rule.fault : nil }
        }
    }
}
