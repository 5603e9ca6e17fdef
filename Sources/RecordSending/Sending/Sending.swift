package import CloudKitClient
package import CloudKitWire
package import FolderWriting
package import RecordMapping
package import RecordTrees
package import RequestPacing
package import SyncModel

/// One record operation on its way to the zone, with what both sides will have agreed on once it is saved.
package struct Sending: Sendable {
    package let action: Action
    package let name: RecordName
    package let recordType: String?
    /// Assets that have to be in the zone before the operation can name them.
    package let needs: [AssetNeed]
    /// The operation, once there is an asset with a receipt for each of ``needs``.
    package var operation: @Sendable ([AssetSlot: Asset]) -> RecordOperation
    /// `nil` for a deletion.
    package let draft: AgreedDraft?
    /// The record of another kind that goes with the same request, and only with it; named with its tag.
    package var replaced: Record?
    /// The records of files that become assets of this one: they go with the same request, each named with its tag. One that
    /// cannot go stays, and this is sent without it.
    package var givingWay: [Record] = []
    /// How often it failed before.
    package var attempts = 0
    /// Whether the reserved field is among what is sent, where it is needed.
    package var mayCarryHints = false
    /// What the zone has to have before it takes this.
    package var required: [RequiredRecord] = []

    /// All that goes with the same request.
    var companions: [Record] { [replaced].compactMap(\.self) + givingWay }

    /// The names of all that goes with the same request.
    package var companionNames: [RecordName] { companions.compactMap(\.recordName).map { RecordName($0) } }

    /// The record that is no more once this is done.
    package var deleted: RecordName? {
        draft == nil ? name : replaced?.recordName.map { RecordName($0) }
    }
}

/// What a look at one action before its turn comes to.
package enum Preparation: Sendable {
    case send(Sending)
    /// Nothing that the zone can hold differs: both sides agree as they are.
    case agreed(RecordName, AgreedDraft)
    /// The folder is no longer as planned with: look again.
    case superseded
    /// The file fits its record no more, by what was learnt since it was looked at.
    case misfit(Problem)
    case held(Problem)
}

/// A file whose bytes a field is to hold.
package struct AssetNeed: Sendable {
    package let slot: AssetSlot
    package let path: FolderPath
    package let version: LocalVersion
    /// A field that holds the same bytes in the zone already.
    package let source: ContentSource?
    /// The copy that is sent of a file that never rests.
    package var snapshot: StagedFile?
}

/// What is sent of a file.
package struct SentFile: Sendable {
    package var version: LocalVersion
    /// The copy that has these bytes; `nil`: the file itself, as long as it has them.
    package var snapshot: StagedFile?

    package init(version: LocalVersion, snapshot: StagedFile? = nil) {
        (self.version, self.snapshot) = (version, snapshot)
    }
}

/// The base entry of a record once the server has accepted it; its change tag and checksums come with the answer.
package struct AgreedDraft: Sendable {
    package struct Asset: Sendable {
        package let slot: AssetSlot
        package let path: FolderPath
        package let version: LocalVersion
    }

    package let recordType: String
    package let path: FolderPath
    package let version: LocalVersion
    package let assets: [Asset]
    /// The text of a structured record.
    package let document: [UInt8]?
    /// What is said of who may execute the file; `nil`: what its stamp says.
    package var isExecutable: Bool?
    /// What is said of assets that a person put anew (``AgreedAsset/renewal``).
    package var renewals: [AssetSlot: String] = [:]
    /// Whether the record has more than its file says, which is still to be written into the folder.
    package var isAmended = false

    /// The base entry for the record as the server has it now, or without what only its answer tells.
    package func entry(name: RecordName, remote: RemoteEntry?) -> BaseEntry {
        BaseEntry(
            name: name, recordType: recordType, path: path, hash: version.hash,
            executable: isExecutable ?? version.stamp.executable, changeTag: remote?.changeTag ?? "",
            createdMilliseconds: remote?.createdMilliseconds ?? 0,
            assets: assets.map { asset in
                let stored = remote?.assets.first { $0.field == asset.slot.field && $0.index == asset.slot.index }
                return AgreedAsset(
                    field: asset.slot.field, index: asset.slot.index, path: asset.path, hash: asset.version.hash,
                    checksum: stored?.checksum ?? "", file: asset.version.stamp.file,
                    renewal: renewals[asset.slot] ?? "")
            },
            file: version.stamp.file, modified: version.stamp.modified,
            isPartial: isAmended)
    }
}

/// What became of one sending.
package enum SendResult: Sendable {
    /// How much is known of an operation that failed.
    package enum Refusal: Sendable {
        /// The server refused this very operation.
        case answer
        /// It was never sent, or refused together with others: it was surely not done.
        case unsent
        /// It may have been done.
        case unknown
    }

    /// The record as the server answered it, and those that went with the same request.
    case saved(Record, gone: [RecordName] = [])
    case deleted
    /// The file is no longer what was planned with: look again.
    case superseded
    /// With the server's or the network's word for it (`CloudKitError.word`), and a sentence.
    case refused(ErrorReaction, code: String, reason: String, Refusal = .unsent, RetryObstacle = .server)
    /// The request may have arrived; its answer did not.
    case unanswered(code: String, reason: String)
}
