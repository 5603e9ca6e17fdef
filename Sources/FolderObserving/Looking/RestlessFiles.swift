package import SyncModel
package import SyncTiming

/// Files that may be written to without a trace, or faster than they can be looked at or sent.
///
/// Of the latter what is sent is a copy, as they stood. How long a file is looked at less and less often, when it counts as one that never rests, and when a copy of it may be
/// sent again, are decided here, from times that are handed in.
package final class RestlessFiles {
    private struct File {
        /// Since when each look found it being written to.
        var unsettledSince: SteadyInstant?
        /// Since when nothing of it was sent as it was, for it had become another one.
        var overtakenSince: SteadyInstant?
        /// When a copy of it was made last.
        var copied: SteadyInstant?
    }

    private var files: [FolderPath: File] = [:]
    /// Files whose times could not tell a further write when they were last read.
    private var unproven: Set<FolderPath> = []
    /// So long a file is expected to rest, and sent without a copy.
    static let patience = Duration.seconds(5)
    /// Between two copies of one file.
    static let pace = Duration.seconds(30)

    // MARK: Stamps

    /// Whether the bytes of a file are what they were when it was last read, if its stamp is.
    package func isProven(_ path: FolderPath) -> Bool { !unproven.contains(path) }

    /// Whether it need not be read where its stamp is what it was.
    func isKnown(byStampAt path: FolderPath) -> Bool { isProven(path) && !isTracked(path) }

    /// The bytes may be others although the stamp is the same: the file is to be read again.
    func doubt(_ path: FolderPath) { unproven.insert(path) }

    /// The same of all files that the store tells so of, and of no others.
    func doubtOnly(_ paths: Set<FolderPath>) { unproven = paths }

    /// A file was read whose times tell any further write.
    func prove(_ path: FolderPath) { unproven.remove(path) }

    /// Nothing is noted of any file.
    func forgetAll() { (files, unproven) = ([:], []) }

    // MARK: Files that do not rest

    /// Whether anything is noted of a file: of most nothing is.
    func isTracked(_ path: FolderPath) -> Bool { files[path] != nil }

    /// How long to wait before a file is looked at again that is being written to: half as long as it has been, so that what
    /// comes to rest is seen soon, and what never does costs little.
    func delay(for path: FolderPath, now: SteadyInstant) -> Duration {
        guard let since = files[path]?.unsettledSince else { return Self.shortestDelay }
        return min(max(since.duration(to: now) / 2, Self.shortestDelay), Self.longestDelay)
    }

    private static let shortestDelay = Duration.milliseconds(30)
    private static let longestDelay = Duration.seconds(8)

    /// Notes that a look found a file being written to, or so young that its times cannot tell.
    func foundUnsettled(_ path: FolderPath, now: SteadyInstant) {
        files[path, default: File()].unsettledSince = files[path]?.unsettledSince ?? now
    }

    /// Notes that a look found a file at rest.
    /// - Parameters:
    ///   - isAgreed: Whether the zone has it so.
    ///   - isOld: Whether it has been at rest for a while: what there is of it now can go out.
    func foundSettled(_ path: FolderPath, isAgreed: Bool, isOld: Bool) {
        guard var file = files[path] else { return }
        file.unsettledSince = nil
        if isAgreed { file.overtakenSince = nil }
        if isOld { file.copied = nil }
        files[path] = file.overtakenSince == nil ? nil : file
    }

    /// Notes that a file was to be sent and had become another one.
    package func overtaken(_ path: FolderPath, now: SteadyInstant) {
        files[path, default: File()].overtakenSince = files[path]?.overtakenSince ?? now
    }

    /// Notes that a copy of a file was made, to be sent.
    package func copied(_ path: FolderPath, now: SteadyInstant) {
        files[path]?.copied = now
    }

    /// A file is gone.
    func forget(_ path: FolderPath) {
        files[path] = nil
        unproven.remove(path)
    }

    /// Whether a file has not been at rest for so long that a copy of it is sent.
    package func neverRests(_ path: FolderPath, now: SteadyInstant) -> Bool {
        guard let file = files[path],
            let since = [file.unsettledSince, file.overtakenSince].compactMap(\.self).min()
        else { return false }
        return since.advanced(by: Self.patience) <= now
    }

    /// The files that have not been at rest for so long.
    func neverResting(now: SteadyInstant) -> Set<FolderPath> {
        Set(files.keys.filter { neverRests($0, now: now) })
    }

    /// When a file may be sent of which a copy was made; `nil`: at once.
    package func due(_ path: FolderPath) -> SteadyInstant? { files[path]?.copied?.advanced(by: Self.pace) }
}
