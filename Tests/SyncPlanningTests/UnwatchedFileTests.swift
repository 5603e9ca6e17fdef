import SyncModel
import SyncPlanning
import Testing

@testable import FileCustody
@testable import RecordTrees

/// What came to a path while nobody looked there, equal to what the zone has for it (reliability.md §4, invariant 6).
@Suite("A file that a person may have put there while nobody looked")
struct UnwatchedFileTests {
    private static let picture = FolderPath("p.png")!
    private static let note = FolderPath("Note/n.json")!

    /// A note came whose asset has the bytes of a file that came to sight before it.
    private static func received() -> TreeBuilder {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        var base = build.trees.base[RecordName("n")]!
        base.assets[0].file = nil
        build.trees.setBase(base, named: base.name)
        build.trees.noteUnwatched(picture)
        return build
    }

    @Test("A record that comes with its bytes says that it was put there, and has it from then on")
    func isTold() throws {
        var build = Self.received()
        var base = try #require(build.trees.base[RecordName("n")])
        #expect(build.trees.custody(of: Self.picture).isUnwatched)
        build.trees.notePutThere(base.assets[0], of: base.name, at: Self.note)
        #expect(build.trees.custody(of: Self.picture).isFromElsewhere)
        #expect(build.plan() == ["update n from Note/n.json content"])
        base.assets[0].file = build.trees.local[Self.picture]?.stamp.file
        build.trees.setBase(base, named: base.name)
        #expect(!build.trees.custody(of: Self.picture).isUnwatched)
        #expect(!build.trees.custody(of: Self.picture).isFromElsewhere)
        #expect(build.plan() == [])
    }

    @Test("Other bytes than the record's are nothing of it")
    func otherBytes() throws {
        var build = Self.received()
        let base = try #require(build.trees.base[RecordName("n")])
        build.local("p.png", "q")
        build.trees.notePutThere(base.assets[0], of: base.name, at: Self.note)
        #expect(!build.trees.custody(of: Self.picture).isFromElsewhere)
    }

    @Test("A file that a record has there already is known")
    func agreed() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        build.trees.noteUnwatched(Self.picture)
        #expect(!build.trees.custody(of: Self.picture).isUnwatched)
    }
}
