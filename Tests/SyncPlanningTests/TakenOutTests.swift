import FileCustody
import RecordTrees
import SyncModel
import Testing

/// Files that a person took out of a record, while others may come to name them without knowing it (invariants 6 and 8).
@Suite("Files that were taken out of records")
struct TakenOutTests {
    /// Both sides know `p.png` as the asset of `Note/n.json`, which names it no more.
    private static func takenOut() -> TreeBuilder {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        build.agreedNote("m", "Note/m.json", "k", pic: "q.png", "q")
        build.save("n", as: "Note/n.json", "l", form: TreeBuilder.note())
        return build
    }

    private static func mayBeAttachedElsewhere(_ build: TreeBuilder) -> Bool {
        build.trees.custody(of: FolderPath("p.png")!).mayBeAttachedElsewhere
    }

    @Test("Where no other text has to do with a file, nobody else attaches it unknowing")
    func nobodyElse() {
        var build = Self.takenOut()
        #expect(!Self.mayBeAttachedElsewhere(build))
        build.agreed("file", "p.png", "p")
        #expect(!Self.mayBeAttachedElsewhere(build))
    }

    @Test("Another text that names it may be sent before it is known")
    func othersThatNameIt() {
        var build = Self.takenOut()
        build.save("m", as: "Note/m.json", "o", form: TreeBuilder.note(pic: "p.png"))
        #expect(Self.mayBeAttachedElsewhere(build))
    }

    @Test("So may one that had it, and cannot be read for now", arguments: [TreeBuilder.broken, nil])
    func othersThatCannotBeRead(form: FileForm?) {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        build.agreedNote("m", "Note/m.json", "k", pic: "p.png", "p")
        build.save("n", as: "Note/n.json", "l", form: TreeBuilder.note())
        #expect(Self.mayBeAttachedElsewhere(build))
        if let form { build.save("m", as: "Note/m.json", "o", form: form) } else { build.gone("Note/m.json") }
        #expect(Self.mayBeAttachedElsewhere(build))
    }

    @Test("What is taken out of a note is no file of a record that is missing elsewhere, equal as it may be")
    func equalToMissing() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        build.agreed("six", "six.txt", "p")
        build.gone("six.txt")
        build.save("n", as: "Note/n.json", "l", form: TreeBuilder.note())
        #expect(
            build.plan() == ["create new from p.png", "update n from Note/n.json content", "delete record six"])
        // What somebody else makes of that record meanwhile does not go over it.
        build.remote("six", "six.txt", tag: "2")
        #expect(
            build.plan() == ["write six to six.txt", "create new from p.png", "update n from Note/n.json content"])
    }

    @Test("Nor is it where it was renamed as well")
    func renamedAndEqualToMissing() {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        build.agreed("six", "six.txt", "p")
        let picture = build.trees.local[FolderPath("p.png")!]!
        build.gone("six.txt")
        build.gone("p.png")
        build.local("keep.png", "p", inode: picture.stamp.inode, modified: picture.stamp.modified)
        build.save("n", as: "Note/n.json", "l", form: TreeBuilder.note())
        build.remote("six", "six.txt", tag: "2")
        #expect(build.plan().contains("create new from keep.png") && build.plan().contains("write six to six.txt"))
    }

    @Test("One that the zone was told to be a file of its own may be attached by who was not told")
    func toldToBeItsOwn() {
        var build = Self.takenOut()
        build.agreed("file", "p.png", "p")
        build.stands("file", .confirmed)
        #expect(Self.mayBeAttachedElsewhere(build))
    }
}
