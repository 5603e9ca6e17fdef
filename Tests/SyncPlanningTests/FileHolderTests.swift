import SyncModel
import SyncPlanning
import Testing

@testable import RecordTrees

/// Of which record a file is known to be (reliability.md §4, invariant 27): one at a time, as the base rows say.
@Suite("A file is one record's")
struct FileHolderTests {
    /// `b.png` was renamed over `a.png`, and the zone took it as the file of that record.
    private static func takenOver() -> TreeBuilder {
        var build = TreeBuilder()
        build.agreed("a", "a.png", "1", inode: 4)
        build.agreed("b", "b.png", "2", inode: 5)
        build.gone("b.png")
        build.local("a.png", "2", inode: 5)
        build.taken("a")
        return build
    }

    @Test("The record that was agreed on with it last has it, the other one has none, and the store is to know that")
    func takenOver() {
        let build = Self.takenOver()
        #expect(build.trees.base[RecordName("a")]?.file.inode == 5)
        #expect(build.trees.base[RecordName("b")]?.file == .unknown)
        #expect(build.trees.unstored.files.map(\.name) == [RecordName("b")])
    }

    @Test("After a start the same plan is made as before, in whichever order the rows come", arguments: [false, true])
    func start(isReversed: Bool) {
        var build = Self.takenOver()
        let rows = build.trees.base.values.sorted { ($0.name < $1.name) != isReversed }
        var started = TreeBuilder()
        started.trees.load(
            local: Array(build.trees.local.values), remote: Array(build.trees.remote.values), base: rows)
        #expect(started.trees.unstored.files.isEmpty)
        // Back where it was before, it is the first record's, and put over the other one's: the zone has its bytes in that one
        // alone until it took it.
        for index in [0, 1] {
            var trees = index == 0 ? build : started
            trees.gone("a.png")
            trees.local("b.png", "2", inode: 5)
            #expect(trees.plan() == ["update b from b.png content"])
        }
        build.trees.noteStored()
        #expect(build.trees.unstored.files.isEmpty)
    }

    @Test("An asset that goes to another record is no asset of the first one at its old path")
    func asset() throws {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        let file = try #require(build.trees.local[FolderPath("p.png")!]?.stamp.inode)
        build.gone("p.png")
        build.local("q.png", "p", inode: file)
        build.agreedNote("o", "Note/o.json", "k", pic: "q.png", "p")
        #expect(build.trees.base[RecordName("n")]?.assets.map(\.file) == [nil])
        #expect(build.trees.base[RecordName("o")]?.assets.first?.file?.inode == file)
        #expect(build.trees.unstored.files.map(\.name) == [RecordName("n")])
    }

    @Test("A record's own file that became another one's asset is no longer its own, and the store is to know that")
    func ownFile() {
        var build = TreeBuilder()
        build.agreed("t", "two.txt", "p", inode: 17)
        build.gone("two.txt")
        build.local("p.png", "p", inode: 17)
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        #expect(build.trees.base[RecordName("t")]?.file == .unknown)
        #expect(build.trees.base[RecordName("n")]?.assets.first?.file?.inode == 17)
        #expect(build.trees.unstored.files.map(\.name) == [RecordName("t")])
    }

    @Test("An asset that two records name is both's, and stays the other one's as the first lets it go")
    func sharedAsset() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        build.agreedNote("o", "Note/o.json", "k", pic: "p.png", "p")
        #expect(build.trees.base.values.allSatisfy { $0.assets.first?.file != nil })
        build.forget("n")
        let file = build.trees.local[FolderPath("p.png")!]!.stamp.file
        build.gone("p.png")
        #expect(build.trees.formerPath(of: file, at: FolderPath("r.png")!) == FolderPath("p.png"))
    }

    @Test("A file that is seen elsewhere was moved from where its record has it, unless it was written to")
    func moved() {
        var build = TreeBuilder()
        build.agreed("a", "a.png", "1", inode: 4)
        build.agreed("b", "b.png", "1", inode: 5)
        func place() -> FolderPath? { build.trees.formerPath(ofUntouched: build.trees.local[FolderPath("a.png")!]!) }
        #expect(place() == nil)
        build.local("a.png", "1", inode: 5)
        #expect(place() == FolderPath("b.png"))
        build.local("a.png", "1", inode: 5, modified: 9)
        #expect(place() == nil)
    }

    @Test("What is where an asset was that another record has is no version of it, once the zone lets that go")
    func letGo() {
        for isAnothers in [false, true] {
            var build = TreeBuilder()
            build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
            if isAnothers {
                let file = build.trees.local[FolderPath("p.png")!]!.stamp.inode
                build.gone("p.png")
                build.agreed("q", "q.png", "p", inode: file)
            }
            build.local("p.png", "x")
            build.trees.noteLetGo(build.trees.base[RecordName("n")]!.assets[0])
            let letGo = build.trees.provenance[FolderPath("p.png")!].letGo
            #expect(letGo == (isAnothers ? nil : TreeBuilder.hash("p")))
        }
    }
}
