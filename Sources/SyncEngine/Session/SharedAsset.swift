import SyncModel

/// A file that came from the zone as one record's asset, and is others' here as well.
struct SharedAsset: Sendable {
    let hash: ContentHash
    /// When the others are sent if nobody else did.
    let due: SteadyInstant
}
