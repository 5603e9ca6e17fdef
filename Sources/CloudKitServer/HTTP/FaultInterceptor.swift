package import CloudKitWire

/// Makes requests fail on purpose. An answer is decided before the request is handled.
package protocol FaultInterceptor: Sendable {
    /// The fault for a request; `nil`: none.
    func fault(for request: ObservedRequest) async -> Fault?
}

/// One way in which a request fails (protocol §10.13).
package enum Fault: Sendable {
    /// Any status with any body, instead of handling the request.
    case answer(status: Int, contentType: String, body: [UInt8], headers: [String: String])
    /// An error of the protocol, instead of handling the request.
    case refuse(ErrorDictionary, status: Int)
    /// The connection is cut before anything is committed.
    case cutBeforeCommit
    /// The request is handled and committed, and the connection is cut instead of an answer.
    case cutAfterCommit
}
