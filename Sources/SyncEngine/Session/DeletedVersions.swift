import SyncModel

/// What was kept already of records whose files were deleted here, before their deletion is sent: nothing is kept twice.
struct DeletedVersions: Sendable {
    /// Records without a file whose text was changed in the zone so that they can be deleted; it was kept then.
    private var lettingGo: Set<RecordName> = []
    /// The change tags of records whose assets were kept.
    private var assets: [RecordName: String] = [:]

    /// Notes that a record lets go of others, and what it said before was kept.
    mutating func noteLettingGo(_ name: RecordName) {
        lettingGo.insert(name)
    }

    /// Whether what a record said was kept when it let go of others. It is asked for once.
    mutating func takeLettingGo(_ name: RecordName) -> Bool {
        lettingGo.remove(name) != nil
    }

    mutating func noteAssets(of name: RecordName, tag: String) {
        assets[name] = tag
    }

    func hasAssets(of name: RecordName, tag: String) -> Bool { assets[name] == tag }

    /// Notes that the record is gone.
    mutating func forgetAssets(of name: RecordName) {
        assets[name] = nil
    }
}
