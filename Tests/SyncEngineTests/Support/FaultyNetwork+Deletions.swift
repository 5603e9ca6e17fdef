import CloudKitClient

extension FaultyNetwork {
    /// Lets a record's deletion not go with the save of a note: that comes without it, and the deletion is a request of its own.
    /// - Parameter alone: What becomes of the deletion then.
    func partDeletion(
        of record: String, from note: String, alone: @escaping @Sendable () -> Fate = { unavailable }
    ) {
        let refusals = #"""
            {"records": [{"recordName": "\#(note)", "serverErrorCode": "ATOMIC_ERROR"}, \#
            {"recordName": "\#(record)", "serverErrorCode": "CONFLICT", "reason": "client oplock error updating record"}]}
            """#
        decide { request in
            guard case .bytes(let bytes) = request.body else { return .delivered }
            let body = String(decoding: bytes, as: UTF8.self)
            guard body.contains(#""operationType":"delete""#) else { return .delivered }
            guard body.contains(#""recordName":"\#(note)""#) else { return alone() }
            return .answered(TransportResponse(status: 200, body: Array(refusals.utf8)))
        }
    }

    /// The server is away for a while.
    static var unavailable: Fate { .answered(TransportResponse(status: 503, body: [])) }

    /// Everything arrives from now on.
    func deliverAll() { decide { _ in .delivered } }
}
