package import CloudKitWire

extension ZoneID {
    /// One's own zone is the same with and without its owner's name (S0.6).
    package func isSame(as other: ZoneID) -> Bool {
        guard zoneName.utf8.elementsEqual(other.zoneName.utf8) else { return false }
        guard let owner = ownerRecordName, let otherOwner = other.ownerRecordName else { return true }
        return owner.utf8.elementsEqual(otherOwner.utf8)
    }
}
