public import SyncModel

/// A version of a record that is about to be written into the folder, and of which it is not stored yet that both sides have it.
///
/// Where its bytes are found in their place, it was: they are no edit, whatever became of the record meanwhile.
public struct WrittenVersion: Hashable, Sendable {
    /// What both sides agree on once it is written; which files its record has is not known yet.
    public var entry: BaseEntry
    /// The JSON text that both sides agree on then, where that is another one than the file's; `nil` for a file record too.
    public var document: [UInt8]?
    /// Where its file is written; not the agreed path where that was renamed here.
    public var path: FolderPath
    /// Of the file as it is written; of a merge, not what both sides agree on.
    public var hash: ContentHash
    /// The tag of what was agreed on before; `nil` where nothing was.
    public var formerTag: String?
    /// The assets that it has no more, as they were agreed on, and whose files go into the history once it is written.
    public var leftOvers: [AgreedAsset]

    /// A version, and what is written of it.
    public init(
        entry: BaseEntry, document: [UInt8]?, path: FolderPath, hash: ContentHash, formerTag: String?,
        leftOvers: [AgreedAsset] = []
    ) {
        (self.entry, self.document) = (entry, document)
        (self.path, self.hash, self.formerTag) = (path, hash, formerTag)
        self.leftOvers = leftOvers
    }
}
