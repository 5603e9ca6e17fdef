import CloudKitWire
import FolderKnowledge
import RecordSending
import SyncModel

extension Exporter {
    /// The same, with the shared record as the parent of a new one: what hangs below none is not shared.
    func belowSharedRoot(_ sending: Sending) -> Sending {
        guard knowledge.isShared, let root = knowledge.sharing.parentOfNew else { return sending }
        var sending = sending
        let operation = sending.operation
        sending.operation = { assets in
            var operation = operation(assets)
            if operation.kind == .create { operation.record.parent = root.rawValue }
            return operation
        }
        return sending
    }
}
