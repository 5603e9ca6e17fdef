import RecordTrees
import SyncModel
import SyncPlanning
import Testing

/// Bytes that came with one note, in a file that another one names as well.
@Suite("What came with another note")
struct ArrivalTests {
    /// Two notes name `p.png`; it has new bytes, which came with `m`.
    private static func arrived(by isPerson: Bool = false) -> TreeBuilder {
        var build = TreeBuilder()
        build.agreedNote("n", "Note/n.json", "j", pic: "p.png", "p")
        build.agreedNote("m", "Note/m.json", "k", pic: "p.png", "p")
        build.local("p.png", "q")
        if !isPerson { build.trees.noteArrival(of: TreeBuilder.hash("q"), at: FolderPath("p.png")!) }
        var base = build.trees.base[RecordName("m")]!
        base.assets[0].hash = TreeBuilder.hash("q")
        build.trees.setBase(base, named: base.name)
        return build
    }

    @Test("It keeps nothing from the deletion of this one")
    func deleted() {
        var build = Self.arrived()
        build.remoteGone("n")
        #expect(build.plan() == ["delete file Note/n.json"])
    }

    @Test("Where the zone has this one still, it is to have that too")
    func kept() {
        var build = Self.arrived()
        #expect(build.plan() == ["update n from Note/n.json content"])
    }

    @Test("What a person put there outlives the deletion, and so does an edit of the text")
    func edited() {
        var build = Self.arrived(by: true)
        build.remoteGone("n")
        #expect(build.plan() == ["create n from Note/n.json"])
        build = Self.arrived()
        build.save("n", as: "Note/n.json", "l", form: TreeBuilder.note(pic: "p.png"))
        build.remoteGone("n")
        #expect(build.plan() == ["create n from Note/n.json"])
    }
}
