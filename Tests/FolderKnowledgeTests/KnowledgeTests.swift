import CloudKitWire
import FolderSettings
import Foundation
import RecordMapping
import RecordTrees
import SeededRandomness
import StateRows
import StateStorage
import SyncModel
import SyncPlanning
import SystemPackage
import Testing

@testable import FolderKnowledge

/// A folder of which something is known, in a directory that goes with this object.
private final class KnownFolder {
    let directory: FilePath
    let state: StateDirectory
    let store: StateStore
    private(set) var knowledge: Knowledge

    private static let configuration = FolderConfiguration(container: "c", zone: "Notes", device: "laptop")

    init() throws {
        var template = Array("/tmp/knowledge-tests-XXXXXX".utf8CString)
        directory = template.withUnsafeMutableBufferPointer { FilePath(String(cString: mkdtemp($0.baseAddress!)!)) }
        state = try StateDirectory.create(in: directory)
        store = try StateStore(of: state)
        knowledge = try Self.start(store)
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(atPath: directory.string)
    }

    /// What a start makes of the store.
    static func start(_ store: StateStore) throws -> Knowledge {
        let knowledge = try Knowledge(
            configuration, declared: ZoneSchema(), in: store, memory: ProcessMemory())
        _ = try knowledge.load { _ in }
        return knowledge
    }
}

/// Everything that decides.
private struct Picture: Equatable {
    var local: [FolderPath: LocalEntry]
    var remote: [RecordName: RemoteEntry]
    var base: [RecordName: BaseEntry]
    var provenance: [FolderPath: Provenance]
    var sent: [RecordName: [SentVersion]]
    var zone: ZoneFacts
    var shares: ZoneSharing
    var schema: [UInt8]
    var lackingTarget: Set<FolderPath>

    /// The parts in which two pictures differ.
    static func differences(_ one: Picture, _ other: Picture) -> [String] {
        var parts: [String] = []
        if one.local != other.local { parts.append("local") }
        if one.remote != other.remote { parts.append("remote") }
        if one.base != other.base { parts.append("base") }
        if one.provenance != other.provenance { parts.append("provenance") }
        if one.sent != other.sent { parts.append("sent") }
        if one.zone != other.zone { parts.append("zone") }
        if one.shares != other.shares { parts.append("shares") }
        if one.schema != other.schema { parts.append("schema") }
        if one.lackingTarget != other.lackingTarget { parts.append("lackingTarget") }
        return parts
    }

    init(_ known: Knowledge, at paths: [FolderPath]) {
        let trees = known.trees
        local = Dictionary(uniqueKeysWithValues: trees.local.keys.map { ($0, trees.local[$0]!) })
        remote = Dictionary(uniqueKeysWithValues: trees.remote.keys.map { ($0, trees.remote[$0]!) })
        base = Dictionary(uniqueKeysWithValues: trees.base.keys.map { ($0, trees.base[$0]!) })
        provenance = Dictionary(uniqueKeysWithValues: paths.map { ($0, trees.provenance[$0]) })
        sent = Dictionary(uniqueKeysWithValues: known.unansweredNames.map { ($0, known.unanswered($0)) })
        zone = known.zoneFacts
        shares = known.sharing
        schema = known.schema.encoded()
        lackingTarget = known.lackingTarget
    }
}

@Suite("What is known of a folder and its zone")
struct KnowledgeTests {
    private static let names = (0..<6).map { "docs/\($0).txt" }
    private static let paths = names.map { FolderPath($0)! }

    private static func hash(_ number: UInt8) -> ContentHash { ContentHash(bytes: repeatElement(number, count: 32))! }

    private static func file(_ index: Int, _ number: UInt8) -> LocalEntry {
        let problem = Problem(.referenceRefused, message: "Its target is not there.", remedy: "Save it.")
        return LocalEntry(
            path: paths[index],
            stamp: FileStamp(
                device: 1, inode: UInt64(number), size: 3, modified: Int64(number), changed: 2, mode: 0o644, born: 4),
            hash: hash(number), form: number % 5 == 0 ? .held(problem) : .file)
    }

    private static func base(_ index: Int, _ number: UInt8) -> BaseEntry {
        BaseEntry(
            name: RecordName(names[index]), recordType: "File", path: paths[index], hash: hash(number),
            changeTag: "\(number)", createdMilliseconds: 7,
            file: FileIdentity(device: 1, inode: UInt64(number), born: 4))
    }

    /// What the server's answer tells is not in it.
    private static func draft(_ index: Int, _ number: UInt8) -> BaseEntry {
        var draft = base(index, number)
        (draft.changeTag, draft.createdMilliseconds) = ("", 0)
        return draft
    }

    private static func record(_ index: Int, _ number: UInt8) -> Record {
        Record(
            recordName: names[index], recordType: "File", recordChangeTag: "\(number)",
            fields: ["field\(number % 3)": Field(.string("\(number)"))])
    }

