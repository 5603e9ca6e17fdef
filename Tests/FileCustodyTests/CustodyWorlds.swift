import SyncModel

@testable import FileCustody

/// All facts of a file that two records may have as an asset, besides its own record.
enum CustodyWorlds {
    static let path = FolderPath("Note/a.png")!
    static let here = FileIdentity(device: 1, inode: 7)
    static let elsewhere = FileIdentity(device: 1, inode: 8)
    static let mine = hash(1)
    static let theirs = hash(2)

    static func hash(_ number: UInt8) -> ContentHash { ContentHash(bytes: [UInt8](repeating: number, count: 32))! }

    static func checksum(_ hash: ContentHash) -> String { hash == mine ? "mine" : "theirs" }

    static let file = LocalEntry(
        path: path, stamp: FileStamp(device: 1, inode: 7, size: 1, modified: 5, changed: 5, mode: 0o600), hash: mine,
        form: .file)

    // MARK: A record that has the file as an asset

    /// What a structured file says of the path.
    enum Says: CaseIterable { case namesIt, leftItOut, nothing }

    /// What the zone has of a record.
    enum Zone: CaseIterable { case asAgreed, changed, gone }

    struct Holder {
        var agreed: ContentHash
        var zone: Zone
        var says: Says
        var file: FileIdentity

        static let all = [mine, theirs].flatMap { agreed in
            Zone.allCases.flatMap { zone in
                Says.allCases.flatMap { says in
                    [here, elsewhere].map { Holder(agreed: agreed, zone: zone, says: says, file: $0) }
                }
            }
        }
    }

    static func text(_ name: String) -> FolderPath { FolderPath("Note/\(name).json")! }

    private static func record(_ name: String, _ holder: Holder) -> BaseEntry {
        let asset = AgreedAsset(
            field: "pic", path: path, hash: holder.agreed, checksum: checksum(holder.agreed), file: holder.file)
        return BaseEntry(
            name: RecordName(name), recordType: "Note", path: text(name), hash: hash(9), changeTag: "1",
            assets: [asset], file: FileIdentity(device: 1, inode: 20))
    }

    private static func add(_ name: String, _ holder: Holder, to custody: inout Custody) {
        let record = record(name, holder)
        let checksum = holder.zone == .asAgreed ? checksum(holder.agreed) : "others"
        let zone = RemoteEntry(
            name: record.name, recordType: "Note", changeTag: holder.zone == .asAgreed ? "1" : "2", path: record.path,
            createdMilliseconds: 1, assets: [AssetVersion(field: "pic", checksum: checksum, size: 1)])
        let names = holder.says == .namesIt ? [Attachment(field: "pic", index: nil, path: path)] : []
        let form: FileForm =
            holder.says == .nothing
            ? .held(Problem(.brokenJSON, message: "", remedy: "")) : .structured(recordType: "Note", attachments: names)
        let textHash = holder.says == .namesIt ? hash(9) : hash(8)
        let entry = LocalEntry(
            path: record.path, stamp: FileStamp(device: 1, inode: 20, size: 1, modified: 5, changed: 5, mode: 0o600),
            hash: textHash, form: form)
        custody.assetHolders.append(
            AssetHolder(
                record, zone: holder.zone == .gone ? nil : zone, text: entry, isSilent: holder.says == .nothing))
        guard holder.says == .namesIt else { return }
        var text = NamingText(at: record.path, hash: textHash)
        (text.record, text.isCurrent, text.isBound) = (record, holder.zone == .asAgreed, true)
        custody.texts.append(text)
    }

    // MARK: Its own record

    struct Own {
        var agreed: ContentHash
        var zone: Zone
        var standing: BaseEntry.Standing

        static let all: [Own?] =
            [nil]
            + [mine, theirs].flatMap { agreed in
                Zone.allCases.flatMap { zone in
                    [BaseEntry.Standing.agreed, .renewed, .yielded, .confirmed].map {
                        Own(agreed: agreed, zone: zone, standing: $0)
                    }
                }
            }
    }

    private static func add(_ own: Own, to custody: inout Custody) {
        let record = BaseEntry(
            name: RecordName("own"), recordType: "File", path: path, hash: own.agreed, changeTag: "1",
            assets: [AgreedAsset(field: "content", path: path, hash: own.agreed, checksum: checksum(own.agreed))],
            file: here, standing: own.standing)
        let zone = RemoteEntry(
            name: record.name, recordType: "File", changeTag: own.zone == .asAgreed ? "1" : "2", path: path,
            createdMilliseconds: 1,
            assets: [
                AssetVersion(
                    field: "content", checksum: own.zone == .asAgreed ? checksum(own.agreed) : "others", size: 1)
            ])
        custody.ownHolders = [
            OwnHolder(
                record, zone: own.zone == .gone ? nil : zone, isFileRecord: true, fits: true, isMute: false,
                isBound: custody.texts.isEmpty)
        ]
        guard own.zone != .gone else { return }
        custody.claims = [
            PathClaim(
                zone, record: record, isFileRecord: true, checksum: zone.assets[0].checksum, isHolder: true)
        ]
    }

    // MARK: What is remembered

    /// Nothing, each thing by itself, and all of them.
    static let memories: [Provenance] = {
        let notes: [(inout Provenance) -> Void] = [
            { $0.takenOut = .asked }, { $0.arrived = mine }, { $0.overwritten = [theirs] }, { $0.isUnwatched = true },
        ]
        var all = Provenance()
        for note in notes { note(&all) }
        return [Provenance()]
            + notes.map { note in
                var known = Provenance()
                note(&known)
                return known
            } + [all]
    }()

    /// Where else the file is known: nowhere, or as another record's own that a person moved to here.
    static let places: [[FilePlace]] = [
        [],
        [
            FilePlace(
                AgreedFile(
                    record: RecordName("moved"), path: FolderPath("other.png")!, hash: mine, file: here, modified: 5,
                    isAsset: false), isSeenThere: false, isReplaced: false)
        ],
    ]

    // MARK: Together

    private static func custody(_ first: Holder?, _ second: Holder?, own: Own?) -> Custody {
        var custody = Custody(of: path)
        custody.file = file
        if let first { add("a", first, to: &custody) }
        if let second { add("b", second, to: &custody) }
        if let own { add(own, to: &custody) }
        custody.isKnownAsset = [first, second].contains { $0?.file == here }
        return custody
    }

    /// All of them, of two records and the own one.
    static func forEach(_ body: (Custody) -> Void) {
        let holders: [Holder?] = [nil] + Holder.all
        for (index, first) in holders.enumerated() {
            for second in holders[index...] {
                for own in Own.all {
                    var custody = custody(first, second, own: own)
                    for memory in memories {
                        for places in places {
                            (custody.provenance, custody.otherPlaces) = (memory, places)
                            body(custody)
                        }
                    }
                }
            }
        }
    }
}
