package import CloudKitClient
package import CloudKitWire
import Crypto
package import FolderWriting
package import RecordMapping
package import SyncModel

/// A record on its way into the folder.
package struct Receiving: Sendable {
    package let action: Action
    package let entry: RemoteEntry
    package let record: Record
    /// Assets whose bytes are not in the folder yet.
    package let downloads: [AssetSlot: AssetDownload]
    /// Assets of which this device knows nothing, whose bytes are in the folder all the same.
    package var found: [AssetSlot: AssetBytes] = [:]
    /// Those that somebody put over equal ones, while this device has others there: they count as changed.
    package var renewedAssets: Set<AssetSlot> = []
    /// Of a file record: what its file is to have besides its bytes; the time in nanoseconds since 1970.
    package var isExecutable = false
    package var modified: Int64?
    /// What other records that are received with it call their assets.
    package var namedBeside: NamedAssets = [:]
    /// How often its download failed before.
    package var attempts = 0
    /// Of a file record: whether only this device changed the bytes since both sides agreed.
    package var keepsLocalContent = false
    /// Whether the folder's file need be no edit of what both sides agreed on: it is merged as one that was made without it.
    package var isOverUnrelated = false

    /// Of the disk, while it is received: its assets, and something for its file and what is noted of it. A file of which nothing
    /// is fetched, as after it was renamed elsewhere, needs nothing.
    package var neededBytes: Int64 {
        let isInPlace = modified != nil && downloads.isEmpty && found.isEmpty
        return isInPlace ? 0 : downloads.values.reduce(16_384) { $0 + ($1.asset.size ?? 0) }
    }
}

/// Assets with a name by their author, by where they belong.
package typealias NamedAssets = [FolderPath: [(record: RecordName, asset: Asset)]]

/// An asset that is to be fetched, and what tells of its bytes.
package struct AssetDownload: Sendable {
    package let asset: Asset
    package let witnesses: AssetWitnesses
    /// Where it belongs by its record; `nil` where that tells nothing.
    package let path: FolderPath?
}

/// An asset's bytes, with every witness of them agreeing.
package struct AssetBytes: Sendable {
    package enum Place: Sendable {
        /// They were fetched, and have no name yet.
        case staging(StagedFile)
        /// A file had them already.
        case folder(FolderPath, LocalVersion)
    }

    package let place: Place
    package let hash: ContentHash
    /// For `AssetNaming`.
    package let firstBytes: [UInt8]
    /// Whether the `sha256` of their record is of others.
    package var isOverStaleHash = false
}

/// What is to be written for one record: its assets first, then the file that names them.
package struct Writing: Sendable {
    package enum Content: Sendable {
        /// The bytes of a structured file.
        case bytes([UInt8])
        /// The asset of a file record.
        case staged(StagedFile)
        /// The file has the right bytes already; only the executable bit may differ.
        case keep
    }

    package struct AssetFile: Sendable {
        package let slot: AssetSlot
        package let path: FolderPath
        package let file: StagedFile
        package let hash: ContentHash
        package let checksum: String
        /// The file that is there now.
        package let replaces: LocalVersion?
        /// Whether that file has bytes that are nowhere else.
        package let keepsCopy: Bool
    }

    /// An asset whose bytes are in the folder already, where the record had them before.
    package struct CarriedAsset: Sendable {
        package let path: FolderPath
        package let source: FolderPath
        /// The file at the source: this device may have edited it meanwhile.
        package let version: LocalVersion
        /// What both sides agree on of it, at its new path.
        package let agreed: AgreedAsset
        /// The file that is at the new path now.
        package let replaces: LocalVersion?
        /// Whether that file has bytes that are nowhere else.
        package let keepsCopy: Bool
        /// Whether nothing else needs the file at its old path, so that it can be moved.
        package var isMoved: Bool
    }

    /// A file that belonged to the record.
    package struct LeftOver: Sendable {
        package let path: FolderPath
        package let version: LocalVersion
    }

    package let receiving: Receiving
    package let path: FolderPath
    package var content: Content
    package let isExecutable: Bool
    /// Nanoseconds since 1970; `nil` leaves the time of writing.
    package let modified: Int64?
    /// The file that is there now, or `nil` where there must be none.
    package let replaces: LocalVersion?
    package let assets: [AssetFile]
    /// The assets that get another path.
    package var carriedAssets: [CarriedAsset] = []
    /// The assets that stay as they are.
    package let keptAssets: [AgreedAsset]
    /// Files that nothing names any more, with the bytes that both sides agreed on: they go into history.
    package var leftOvers: [LeftOver] = []
    /// Assets that this text names no more, with a file that others have a use for.
    package var givenAssets: [AgreedAsset] = []
    /// Records for which alone files are copied first, and that whoever sent this may be about to delete or to change.
    package var awaitedRecords: Set<RecordName> = []
    /// Why the person's version goes into a conflict copy first; `nil` where nothing of it is lost.
    package var conflict: [String]?
    /// The zone's version, where what it has in these fields is lost: it goes into a conflict copy as well.
    package var lostThere: (document: [UInt8], fields: [String])?
    /// The record's own version of the file, where a merge wrote something else: what both sides agree on.
    package let agreed: (document: [UInt8], hash: ContentHash)?
    /// The text of a structured file as written.
    package let document: [UInt8]?
    /// Of a file record whose bytes only this device changed: those that both sides agreed on before.
    package var agreedHash: ContentHash?
    /// Of a file record: whether its `sha256` is of other bytes than came.
    package var isOverStaleHash = false
}