    /// One thing that is learnt.
    /// - Parameter isNoting: Whether it may be what happened to a file, which is noted first and stored then.
    private static func step(
        _ known: Knowledge, isNoting: Bool = true, using random: inout SeededGenerator
    ) throws {
        let index = Int.random(in: 0..<names.count, using: &random)
        let number = UInt8.random(in: 1...12, using: &random)
        let name = RecordName(names[index])
        switch Int.random(in: 0..<(isNoting ? 12 : 11), using: &random) {
        case 0, 1: _ = try known.take([file(index, number)], removals: [])
        case 2: _ = try known.take([], removals: [paths[index]])
        case 3, 4:
            var records: [ItemResult<Record>] = [.success(record(index, number))]
            let gone = (index + 1) % names.count
            if Bool.random(using: &random) {
                var tombstone = Record(recordName: names[gone])
                tombstone.deleted = true
                records.append(.success(tombstone))
            }
            let answer = ZoneChanges(
                zoneID: known.zoneID, syncToken: "token\(number)", moreComing: Bool.random(using: &random),
                records: records)
            guard case .page(let page) = try known.read(answer) else {
                Issue.record("the page can be used")
                return
            }
            try known.take(page, at: 5)
        case 5:
            let row = known.row(for: record(index, number))!
            try known.commit([
                Outcome(
                    base: .agreed(base(index, number), document: nil), remote: .saved(row), local: [file(index, number)]
                )
            ])
        case 6: try known.commit([Outcome(base: .removed(name), remote: .deleted(name), removedLocal: [paths[index]])])
        case 7: try known.noteSent([SentVersion(entry: draft(index, number), document: nil)])
        case 8: if known.trees.base[name] != nil { try known.note([name: .renewed]) }
        case 9:
            if !known.zoneFacts.listing {
                try known.beginListing()
            } else if Bool.random(using: &random) {
                _ = try known.endListing()
            } else {
                try known.endListingOfAnotherZone()
            }
        case 10: try known.commit([Outcome(base: .partial(name))])
        default:
            known.noteTakenOut(paths[index])
            if let file = known.trees.local[paths[index]] { known.noteArrival(of: file.hash, at: file.path) }
        }
    }

    @Test("A start knows what was known, whatever was learnt and in whatever order", arguments: 0..<16)
    func startKnowsTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try KnownFolder()
        for number in 0..<30 {
            for _ in 0..<Int.random(in: 1...4, using: &random) { try Self.step(folder.knowledge, using: &random) }
            try folder.knowledge.storeProvenance()
            let anew = try KnownFolder.start(folder.store)
            let differences = Picture.differences(
                Picture(folder.knowledge, at: Self.paths), Picture(anew, at: Self.paths))
            #expect(differences.isEmpty, "seed \(seed), round \(number)")
        }
    }

    @Test(
        "A file that went over to another record is that one's after a start, whatever is noted of the first one before",
        arguments: [[1, 0], [0, 1], [0, 1, 0], [1, 0, 1]])
    func noted(indices: [Int]) throws {
        let folder = try KnownFolder()
        for (number, index) in indices.enumerated() {
            // The first of three is agreed on with another file first.
            let inode: UInt8 = number + 2 < indices.count ? 8 : 7
            let base = Outcome.Base.agreed(Self.base(index, inode), document: nil)
            try folder.knowledge.commit([Outcome(base: base, local: [Self.file(index, inode)])])
        }
        let first = RecordName(Self.names[indices[indices.count - 2]])
        try folder.knowledge.note([first: .renewed])
        try folder.knowledge.storeProvenance()
        let anew = try KnownFolder.start(folder.store)
        #expect(anew.trees.base[first]?.file == .unknown)
        #expect(Picture(anew, at: Self.paths) == Picture(folder.knowledge, at: Self.paths))
    }

    @Test(
        "A file that a person put another one over is remembered with what both sides agree on then, and one replaced here is not",
        arguments: [true, false])
    func parted(isReplacedHere: Bool) throws {
        let folder = try KnownFolder()
        let known = folder.knowledge
        try known.commit([Outcome(base: .agreed(Self.base(0, 1), document: nil), local: [Self.file(0, 1)])])
        if !isReplacedHere { _ = try known.take([Self.file(0, 2)], removals: []) }
        let local = isReplacedHere ? [Self.file(0, 2)] : []
        try known.commit([Outcome(base: .agreed(Self.base(0, 2), document: nil), local: local)])
        let parted = isReplacedHere ? nil : Self.base(0, 1).ownFile
        #expect(known.trees.provenance[Self.paths[0]].parted == parted)
        // With the same transaction.
        #expect(try KnownFolder.start(folder.store).trees.provenance[Self.paths[0]].parted == parted)
    }

    @Test("What cannot be stored was not learnt", arguments: 0..<8)
    func failedStore(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try KnownFolder()
        for _ in 0..<10 { try Self.step(folder.knowledge, using: &random) }
        try folder.knowledge.storeProvenance()
        try folder.store.close()
        var failures = 0
        // A store for those who only look takes nothing.
        try StateStore.look(at: folder.state) { store in
            let known = try KnownFolder.start(store)
            let before = Picture(known, at: Self.paths)
            for _ in 0..<10 {
                do { try Self.step(known, isNoting: false, using: &random) } catch { failures += 1 }
                let differences = Picture.differences(before, Picture(known, at: Self.paths))
                #expect(differences.isEmpty, "seed \(seed)")
            }
        }
        #expect(failures > 0)
    }
}
