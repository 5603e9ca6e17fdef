package import CloudKitWire

/// Makes requests fail on purpose. Asked about each request once its body is read, before it is handled.
package protocol FaultInterceptor: Sendable {
    /// The faults of a request, in the order in which they were asked for; empty: none.
    func faults(for request: FaultableRequest) async -> [Fault]
}

/// What a fault can depend on.
package struct FaultableRequest: Hashable, Sendable {
    /// As ``ObservedRequest/operation`` names it.
    package var operation: String
    /// Where the path names one.
    package var container: String?
    /// The user record name, where the request's web auth token tells.
    package var user: String?
    /// The names of the zones that the request is about.
    package var zones: [String] = []

    package init(_ operation: String, container: String? = nil, user: String? = nil, zones: [String] = []) {
        self.operation = operation
        self.container = container
        self.user = user
        self.zones = zones
    }
}

/// One way in which a request fails, or its answer is hostile (protocol §10.13).
package enum Fault: Hashable, Sendable {
    /// Any status with any body, instead of handling the request.
    case answer(status: Int, contentType: String, body: [UInt8], headers: [String: String])
    /// An error of the protocol, instead of handling the request. Its `Retry-After` header is the error's own, unless
    /// another is given.
    case refuse(ErrorDictionary, status: Int, retryAfterHeader: String? = nil)
    /// The connection is cut before anything is committed.
    case cutBeforeCommit
    /// The request is handled and committed, and the connection is cut instead of an answer.
    case cutAfterCommit
    /// The request is handled and committed, and the connection is cut in the middle of the answer's body.
    case cutInBody
    /// The request waits before it is handled.
    case delay(Duration)
    /// The answer's body comes in small pieces, over so long a time.
    case slowBody(over: Duration)
    /// Zones go, as if somebody else had done it, before the request is handled.
    case endZones(ZoneEnd, zone: String?)
    /// The answer is not what the store says; in one zone, or in all that it is about.
    case alter(AnswerFault, zone: String? = nil)
}

/// How zones go.
package enum ZoneEnd: String, Hashable, Sendable, CaseIterable {
    /// By somebody who deletes them.
    case delete
    /// With everything that the app has in the user's database, as from a settings page: every custom zone.
    case purge
    /// They are there again at once, empty, as other zones of the same name: every older token and tag is void.
    case reset
}
