import CloudKitClient
import CloudKitWire
import LocalFolder
import RecordMapping
import SyncModel

/// A record on its way into the folder.
struct Receiving: Sendable {
    let action: Action
    let entry: RemoteEntry
    let record: Record
    /// Assets whose bytes are not in the folder yet.
    let downloads: [AssetSlot: Asset]
    /// Of a file record: what its file is to have besides its bytes; the time in nanoseconds since 1970.
    var isExecutable = false
    var modified: Int64?
    /// How often its download failed before.
    var attempts = 0
    /// Of a file record: whether only this device changed the bytes since both sides agreed.
    var keepsLocalContent = false

    /// Of the disk, while it is received: its assets, and something for its file and what is noted of it.
    var neededBytes: Int64 { downloads.values.reduce(16_384) { $0 + ($1.size ?? 0) } }
}

/// An asset's bytes in staging, under no name yet.
struct Downloaded: Sendable {
    let file: StagedFile
    let hash: ContentHash
    /// For ``AssetNaming``.
    let firstBytes: [UInt8]
}

/// What is to be written for one record: its assets first, then the file that names them.
struct Writing: Sendable {
    enum Content: Sendable {
        /// The bytes of a structured file.
        case bytes([UInt8])
        /// The asset of a file record.
        case staged(StagedFile)
        /// The file has the right bytes already; only the executable bit may differ.
        case keep
    }

    struct AssetFile: Sendable {
        let slot: AssetSlot
        let path: FolderPath
        let file: StagedFile
        let hash: ContentHash
        let checksum: String
        /// The file that is there now.
        let replaces: LocalVersion?
        /// Whether that file has bytes that are nowhere else.
        let keepsCopy: Bool
    }

    let receiving: Receiving
    let path: FolderPath
    var content: Content
    let isExecutable: Bool
    /// Nanoseconds since 1970; `nil` leaves the time of writing.
    let modified: Int64?
    /// The file that is there now, or `nil` where there must be none.
    let replaces: LocalVersion?
    let assets: [AssetFile]
    /// The assets that stay as they are.
    let keptAssets: [AgreedAsset]
    /// Why the person's version goes into a conflict copy first; `nil` where nothing of it is lost.
    var conflict: [String]?
    /// The record's own version of the file, where a merge wrote something else: what both sides agree on.
    let agreed: (document: [UInt8], hash: ContentHash)?
    /// The text of a structured file as written.
    let document: [UInt8]?
    /// Of a file record whose bytes only this device changed: those that both sides agreed on before.
    var agreedHash: ContentHash?
}

/// What became of one writing.
enum WriteResult: Sendable {
    struct Done: Sendable {
        let file: LocalFile
        let assets: [(slot: AssetSlot, file: LocalFile, checksum: String)]
        let conflictCopies: [(copy: FolderPath, original: FolderPath)]
    }

    case done(Done)
    case superseded
    case held(Problem)
    case refused(ErrorReaction, reason: String)
}
