package import SyncModel
package import SyncTiming

/// Since when files are missing whose records are to be deleted.
///
/// Some editors delete a file, pause for up to 3 s, and rename the new version into place: no deletion is sent before.
package struct MissingFiles: Sendable {
    private var since: [RecordName: SteadyInstant] = [:]

    /// None is missing.
    package init() {}

    /// So long a file may be missing.
    package static let patience = Duration.seconds(3)

    /// Takes over whose files are missing by the plan of now; one that is there in between begins anew.
    package mutating func take(_ names: some Sequence<RecordName>, now: SteadyInstant) {
        since = names.reduce(into: [:]) { missing, name in missing[name] = since[name] ?? now }
    }

    /// When it is certain of some records that their files are gone; `nil` where none of them is missing.
    package func due(_ names: some Sequence<RecordName>) -> SteadyInstant? {
        names.compactMap { since[$0] }.max()?.advanced(by: Self.patience)
    }
}
