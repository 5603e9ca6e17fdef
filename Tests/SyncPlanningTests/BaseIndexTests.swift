import SeededRandomness
import SyncModel
import Testing

@testable import RecordTrees
@testable import SyncPlanning

@Suite("Which record has which path, file and content")
struct BaseIndexTests {
    private static let paths = ["a", "b", "c/d"].map { FolderPath($0)! }
    private static let contents = "wxyz".map { TreeBuilder.hash($0) }

    /// Few paths and contents, so that records are rivals and have the same.
    @Test("Is told as dictionaries would, whatever came and left", arguments: 1...20 as ClosedRange<UInt64>)
    func likeDictionaries(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var base = TreeTable<BaseEntry>()
        var index = BaseIndex(fileRecordType: "File")
        var contents: [ContentHash: RecordName] = [:]
        var files: [FileIdentity: RecordName] = [:]
        for step in 1...300 {
            let name = RecordName("\(Int.random(in: 0..<12, using: &random))")
            if let old = base[name] {
                index.remove(old, in: base)
                base[name] = nil
                if contents[old.hash] == name { contents[old.hash] = nil }
                files[old.file] = nil
            } else {
                let entry = BaseEntry(
                    name: name, recordType: "File", path: Self.paths.randomElement(using: &random)!,
                    hash: Self.contents.randomElement(using: &random)!, changeTag: "1",
                    file: FileIdentity(device: 1, inode: UInt64(step)))
                index.insert(entry, at: base.add(entry), in: base)
                contents[entry.hash] = name
                if Bool.random(using: &random) {
                    index.insert(fileOf: entry, at: base.row(of: entry.name)!)
                    files[entry.file] = name
                }
            }
            var found = Set(files.map { index.entry(of: $0.key, in: base)?.name == $0.value })
            for path in Self.paths {
                let all = Set(base.values.filter { $0.path == path }.map(\.name))
                let first = index.entry(at: path, in: base)?.name
                let rivals = index.rivals[path] ?? []
                found.insert(all == rivals.union([first].compactMap(\.self)))
                found.insert(rivals.count == max(0, all.count - 1) && (index.rivals[path] == nil) == rivals.isEmpty)
            }
            for content in Self.contents {
                found.insert(index.entry(with: content, in: base)?.name == contents[content])
            }
            if found.contains(false) { Issue.record("step \(step)") }
        }
    }

    @Test("Who has no file any more is not found by it, and is by its path")
    func lostFile() {
        var base = TreeTable<BaseEntry>()
        var index = BaseIndex(fileRecordType: "File")
        let entry = BaseEntry(
            name: RecordName("n"), recordType: "File", path: Self.paths[0], hash: TreeBuilder.hash("x"), changeTag: "1",
            file: FileIdentity(device: 1, inode: 2))
        index.insert(entry, at: base.add(entry), in: base)
        index.insert(fileOf: entry, at: base.row(of: entry.name)!)
        #expect(index.entry(of: entry.file, in: base) == entry)
        index.remove(fileOf: entry, in: base)
        #expect(index.entry(of: entry.file, in: base) == nil)
        #expect(index.entry(at: entry.path, in: base) == entry)
    }
}
