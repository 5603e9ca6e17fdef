import SeededRandomness
import SyncModel
import Testing

@testable import RecordTrees
@testable import SyncPlanning

@Suite("The entries of a tree")
struct TreeTableTests {
    @Test("Are told as a dictionary would, whatever came, changed and left", arguments: 1...12 as ClosedRange<UInt64>)
    func likeDictionary(seed: UInt64) {
        var random = RandomEntries(seed: seed)
        var (local, remote, base) = (TreeTable<LocalEntry>(), TreeTable<RemoteEntry>(), TreeTable<BaseEntry>())
        var known = (
            local: [FolderPath: LocalEntry](), remote: [RecordName: RemoteEntry](), base: [RecordName: BaseEntry]()
        )
        for _ in 1...400 {
            let isRemoval = random.bool() && random.bool()
            let (file, record, agreed) = (random.localEntry(), random.remoteEntry(), random.baseEntry())
            (local[file.path], known.local[file.path]) = isRemoval ? (nil, nil) : (file, file)
            (remote[record.name], known.remote[record.name]) = isRemoval ? (nil, nil) : (record, record)
            (base[agreed.name], known.base[agreed.name]) = isRemoval ? (nil, nil) : (agreed, agreed)
        }
        #expect(Set(local.values) == Set(known.local.values) && local.count == known.local.count)
        #expect(Set(remote.values) == Set(known.remote.values) && remote.count == known.remote.count)
        #expect(Set(base.values) == Set(known.base.values) && base.count == known.base.count)
        #expect(Set(local.keys) == Set(known.local.keys))
        #expect(known.local.allSatisfy { local[$0.key] == $0.value && local.contains($0.key) })
        #expect(known.remote.allSatisfy { remote[$0.key] == $0.value })
        #expect(known.base.allSatisfy { base[$0.key] == $0.value })
        #expect(Set(local.keys { $0.isSettled }) == Set(known.local.values.filter(\.isSettled).map(\.path)))
    }

    @Test("Keep their rows when those that changed often are packed anew")
    func packedAnew() {
        var table = TreeTable<RemoteEntry>()
        var random = RandomEntries(seed: 7)
        let names = (0..<50).map { RecordName("r\($0)") }
        var expected: [RemoteEntry] = []
        for round in 0..<200 {
            expected = names.map { name in
                var entry = random.remoteEntry()
                entry.name = name
                // Each is longer than the one before, so that it gets another place.
                entry.changeTag = String(repeating: "t", count: round)
                return entry
            }
            for entry in expected { table[entry.name] = entry }
            let rows = names.map { table.row(of: $0) }
            #expect(rows == Array(0..<50))
        }
        #expect(names.map { table[$0] } == expected)
        #expect(table.bytes < 200_000, "50 entries of about 300 bytes, and as much waste as is not worth the work")
    }

    @Test("Are found by their folder, their content and their stamp as a walk finds them", arguments: 1...12)
    func found(seed: UInt64) {
        var random = RandomEntries(seed: seed)
        var table = TreeTable<LocalEntry>()
        for _ in 1...200 {
            let entry = random.localEntry()
            table[entry.path] = entry
        }
        let all = Array(table.values)
        let folders = Set(["a", "a/3", "nowhere"].map { FolderPath($0)! })
        let below = all.map(\.path).filter { path in folders.contains { path.isBelow($0) } }
        #expect(!below.isEmpty && below.count < all.count)
        #expect(table.paths(below: folders).sorted() == below.sorted())
        let rows = Set(all.prefix(5).map { table.row(of: $0.path)! })
        #expect(Set(table.paths(inRows: rows.contains)) == Set(all.prefix(5).map(\.path)))
        let contents = Set(all.prefix(3).map(\.hash))
        #expect(Set(table.paths(with: contents)) == Set(all.prefix(3).map(\.path)))
        for entry in all {
            let isHeld = if case .held = entry.form { true } else { false }
            let row = table.settledRow(entry.path, as: entry.stamp)
            #expect(row == (entry.isSettled && !isHeld ? table.row(of: entry.path) : nil))
            for part in [\FileStamp.size, \.modified, \.changed, \.born] as [WritableKeyPath<FileStamp, Int64>] {
                var other = entry.stamp
                other[keyPath: part] &+= 1
                #expect(table.settledRow(entry.path, as: other) == nil)
            }
            var other = entry.stamp
            other.mode ^= 0o100
            #expect(table.settledRow(entry.path, as: other) == nil)
        }
    }

