import SyncModel

extension BaseEntry {
    /// The time to send with a file record whose bytes stay as they are; `nil` where none is to be sent.
    ///
    /// The time says to the others that the file was put anew: it has to be another one then. The same one makes an update of
    /// what would be none, and says nothing beside other fields.
    ///
    /// - Parameters:
    ///   - time: When the file's bytes last changed, in milliseconds since 1970.
    ///   - known: The same of the record in the zone.
    ///   - besidesOthers: Whether other fields are sent.
    func timeToSend(ofFile time: Int64, known: Int64?, besidesOthers: Bool) -> Int64? {
        guard isRenewed else { return nil }
        if standing == .renewed, known == time { return time + 1 }
        return besidesOthers && known == time ? nil : time
    }
}
