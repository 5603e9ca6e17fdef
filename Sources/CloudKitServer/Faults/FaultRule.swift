/// A fault, and the requests that meet it.
package struct FaultRule: Hashable, Sendable {
    /// Which requests; what is `nil` does not matter.
    package struct Match: Hashable, Sendable {
        /// As ``ObservedRequest/operation`` names it, or its beginning and `*`. Without one, every operation of the
        /// protocol; assets' bytes, the courier and the sign-in page have to be named, or `*`.
        package var operation: String?
        package var container: String?
        /// A user record name.
        package var user: String?
        package var zone: String?

        package init(
            operation: String? = nil, container: String? = nil, user: String? = nil, zone: String? = nil
        ) {
            self.operation = operation
            self.container = container
            self.user = user
            self.zone = zone
        }

        func matches(_ request: FaultableRequest) -> Bool {
            matches(operation: request.operation)
                && container.map { $0 == request.container } ?? true
                && user.map { $0 == request.user } ?? true
                && zone.map { zone in request.zones.contains { $0.utf8.elementsEqual(zone.utf8) } } ?? true
        }

        private func matches(operation asked: String) -> Bool {
            guard let operation else { return RequestTarget.Operation(rawValue: asked) != nil }
            guard operation.hasSuffix("*") else { return operation == asked }
            return asked.hasPrefix(operation.dropLast())
        }
    }

    package var match: Match
    package var fault: Fault
    /// So many requests that match go by first.
    package var after: Int
    /// So many meet the fault then; `nil`: all.
    package var times: Int?
    /// The JSON that the rule was made from, to be shown.
    var source: [UInt8] = Array("null".utf8)

    package init(_ fault: Fault, on match: Match = Match(), after: Int = 0, times: Int? = nil) {
        self.match = match
        self.fault = fault
        self.after = after
        self.times = times
    }
}

/// A rule at work.
package struct StandingFault: Hashable, Sendable {
    package var id: Int
    package var rule: FaultRule
    /// Requests that matched.
    package private(set) var seen = 0
    /// Requests that met the fault.
    package private(set) var hits = 0

    init(id: Int, rule: FaultRule) {
        self.id = id
        self.rule = rule
    }

    /// Whether a request meets the fault; counts it.
    mutating func meets(_ request: FaultableRequest) -> Bool {
        guard rule.match.matches(request) else { return false }
        seen += 1
        guard seen > rule.after, rule.times.map({ hits < $0 }) ?? true else { return false }
        hits += 1
        return true
    }
}
