import SyncModel
import Testing

@testable import FileCustody

/// The laws of custody, by all facts of a file that two records and its own may have.
@Suite("The laws of custody")
struct CustodyLawTests {
    /// A record that comes with an asset here: one that has it already, or a new one.
    private static func arriving(_ custody: Custody) -> [(record: BaseEntry?, text: FolderPath)] {
        [(nil, CustodyWorlds.text("new"))] + custody.assetHolders.map { ($0.record, $0.record.path) }
    }

    /// Whether any record was agreed on with the file's bytes.
    private static func isAgreed(_ custody: Custody) -> Bool {
        let hash = custody.file?.hash
        return custody.ownHolders.contains { $0.record.hash == hash }
            || custody.assetHolders.contains { $0.record.assets.contains { $0.hash == hash } }
    }

    private static func isCopied(_ custody: Custody, _ arriving: (record: BaseEntry?, text: FolderPath)) -> Bool {
        let hasBytes = arriving.record?.assets.contains { $0.hash == custody.file?.hash } ?? false
        return custody.isCopied(beforeAssetOf: arriving.record, at: arriving.text, hasBytesElsewhere: hasBytes)
    }

    @Test("Bytes that are only here, and did not come from the zone, are never replaced without a copy")
    func copies() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard !Self.isAgreed(custody), custody.provenance.arrived == nil else { return }
            for arriving in Self.arriving(custody) {
                seen += 1
                if !Self.isCopied(custody, arriving) { broken += 1 }
            }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test("What a person takes out of a record, with the bytes that it has there, is copied whatever comes to its path")
    func takenOut() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            let isTakenOut = custody.assetHolders.contains { holder in
                holder.record.assets.contains { $0.hash == custody.file?.hash }
                    && !(holder.text?.form.attachments.contains { $0.path == custody.path } ?? false)
                    && holder.text?.hash != holder.record.hash
            }
            guard isTakenOut else { return }
            seen += 1
            if !custody.isCopied(beforeContentOf: custody.ownHolder?.record, isChangedHere: false) { broken += 1 }
            let new = CustodyWorlds.text("new")
            if !custody.isCopied(beforeAssetOf: nil, at: new, hasBytesElsewhere: true) { broken += 1 }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test("What somebody put over an equal file for another record is none of this one's versions")
    func putAnew() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard custody.assetHolders.count == 2, let arriving = custody.assetHolders.first?.record,
                custody.assetHolders[1].zone?.changeTag == custody.assetHolders[1].record.changeTag,
                custody.assetHolders.allSatisfy({ $0.record.assets[0].hash == custody.file?.hash })
            else { return }
            seen += 1
            var told = custody
            told.assetHolders[1].record.assets[0].renewal = "2"
            if !told.isCopied(beforeAssetOf: arriving, at: arriving.path, hasBytesElsewhere: true) { broken += 1 }
        }
        #expect(seen > 1000 && broken == 0)
    }

    /// A record that had an asset with the file's bytes at another path.
    private static func arrivingWithAsset(of file: FileIdentity) -> (asset: AgreedAsset, record: BaseEntry) {
        let asset = AgreedAsset(
            field: "pic", path: FolderPath("Note/b.png")!, hash: CustodyWorlds.mine, checksum: "mine", file: file)
        let record = BaseEntry(
            name: RecordName("new"), recordType: "Note", path: CustodyWorlds.text("new"), hash: CustodyWorlds.hash(9),
            changeTag: "1", assets: [asset], file: FileIdentity(device: 1, inode: 20))
        return (asset, record)
    }

    @Test("An asset that comes to where an equal file of its own is is told of as another file")
    func comesToAnEqualOne() {
        var (seen, broken) = (0, 0)
        let (known, record) = Self.arrivingWithAsset(of: CustodyWorlds.elsewhere)
        CustodyWorlds.forEach { custody in
            guard custody.ownHolder?.record.hash == known.hash else { return }
            seen += 1
            if !custody.isToldAnew(known, of: record) { broken += 1 }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test("An asset that a person moved over another record's equal one is told of as another file")
    func comesToAnothers() {
        var (seen, broken) = (0, 0)
        let (known, record) = Self.arrivingWithAsset(of: CustodyWorlds.here)
        CustodyWorlds.forEach { custody in
            let isAnothers = custody.assetHolders.contains { holder in
                holder.zone?.changeTag == holder.record.changeTag && holder.record.assets[0].hash == known.hash
            }
            guard isAnothers else { return }
            seen += 1
            if !custody.isToldAnew(known, of: record) { broken += 1 }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test("A file that a person put over an equal asset is told of with whatever is sent of its record")
    func putOverAnEqualOne() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard custody.isFromElsewhere, !custody.isKnownAsset, let record = custody.assetHolders.first?.record,
                record.assets[0].path == custody.path, record.assets[0].hash == custody.file?.hash
            else { return }
            seen += 1
            if !custody.isToldAnew(record.assets[0], of: record) { broken += 1 }
        }
        #expect(seen > 1000 && broken == 0)
    }

    @Test(
        "A file of which the zone has a record of its own is copied before what another one brings, wherever that has it"
    )
    func itsOwn() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard let own = custody.ownHolder, own.zone != nil, !own.isOutdated, custody.provenance.arrived == nil
            else { return }
            seen += 1
            let isCopied = custody.isCopied(
                beforeAssetOf: nil, at: CustodyWorlds.text("new"), hasBytesElsewhere: true)
            if !isCopied { broken += 1 }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test(
        "For a file whose own record has other bytes in the zone by now no copy is made that none without it would need"
    )
    func outdated() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard let own = custody.ownHolder, own.isOutdated, own.record.hash == custody.file?.hash else { return }
            seen += 1
            var later = custody
            later.ownHolders[0].zone = nil
            for arriving in Self.arriving(custody)
            where Self.isCopied(custody, arriving) != Self.isCopied(later, arriving) { broken += 1 }
        }
        #expect(seen > 1000 && broken == 0)
    }

    @Test(
        "That a file was sent as one of its own counts for as long as both sides know the record that it was taken from"
    )
    func sentAsItsOwn() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard custody.ownHolder?.record.standing == .confirmed else { return }
            seen += 1
            var agreed = custody
            agreed.ownHolders[0].record.standing = .agreed
            for arriving in Self.arriving(custody) {
                let isCopied = Self.isCopied(custody, arriving)
                let expected = custody.assetHolders.isEmpty ? Self.isCopied(agreed, arriving) : true
                if isCopied != expected { broken += 1 }
            }
        }
        #expect(seen > 1000 && broken == 0)
    }

    @Test(
        "Records are waited for only where a file is copied that the zone has all of, and nobody needs a copy without them"
    )
    func recordsToGo() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            for arriving in Self.arriving(custody) {
                let hasBytes = arriving.record?.assets.contains { $0.hash == custody.file?.hash } ?? false
                let names = custody.recordsToGo(
                    beforeAssetOf: arriving.record, at: arriving.text, hasBytesElsewhere: hasBytes)
                guard !names.isEmpty else { continue }
                seen += 1
                var later = custody
                for index in later.ownHolders.indices { later.ownHolders[index].zone = nil }
                for index in later.assetHolders.indices where names.contains(later.assetHolders[index].record.name) {
                    later.assetHolders[index].zone = nil
                }
                let isAgreed = Self.isAgreed(custody) || custody.provenance.arrived != nil
                if names.contains(arriving.record?.name ?? RecordName("")) || Self.isCopied(later, arriving)
                    || !isAgreed
                {
                    broken += 1
                }
            }
        }
        #expect(seen > 1000 && broken == 0)
    }

    @Test("A file is a new file record's once nobody has it as an asset, if the zone has those bytes for that one here")
    func heir() throws {
        let asset = AgreedAsset(
            field: "pic", path: CustodyWorlds.path, hash: CustodyWorlds.mine, checksum: "mine", file: CustodyWorlds.here
        )
        for (checksum, hash, isFile, isNamed, isExpected) in [
            ("mine", CustodyWorlds.mine, true, false, true), ("other", CustodyWorlds.mine, true, false, false),
            ("mine", CustodyWorlds.theirs, true, false, false), ("mine", CustodyWorlds.mine, false, false, false),
            ("mine", CustodyWorlds.mine, true, true, false),
        ] as [(String, ContentHash, Bool, Bool, Bool)] {
            var custody = Custody(of: CustodyWorlds.path)
            custody.file = CustodyWorlds.file
            custody.file?.hash = hash
            let zone = RemoteEntry(
                name: RecordName("file"), recordType: "File", changeTag: "3", path: CustodyWorlds.path,
                createdMilliseconds: 1, assets: [AssetVersion(field: "content", checksum: checksum, size: 1)])
            custody.claims = [PathClaim(zone, record: nil, isFileRecord: isFile, checksum: checksum, isHolder: true)]
            if isNamed { custody.texts = [NamingText(at: CustodyWorlds.text("new"), hash: nil)] }
            let heir = custody.heir(of: asset)
            #expect((heir != nil) == isExpected, "\(checksum) \(isFile) \(isNamed)")
            guard let heir else { continue }
            #expect(heir.name == zone.name && heir.changeTag == "3" && heir.isPartial && heir.hash == hash)
            #expect(heir.assets.map(\.checksum) == ["mine"] && heir.file == CustodyWorlds.here)
        }
    }

    @Test("What a person put where a file was moved away from is no edit of that one")
    func movedAway() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard let agreed = custody.ownHolder?.record.hash, custody.isAttachedAsAgreed(agreed) else { return }
            seen += 1
            var moved = custody
            moved.ownHolders[0].record.file = .unknown
            if moved.isAttachedAsAgreed(agreed) { broken += 1 }
        }
        #expect(seen > 50 && broken == 0)
    }

    @Test("What came with one record is no edit of another one's asset, once the first is known to have it no more")
    func remnants() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard let known = custody.assetHolders.first?.record, known.assets[0].hash == CustodyWorlds.theirs else {
                return
            }
            seen += 1
            let isNote = custody.provenance.arrived == CustodyWorlds.mine
            let isOver = custody.provenance.overwritten.contains(CustodyWorlds.theirs)
            let isHeld = custody.assetHolders.contains { $0.record.assets[0].hash == CustodyWorlds.mine }
            let isRemnant = custody.isRemnant(over: known.assets[0])
            if isRemnant != (isNote && isOver && !isHeld && custody.ownHolders.isEmpty) { broken += 1 }
            var named = custody
            named.texts.append(NamingText(at: CustodyWorlds.text("new"), hash: nil))
            if named.isRemnant(over: known.assets[0]) { broken += 1 }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test("Where an asset was, a file of a new file record's size is that one's, unless it has the asset's bytes")
    func arrivedBeforeACrash() {
        let known = AgreedAsset(
            field: "pic", path: CustodyWorlds.path, hash: CustodyWorlds.theirs, checksum: "theirs",
            file: CustodyWorlds.here)
        for (size, isFile, isHolder, isKnown, hash, expected) in [
            (1, true, true, false, CustodyWorlds.mine, true), (2, true, true, false, CustodyWorlds.mine, false),
            (1, false, true, false, CustodyWorlds.mine, false), (1, true, false, false, CustodyWorlds.mine, false),
            (1, true, true, true, CustodyWorlds.mine, false), (1, true, true, false, CustodyWorlds.theirs, false),
        ] as [(Int64, Bool, Bool, Bool, ContentHash, Bool)] {
            var custody = Custody(of: CustodyWorlds.path)
            custody.file = CustodyWorlds.file
            custody.file?.hash = hash
            let zone = RemoteEntry(
                name: RecordName("file"), recordType: "File", changeTag: "1", path: CustodyWorlds.path,
                createdMilliseconds: 1, assets: [AssetVersion(field: "content", checksum: "c", size: size)])
            let record = BaseEntry(
                name: zone.name, recordType: "File", path: CustodyWorlds.text("elsewhere"), hash: CustodyWorlds.mine,
                changeTag: "1", file: CustodyWorlds.elsewhere)
            custody.claims = [
                PathClaim(
                    zone, record: isKnown ? record : nil, isFileRecord: isFile, checksum: "c", isHolder: isHolder)
            ]
            #expect(custody.isSucceeded(known) == expected, "\(size) \(isFile) \(isHolder) \(isKnown)")
        }
    }

    @Test("What a record brought is sent with no other one while a change of the first is to be received")
    func beingReceived() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            let isChanging = custody.assetHolders.contains {
                $0.record.assets[0].hash == CustodyWorlds.mine && !$0.isSilent && $0.zone?.changeTag != "1"
            }
            if isChanging { seen += 1 }
            if custody.isBeingReceived(CustodyWorlds.mine) != isChanging { broken += 1 }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test("A file goes into the history only with bytes that its record has, and where nobody else has or names it")
    func history() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            for holder in custody.assetHolders {
                let (record, asset) = (holder.record, holder.record.assets[0])
                guard custody.goesToHistory(with: asset, of: record.name, at: record.path) else { continue }
                seen += 1
                let isOthers =
                    custody.texts.contains { $0.path != record.path } || !custody.ownHolders.isEmpty
                    || custody.assetHolders.contains { $0.record.name != record.name }
                if asset.hash != custody.file?.hash || isOthers || custody.isFromElsewhere { broken += 1 }
            }
        }
        #expect(seen > 50 && broken == 0)
    }

    @Test(
        "A file's own record goes only where the zone has its bytes in a record whose text names it as it was agreed on"
    )
    func ownRecord() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard let own = custody.ownHolder, custody.isAttached, custody.wait(of: own) == nil else { return }
            seen += 1
            let isSafe = custody.assetHolders.contains { holder in
                holder.zone?.changeTag == holder.record.changeTag
                    && custody.texts.contains { $0.path == holder.record.path }
                    && holder.record.assets.contains { $0.hash == custody.file?.hash }
            }
            if !isSafe { broken += 1 }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test("The order of the records changes nothing of what becomes of a file")
    func order() {
        var broken = 0
        CustodyWorlds.forEach { custody in
            guard custody.assetHolders.count == 2 else { return }
            var turned = custody
            turned.assetHolders.reverse()
            turned.texts.reverse()
            let isSame =
                Set(custody.silentHolders) == Set(turned.silentHolders)
                && custody.ownHolder.map { custody.wait(of: $0) } == turned.ownHolder.map { turned.wait(of: $0) }
                && custody.ownHolder.map { custody.isTakenOut($0) } == turned.ownHolder.map { turned.isTakenOut($0) }
                && Self.arriving(custody).allSatisfy { Self.isCopied(custody, $0) == Self.isCopied(turned, $0) }
                && custody.assetHolders.allSatisfy { holder in
                    let (asset, name, text) = (holder.record.assets[0], holder.record.name, holder.record.path)
                    return custody.goesToHistory(with: asset, of: name, at: text)
                        == turned.goesToHistory(with: asset, of: name, at: text)
                }
            if !isSame { broken += 1 }
        }
        #expect(broken == 0)
    }

    @Test("Without what came of others' versions, a file is copied once more rather than less, and stays all the same")
    func forgotten() {
        var broken = 0
        CustodyWorlds.forEach { custody in
            var forgotten = custody
            (forgotten.provenance.arrived, forgotten.provenance.overwritten) = (nil, [])
            forgotten.provenance.isUnwatched = false
            for arriving in Self.arriving(custody)
            where Self.isCopied(custody, arriving) && !Self.isCopied(forgotten, arriving) { broken += 1 }
            for holder in custody.assetHolders {
                let (asset, name, text) = (holder.record.assets[0], holder.record.name, holder.record.path)
                if forgotten.goesToHistory(with: asset, of: name, at: text),
                    !custody.goesToHistory(with: asset, of: name, at: text)
                {
                    broken += 1
                }
            }
        }
        #expect(broken == 0)
    }

    @Test("A file that a person put here from elsewhere is copied before anything goes over it, and never goes")
    func fromElsewhere() {
        var (seen, broken) = (0, 0)
        CustodyWorlds.forEach { custody in
            guard custody.isFromElsewhere else { return }
            seen += 1
            let isKept = Self.arriving(custody).allSatisfy { Self.isCopied(custody, $0) }
            let stays = custody.assetHolders.allSatisfy {
                !custody.goesToHistory(with: $0.record.assets[0], of: $0.record.name, at: $0.record.path)
            }
            if !isKept || !stays { broken += 1 }
        }
        #expect(seen > 10_000 && broken == 0)
    }

    @Test(
        "What others do with a file changes its record's standing, or ends it where their bytes are others",
        arguments: [BaseEntry.Standing.agreed, .renewed, .yielded, .confirmed, .renewedAsset])
    func events(standing: BaseEntry.Standing) {
        let record = BaseEntry(
            name: RecordName("own"), recordType: "File", path: CustodyWorlds.path, hash: CustodyWorlds.mine,
            changeTag: "1", file: CustodyWorlds.here, standing: standing)
        let (mine, theirs) = (CustodyWorlds.mine, CustodyWorlds.theirs)
        #expect(record.change(after: .attached(mine), isInZone: true) == .standing(.yielded))
        #expect(record.change(after: .attached(theirs), isInZone: true) == .forgotten)
        #expect(record.change(after: .attached(mine), isInZone: false) == .forgotten)
        let wasTold = [.renewed, .confirmed].contains(standing)
        let gaveWay = standing == .yielded
        #expect(
            record.change(after: .sentAttached(isNew: false), isInZone: true) == (wasTold ? .standing(.agreed) : nil))
        #expect(
            record.change(after: .sentAttached(isNew: true), isInZone: true)
                == (wasTold || gaveWay ? .standing(.agreed) : nil))
        #expect(record.change(after: .letGo, isInZone: true) == (gaveWay ? .standing(.agreed) : nil))
    }
}