extension Writing {
    /// The path of a file that has the right bytes already.
    package var keptPath: FolderPath? {
        if case .keep = content { path } else { nil }
    }

    /// Of the bytes that are put there; `nil` where the file has the right ones already.
    package var writtenHash: ContentHash? {
        switch content {
        case .bytes(let bytes): ContentHash(bytes: SHA256.hash(data: bytes))!
        case .staged(let file): file.hash
        case .keep: nil
        }
    }

    /// Where files are of which copies are made before assets go there, or what a file record has.
    package var copiedPaths: [FolderPath] {
        assets.filter(\.keepsCopy).map(\.path) + carriedAssets.filter(\.keepsCopy).map(\.path)
            + (document == nil && conflict != nil ? [path] : [])
    }

    /// Where the record's assets are once this is written.
    package var assetPaths: [FolderPath] {
        assets.map(\.path) + carriedAssets.map(\.path) + keptAssets.map(\.path)
    }
}

/// What became of one writing.
package enum WriteResult: Sendable {
    package struct Done: Sendable {
        package let file: LocalFile
        package let assets: [(slot: AssetSlot, file: LocalFile, checksum: String)]
        package let carriedAssets: [(agreed: AgreedAsset, file: LocalFile)]
        /// Files that were moved away or put into history.
        package let removed: [FolderPath]
        package let conflictCopies: [KeptCopy]
    }

    /// A conflict copy, and the file that it is a version of.
    package typealias KeptCopy = (copy: FolderPath, original: FolderPath)

    /// An asset that went where the zone has it, and from where.
    package typealias MovedAsset = (agreed: AgreedAsset, file: LocalFile, source: FolderPath)

    /// What is left of a writing that did not come to its end.
    package struct Remains: Sendable {
        /// What was replaced of a person's before that showed.
        package var copies: [KeptCopy] = []
        /// What could not go back.
        package var moved: [MovedAsset] = []
    }

    case done(Done)
    /// The folder was not as planned with.
    case superseded(Remains = Remains())
    /// It cannot be done now. Where that is another path than the record's own, it is told what stands in the way.
    case held(Problem, Remains = Remains(), at: FolderPath? = nil)
    case refused(ErrorReaction, reason: String)

    /// The same, with what could not go back.
    func leaving(_ moved: [MovedAsset]) -> Self {
        switch self {
        case .superseded(var remains):
            remains.moved = moved
            return .superseded(remains)
        case .held(let problem, var remains, let place):
            remains.moved = moved
            return .held(problem, remains, at: place)
        case .done, .refused: return self
        }
    }
}
