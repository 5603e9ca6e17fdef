/// One record in the last state on which both sides agreed.
///
/// Moved only by an acknowledgement: the server accepted the save, or the file is durable and was verified.
public struct BaseEntry: Hashable, Sendable {
    /// How the file at the record's path stands to it, where the bytes do not tell.
    public enum Standing: Int64, Hashable, Sendable {
        /// It is the record's as long as its bytes are.
        case agreed = 0
        /// A person has put it there since: renamed another record's file over this one's, or took it out of a record that
        /// had come to name it. That is an edit, and the zone gets to know it before the record counts as agreed on.
        case renewed = 1
        /// The zone came to have it as the asset of another record, or has it as both. The device that did so takes this record
        /// away, or who puts another file there or deletes it; should the file be one of its own again before that, a person made
        /// it so.
        case yielded = 2
        /// It is its own, and was sent so since it was taken out of a record that both sides still know with it.
        case confirmed = 3
        /// A person has renamed another record's file over one of its assets, which is as it was. That is to be told like
        /// ``renewed``, and says nothing of its text.
        case renewedAsset = 4
        /// The zone deleted the record: its file is on its way into the history, and then what belonged to it.
        case leaving = 5
    }

    public var name: RecordName
    public var recordType: String
    /// Where the file was; a rename on either side shows as a difference from it.
    public var path: FolderPath
    /// Of the file's bytes; for a structured record, of its JSON text.
    public var hash: ContentHash
    public var executable: Bool
    /// The tag that the next save must carry, as the server gave it for this state.
    public var changeTag: String
    /// When the record was made, by the server's clock: one of the same name that was made later is another record.
    /// 0: not known.
    public var createdMilliseconds: Int64
    public var assets: [AgreedAsset]
    /// The record's own file, wherever it is by now: a rename in the folder is recognised by it. Unknown where another record
    /// was agreed on with that file since.
    public var file: FileIdentity
    /// When the file's bytes last changed, in nanoseconds: a rename keeps it, and a new file that was given the number of an
    /// old one has another. 0: not known.
    public var modified: Int64
    public var standing: Standing
    /// What the record said when somebody last put another file in the place of its own: opaque, compare for equality only.
    /// Empty: nothing. Of a file record its asset says it.
    public var renewal: String
    /// Whether the folder has this version only in part: it is received once more, as if it had changed in the zone.
    public var isPartial: Bool

    /// A record on which both sides agreed.
    public init(
        name: RecordName, recordType: String, path: FolderPath, hash: ContentHash, executable: Bool = false,
        changeTag: String, createdMilliseconds: Int64 = 0, assets: [AgreedAsset] = [], file: FileIdentity,
        modified: Int64 = 0, standing: Standing = .agreed, renewal: String = "", isPartial: Bool = false
    ) {
        self.name = name
        self.recordType = recordType
        self.path = path
        self.hash = hash
        self.executable = executable
        self.changeTag = changeTag
        self.createdMilliseconds = createdMilliseconds
        self.assets = assets
        self.file = file
        self.modified = modified
        self.standing = standing
        self.renewal = renewal
        self.isPartial = isPartial
    }

    /// Whether the zone has the record as it was agreed on.
    public func isUnchanged(in remote: RemoteEntry?) -> Bool { remote?.changeTag == changeTag }

    /// Whether the zone has the record as it was agreed on, and the folder has all of that.
    public func isCurrent(in remote: RemoteEntry?) -> Bool { !isPartial && isUnchanged(in: remote) }

    /// Whether the file counts as edited, whatever its bytes, if it is the record's own.
    public var isRenewed: Bool { [.renewed, .renewedAsset, .yielded].contains(standing) }

    /// Whether the zone has another record of that name by now: it was deleted and made again.
    public func isOfAnotherRecord(than remote: RemoteEntry) -> Bool {
        isOfAnotherRecord(madeAt: remote.createdMilliseconds)
    }

    /// The same for a record of this name that was made at a moment, in milliseconds since 1970 by the server's clock; 0: not
    /// known.
    public func isOfAnotherRecord(madeAt created: Int64) -> Bool {
        created != createdMilliseconds && created != 0 && createdMilliseconds != 0
    }
}
