import SyncModel

/// What one walk of the directories found: all that a look tells but the bytes of files that changed (``FolderScanner``).
public struct FolderWalk: Sendable {
    var result: ScanResult
    /// Files whose bytes must be read.
    let toHash: [FolderPath]
}