    @Test("May be longer than a page")
    func longEntry() {
        var table = TreeTable<LocalEntry>()
        var random = RandomEntries(seed: 3)
        let entries = (0..<3).map { number in
            var entry = random.localEntry()
            entry.path = FolderPath("long\(number)")!
            let attachments = (0..<20_000).map { (place: Int) in
                Attachment(field: "files", index: place, path: FolderPath("a/f\(place).png")!)
            }
            entry.form = .structured(recordType: "Album", attachments: attachments)
            return entry
        }
        for entry in entries { table[entry.path] = entry }
        #expect(entries.allSatisfy { table[$0.path] == $0 })
    }

    @Test("Of names that Swift takes for the same text, each keeps its own spelling")
    func spellings() {
        let spellings = ["e\u{301}", "\u{e9}"]
        var table = TreeTable<RemoteEntry>()
        for spelling in spellings {
            let name = RecordName(spelling)
            table[name] = RemoteEntry(
                name: name, recordType: spelling, changeTag: "1", path: FolderPath("\(spelling)/a")!,
                createdMilliseconds: 0)
        }
        for spelling in spellings {
            let entry = table[RecordName(spelling)]
            #expect(entry?.recordType.unicodeScalars.elementsEqual(spelling.unicodeScalars) == true)
            #expect(entry?.path == FolderPath("\(spelling)/a"))
        }
        #expect(table.count == 2)
    }
}

/// Entries of few names with whatever their parts may be.
private struct RandomEntries {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func bool() -> Bool { Bool.random(using: &random) }

    mutating func localEntry() -> LocalEntry {
        let forms: [FileForm] = [
            .file, .structured(recordType: text(), attachments: []),
            .structured(
                recordType: text(),
                attachments: [
                    Attachment(field: text(), path: path()), Attachment(field: text(), index: index(), path: path()),
                ]),
            .held(Problem(.brokenJSON, message: text(), remedy: text(), line: index())),
            .unfit(Problem(Problem.Code(rawValue: text()), message: text(), remedy: text())),
        ]
        return LocalEntry(
            path: path(),
            stamp: FileStamp(
                device: word(), inode: word(), size: number(), modified: number(), changed: number(),
                mode: UInt32.random(in: 0...UInt32.max, using: &random), born: number()),
            hash: hash(), form: forms.randomElement(using: &random)!, isSettled: bool())
    }

    mutating func remoteEntry() -> RemoteEntry {
        let assets = [
            AssetVersion(field: text(), checksum: text(), size: number()),
            AssetVersion(field: text(), index: index(), checksum: text(), size: number()),
        ]
        return RemoteEntry(
            name: name(), recordType: text(), changeTag: text(), path: path(), createdMilliseconds: number(),
            assets: bool() ? assets : [])
    }

    mutating func baseEntry() -> BaseEntry {
        let assets = [
            AgreedAsset(field: text(), path: path(), hash: hash(), checksum: text()),
            AgreedAsset(
                field: text(), index: index(), path: path(), hash: hash(), checksum: text(), file: file(),
                renewal: text()),
        ]
        return BaseEntry(
            name: name(), recordType: text(), path: path(), hash: hash(), executable: bool(), changeTag: text(),
            createdMilliseconds: number(), assets: bool() ? assets : [], file: bool() ? file() : .unknown,
            modified: number(), standing: BaseEntry.Standing(rawValue: .random(in: 0...4, using: &random))!,
            renewal: text(), isPartial: bool())
    }

    private mutating func name() -> RecordName { RecordName("r\(Int.random(in: 0..<40, using: &random))") }

    private mutating func path() -> FolderPath {
        let folders = ["", "a/", "a/b/", "ä/\u{1}/", "a/\(Int.random(in: 0..<9, using: &random))/"]
        let folder = Array(folders.randomElement(using: &random)!.utf8)
        let names: [[UInt8]] = [[0xFF, 0xFE], Array("f".utf8), Array(repeating: 0x61, count: 255)]
        return FolderPath(bytes: folder + names.randomElement(using: &random)!)!
    }

    private mutating func text() -> String {
        ["", "x", "Note", "e\u{301}", String(repeating: "long ", count: 60)].randomElement(using: &random)!
    }

    private mutating func number() -> Int64 {
        [0, 1, -1, .max, .min, .random(in: .min ... .max, using: &random)].randomElement(using: &random)!
    }

    private mutating func word() -> UInt64 {
        [0, 1, 0x7F, 0x80, .max, .random(in: 0 ... .max, using: &random)].randomElement(using: &random)!
    }

    private mutating func index() -> Int? { [nil, 0, 1, 127, 128, 100_000].randomElement(using: &random)! }

    private mutating func hash() -> ContentHash {
        ContentHash(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })!
    }

    private mutating func file() -> FileIdentity { FileIdentity(device: word(), inode: word(), born: number()) }
}
