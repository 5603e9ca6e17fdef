import SyncModel
import SyncPlanning
import Testing

@testable import RecordTrees

@Suite("Plans")
struct PlannerTests {
    @Test("Trees that agree need nothing, and nothing stays marked")
    func quiet() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x")
        build.agreed("b", "b.txt", "y")
        #expect(build.plan() == [])
        #expect(build.trees.dirtyRecords.isEmpty && build.trees.dirtyPaths.isEmpty)
    }

    @Test("Only what changed is planned again")
    func incremental() {
        var build = TreeBuilder()
        for number in 0..<100 { build.agreed("r\(number)", "f\(number).txt", "x") }
        #expect(build.plan() == [])
        build.local("f7.txt", "y")
        #expect(build.trees.dirtyPaths.count == 1)
        #expect(build.plan() == ["update r7 from f7.txt content"])
    }

    @Test("A renamed folder changes paths and sends no content (S3.20)")
    func folderRename() {
        var build = TreeBuilder()
        for number in 0..<20 { build.agreed("r\(number)", "old/\(number).png", "x", inode: UInt64(100 + number)) }
        #expect(build.plan() == [])
        for number in 0..<20 {
            build.gone("old/\(number).png")
            build.local("new/\(number).png", "x", inode: UInt64(100 + number))
        }
        let plan = build.plan()
        #expect(plan.count == 20)
        #expect(plan.allSatisfy { $0.hasPrefix("update r") && $0.hasSuffix(" path") && !$0.contains("content") })
    }

    @Test("A file that came back as a new inode with the same content is the same record")
    func renameByContent() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x")
        build.gone("a.txt")
        build.local("b.txt", "x")
        #expect(build.plan() == ["update a from b.txt path"])
    }

    @Test("A file that is held and renamed keeps its record; mended, it gives it its new path")
    func heldRename() {
        var build = TreeBuilder()
        build.agreed("a", "Note/a.json", "x", inode: 5, type: "Note")
        build.gone("Note/a.json")
        build.local("Note/b.json", "y", inode: 5, form: .held(Problem(.brokenJSON, message: "", remedy: "")))
        #expect(build.plan() == [])
        #expect(build.plan() == [])
        build.local("Note/b.json", "z", inode: 5, form: .structured(recordType: "Note", attachments: []))
        #expect(build.plan() == ["update a from Note/b.json content path"])
    }

    @Test("Nothing is done with a file that cannot be read, known or new, nor with its record")
    func unreadable() {
        var build = TreeBuilder()
        build.agreed("a", "dir/a.txt", "x")
        build.agreed("b", "dir/b.txt", "x")
        build.agreed("c", "c.txt", "x")
        build.local("dir/a.txt", "y")
        build.local("dir/new.txt", "z")
        build.local("c.txt", "y")
        build.remoteGone("b")
        let planner = Planner(isUnobserved: { _ in false }, isUnreadable: { $0.parent != nil })
        #expect(build.plan(planner) == ["update c from c.txt content"])
        build.trees.markAllDirty()
        #expect(
            Set(build.plan()) == [
                "update a from dir/a.txt content", "create new from dir/new.txt", "delete file dir/b.txt",
                "update c from c.txt content",
            ])
    }

    /// What is something else than a file at these paths, or below them.
    private static func planner(with paths: String...) -> Planner {
        let obstacles = paths.compactMap { FolderPath($0) }
        let isObstructed = { @Sendable (path: FolderPath) in
            obstacles.contains { path == $0 || path.isBelow($0) }
        }
        return Planner(isUnobserved: isObstructed, isUnreadable: isObstructed, isObstructed: isObstructed)
    }

    @Test("What stands in a file's place deletes no record and lets nothing be written, until it is gone")
    func obstructed() {
        for isEditedThere in [false, true] {
            var build = TreeBuilder()
            build.agreed("a", "a.txt", "x")
            build.agreed("b", "docs/b.txt", "y")
            build.agreed("c", "c.txt", "z")
            build.gone("a.txt")
            build.gone("docs/b.txt")
            build.remote("new", "docs/new.txt")
            if isEditedThere { build.remote("a", "a.txt", tag: "2") }
            #expect(build.plan(Self.planner(with: "a.txt", "docs")) == [])
            build.trees.markAllDirty()
            #expect(
                Set(build.plan()) == [
                    isEditedThere ? "write a to a.txt" : "delete record a", "delete record b",
                    "write new to docs/new.txt",
                ])
        }
    }

    @Test("A file that was renamed, with a link in its old place, keeps its record")
    func renamedBehindLink() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.gone("a.txt")
        build.local("b.txt", "x", inode: 5)
        #expect(build.plan(Self.planner(with: "a.txt")) == ["update a from b.txt path"])
    }

    @Test("What the zone has no more is forgotten, whatever stands in its file's place")
    func obstructedAndDeletedThere() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x")
        build.gone("a.txt")
        build.remoteGone("a")
        #expect(build.plan(Self.planner(with: "a.txt")) == ["forget a"])
    }

    @Test("Two copies of a lost content are not guessed at")
    func ambiguousContent() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x")
        build.gone("a.txt")
        build.local("b.txt", "x")
        build.local("c.txt", "x")
        #expect(build.plan() == ["create new from b.txt", "create new from c.txt", "delete record a"])
    }

    @Test("An editor that writes a new file over the name edits the record")
    func atomicSave() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.local("a.txt", "y", inode: 6)
        #expect(build.plan() == ["update a from a.txt content"])
    }

    @Test("A backup by rename keeps the record with the name")
    func backupByRename() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.local("a.txt.bak", "x", inode: 5)
        build.local("a.txt", "y", inode: 6)
        #expect(build.plan() == ["create new from a.txt.bak", "update a from a.txt content"])
    }

    @Test(
        "A plan that does not tell which of two equal files was moved does not tell when it is made again (invariant 11)"
    )
    func equalFiles() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x")
        build.gone("a.txt")
        build.remote("a", "c.txt", tag: "2", created: 2)
        build.remote("b", "c.txt", created: 1)
        build.local("b.txt", "x")
        build.local("c.txt", "x")
        let plan = build.plan()
        #expect(plan == ["move b.txt to c.txt~a", "reconcile b at c.txt"])
        #expect(build.plan() == plan)
    }

    @Test(
        "A file that was renamed over a deleted record's, and is held there, is no version of that one, in whichever order the looks come",
        arguments: [false, true])
    func renamedOverDeletedAndHeld(isNewPlaceFirst: Bool) {
        var build = TreeBuilder()
        build.agreed("c", "Note/c.json", "x", type: "Note")
        build.agreedNote("d", "Note/deep/d.json", "y", pic: "Note/deep/p.txt", "p")
        build.remoteGone("c")
        if !isNewPlaceFirst { build.gone("Note/deep/d.json") }
        build.local(
            "Note/c.json", "y", inode: build.trees.base[RecordName("d")]!.file.inode,
            form: TreeBuilder.note(pic: "Note/p.txt"))
        #expect(build.plan() == [])
        if isNewPlaceFirst { build.gone("Note/deep/d.json") }
        #expect(build.plan() == [])
        // Mended by an editor that saves in a new file, so that it has the bytes of the deleted one.
        build.local("Note/c.json", "x", form: TreeBuilder.note())
        #expect(
            build.plan() == ["create c from Note/c.json", "create new from Note/deep/p.txt", "delete record d"])
    }

    @Test("A file that was renamed over a deleted record's is no version of that one, though it fits no record there")
    func renamedOverDeletedAndUnfit() {
        var build = TreeBuilder()
        build.agreed("c", "Note/c.json", "x", type: "Note")
        build.agreed("d", "Note/deep/d.json", "y", type: "Note")
        build.remoteGone("c")
        let inode = build.trees.base[RecordName("d")]!.file.inode
        build.gone("Note/deep/d.json")
        build.local("Note/c.json", "y", inode: inode, form: TreeBuilder.unfit)
        _ = build.plan()
        // Mended in place, so that it has the bytes of the deleted one. The other record goes once the zone has them here.
        build.local("Note/c.json", "x", inode: inode, form: TreeBuilder.note())
        #expect(build.plan() == ["create c from Note/c.json"])
    }

    @Test("Two files that swap names send two paths and no content")
    func swapHere() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.agreed("b", "b.txt", "y", inode: 6)
        build.local("a.txt", "y", inode: 6)
        build.local("b.txt", "x", inode: 5)
        #expect(build.plan() == ["update b from a.txt path", "update a from b.txt path"])
    }

    @Test("A file renamed over one with the same content is an edit of that one's record, also of one that is deleted")
    func overEqual() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.agreed("b", "b.txt", "x", inode: 6)
        build.gone("a.txt")
        build.local("b.txt", "x", inode: 5)
        var gone = build
        #expect(build.plan() == ["update b from b.txt content"])
        gone.remoteGone("b")
        #expect(gone.plan() == ["create b from b.txt"])
        // Now the zone has it there.
        build.agreed("b", "b.txt", "x", inode: 5)
        #expect(build.plan() == ["delete record a"])
        gone.agreed("b", "b.txt", "x", inode: 5)
        #expect(gone.plan() == ["delete record a"])
    }

    @Test(
        "The record of a file that went over another one stays until the zone has the file there, also one that is held"
    )
    func heldArrival() {
        var build = TreeBuilder()
        build.agreed("a", "Note/a.json", "x", inode: 5, type: "Note")
        build.agreed("b", "Note/b.json", "y", inode: 6, type: "Note")
        build.gone("Note/a.json")
        build.local("Note/b.json", "x", inode: 5, form: TreeBuilder.note(pic: "Note/gone.png"))
        #expect(build.plan() == [])
        #expect(build.plan() == [])
        build.local("Note/b.json", "z", inode: 5, form: TreeBuilder.note())
        #expect(build.plan() == ["update b from Note/b.json content"])
        build.agreed("b", "Note/b.json", "z", inode: 5, type: "Note")
        #expect(build.plan() == ["delete record a"])
    }

    @Test("The record of a file that became one of another type stays until the zone has that one")
    func otherType() {
        var build = TreeBuilder()
        build.agreed("a", "Note/a.json", "x", inode: 5, type: "Note")
        build.agreed("b", "b.txt", "y")
        build.gone("Note/a.json")
        build.local("a.txt", "x", inode: 5)
        var reused = build
        #expect(build.plan() == ["create new from a.txt"])
        build.agreed("new", "a.txt", "x", inode: 5)
        #expect(build.plan() == ["delete record a"])
        // A new file may have got the number of a deleted one.
        reused.local("a.txt", "z", inode: 5)
        #expect(reused.plan() == ["create new from a.txt", "delete record a"])
    }

    @Test("The record of a file that was linked over another one, and lost its name, stays until the zone has it there")
    func linkedOver() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.agreed("b", "b.txt", "y", inode: 6)
        build.local("b.txt", "x", inode: 5)
        #expect(build.plan() == ["update b from b.txt content"])
        build.gone("a.txt")
        #expect(build.plan() == ["update b from b.txt content"])
        build.agreed("b", "b.txt", "x", inode: 5)
        #expect(build.plan() == ["delete record a"])
    }

    @Test("What went over another file, and is edited back to what that one was, is an edit still")
    func editedBack() {
        var build = TreeBuilder()
        build.agreed("a", "Note/a.json", "x", inode: 5, type: "Note")
        build.agreed("b", "Note/b.json", "y", inode: 6, type: "Note")
        build.gone("Note/a.json")
        build.local("Note/b.json", "z", inode: 5, modified: 7, form: TreeBuilder.note(pic: "Note/gone.png"))
        #expect(build.plan() == [])
        build.local("Note/b.json", "y", inode: 5, modified: 8, form: TreeBuilder.note())
        build.remoteGone("b")
        #expect(build.plan() == ["create b from Note/b.json"])
    }

    @Test("A file that comes to the path of one that is gone is not taken for that one, whose record goes")
    func movedToAnEmptyPath() {
        var build = TreeBuilder()
        build.agreed("a", "Note/a.json", "x", type: "Note")
        build.agreed("b", "Note/b.json", "y", inode: 6, type: "Note")
        build.gone("Note/a.json")
        #expect(build.plan() == ["delete record a"])
        // The zone has it there, and so this program moved it.
        build.gone("Note/b.json")
        build.remote("b", "Note/a.json", type: "Note")
        build.local("Note/a.json", "y", inode: 6, form: TreeBuilder.note())
        build.moveBase("b", to: "Note/a.json")
        #expect(build.plan() == ["delete record a"])
    }

    @Test("A file that was to be one with a record is a new one where that is deleted, or renamed, before it is")
    func leftByTheRecord() {
        var build = TreeBuilder()
        build.local("a.txt", "x")
        build.remote("a", "a.txt")
        #expect(build.plan() == ["reconcile a at a.txt"])
        var moved = build
        build.remoteGone("a")
        #expect(build.plan() == ["create new from a.txt"])
        moved.remote("a", "b.txt", tag: "2")
        #expect(moved.plan() == ["write a to b.txt", "create new from a.txt"])
    }

    @Test("Files that move up by one name each, as numbered backups do, stay with the names; no two records share one")
    func rotation() {
        for count in 3...6 {
            var build = TreeBuilder()
            for number in 0..<count {
                build.agreed("r\(number)", "log.\(number)", Character("\(number)"), inode: UInt64(10 + number))
            }
            #expect(build.plan() == [])
            // The oldest is gone, and a new one stands at the head.
            for number in 1..<count {
                build.local("log.\(number)", Character("\(number - 1)"), inode: UInt64(9 + number))
            }
            build.local("log.0", "x", inode: 99)
            #expect(build.plan() == (0..<count).map { "update r\($0) from log.\($0) content" }, "\(count) files")
        }
    }

    @Test("A file that moved up over one with the same bytes outlives the deletion of that one elsewhere")
    func rotationOverDeletedRecord() {
        var builder = TreeBuilder()
        builder.agreed("four", "four", "2", inode: 4)
        builder.agreed("five", "five", "1", inode: 5)
        builder.agreed("six", "six", "1", inode: 6)
        builder.remoteGone("six")
        builder.local("six", "1", inode: 5)
        builder.local("five", "2", inode: 4)
        builder.gone("four")
        #expect(
            builder.plan() == ["create six from six", "update five from five content"])
    }

    @Test("A file that moved up over one with the same bytes is an edit, also where another took its place")
    func rotationOverEqual() {
        var builder = TreeBuilder()
        builder.agreed("four", "four", "2", inode: 4)
        builder.agreed("five", "five", "1", inode: 5)
        builder.agreed("six", "six", "1", inode: 6)
        builder.local("six", "1", inode: 5)
        builder.local("five", "2", inode: 4)
        builder.gone("four")
        #expect(
            builder.plan() == [
                "update five from five content", "update six from six content",
            ])
    }

    @Test("What shows that a file went over another one may go: it stays an edit until it is agreed on")
    func renamedOverStays() {
        var builder = TreeBuilder()
        builder.agreed("b", "b", "1", inode: 5)
        builder.agreed("c", "c", "1", inode: 6)
        builder.gone("b")
        builder.local("c", "1", inode: 5)
        builder.remote("c", "d", tag: "2")
        #expect(builder.plan() == ["move c to d"])
        // Moved, and the other record is gone.
        builder.gone("c")
        builder.local("d", "1", inode: 5)
        builder.moveBase("c", to: "d")
        builder.forget("b")
        #expect(builder.plan() == ["reconcile c at d"])
        builder.remoteGone("c")
        #expect(builder.plan() == ["create c from d"])
    }

    @Test("A file that was touched is the same file where it is renamed over another one")
    func touchedAndRenamed() throws {
        var builder = TreeBuilder()
        builder.agreed("b", "b", "1", inode: 5)
        builder.agreed("c", "c", "1", inode: 6)
        builder.local("b", "1", inode: 5, modified: 99)
        let touched = try #require(builder.trees.touched(builder.trees.local[FolderPath("b")!]!))
        builder.trees.setBase(touched, named: touched.name)
        #expect(builder.plan() == [])
        builder.gone("b")
        builder.local("c", "1", inode: 5, modified: 99)
        #expect(builder.plan() == ["update c from c content"])
    }

    @Test("Files made anew with the same bytes are no edits, whichever of the old files' numbers they get")
    func numbersGivenAgain() {
        for contents in [["1", "2", "3"], ["1", "1", "1"]] as [[Character]] {
            var chain = TreeBuilder()
            for (number, content) in contents.enumerated() {
                chain.agreed("r\(number)", "p\(number)", content, inode: UInt64(10 + number))
            }
            var circle = chain
            for (number, content) in contents.enumerated() {
                chain.local("p\(number)", content, inode: number == 0 ? 99 : UInt64(9 + number), modified: 1000)
                circle.local("p\(number)", content, inode: UInt64(10 + (number + 1) % 3), modified: 1000)
            }
            #expect(chain.plan() == [], "\(contents)")
            #expect(circle.plan() == [], "\(contents)")
        }
    }

    // Each looked for among all would take hours; without optimization, beside other tests, it takes up to a minute.
    @Test("Twenty thousand files that move up by one name are planned in seconds", .timeLimit(.minutes(5)))
    func longChain() {
        var builder = TreeBuilder()
        let count = 20_000
        for number in 0..<count { builder.agreed("r\(number)", "p\(number)", "x", inode: UInt64(number + 10)) }
        for number in 1..<count { builder.local("p\(number)", "x", inode: UInt64(number + 9)) }
        builder.gone("p0")
        #expect(builder.plan().count == count - 1)
    }

    @Test("A file that went over another one and back to its old path is an edit there")
    func thereAndBack() {
        var builder = TreeBuilder()
        builder.agreed("b", "b", "1", inode: 5)
        builder.gone("b")
        builder.agreed("c", "c", "1", inode: 5)
        builder.local("b", "1", inode: 5)
        builder.gone("c")
        // Another device may delete b because its bytes are at c: b has to get a new tag.
        #expect(builder.plan() == ["update b from b content"])
        #expect(builder.trees.base[RecordName("b")]?.isRenewed == true)
        builder.agreed("b", "b", "1", inode: 5)
        #expect(builder.plan() == ["delete record c"])
    }

    @Test("After a start the file that two records had is that one's at whose path it was", arguments: [true, false])
    func fileOfTwo(isReversed: Bool) {
        var before = TreeBuilder()
        before.agreed("b", "b", "1", inode: 5)
        before.gone("b")
        before.agreed("c", "c", "1", inode: 5)

        var builder = TreeBuilder()
        for entry in before.trees.local.values { builder.trees.setLocal(entry, at: entry.path) }
        for entry in before.trees.remote.values { builder.trees.setRemote(entry, named: entry.name) }
        for name in isReversed ? ["c", "b"] : ["b", "c"] {
            builder.trees.setBase(before.trees.base[RecordName(name)], named: RecordName(name))
        }
        builder.local("b", "1", inode: 5)
        builder.gone("c")
        #expect(builder.plan() == ["update b from b content"])
    }

    @Test("What agrees unsent is an edit still where another record's file was renamed over it")
    func unsentAgreement() throws {
        var builder = TreeBuilder()
        builder.agreed("b", "b", "1", inode: 5)
        builder.agreed("c", "c", "0", inode: 6)
        builder.gone("b")
        builder.local("c", "1", inode: 5)
        builder.remote("c", "c", tag: "2")
        #expect(builder.plan() == ["reconcile c at c"])
        // The zone's version of c turns out to have the same bytes: a deletion of it elsewhere must not pass yet.
        var agreement = try #require(builder.trees.base[RecordName("c")])
        agreement.hash = TreeBuilder.hash("1")
        agreement.changeTag = "2"
        agreement.file.inode = 5
        #expect(agreement.isRenewed)
        builder.trees.setBase(agreement, named: RecordName("c"))
        #expect(builder.plan() == ["update c from c content", "delete record b"])
    }

    @Test("A circle of renames beside a chain that does not close is still a circle of renames")
    func circleAndChain() {
        var build = TreeBuilder()
        for (number, name) in ["a", "b", "c", "d", "e", "f"].enumerated() {
            build.agreed(name, name, Character(name), inode: UInt64(10 + number))
        }
        build.local("a", "b", inode: 11)
        build.local("b", "a", inode: 10)
        build.local("c", "x", inode: 99)
        build.local("d", "c", inode: 12)
        build.local("e", "d", inode: 13)
        build.local("f", "e", inode: 14)
        #expect(
            build.plan() == [
                "update b from a path", "update a from b path", "update c from c content", "update d from d content",
                "update e from e content", "update f from f content",
            ])
    }

    @Test("A file that was renamed onto the path of a new record is the renamed record's alone (invariants 6, 7)")
    func renamedOntoNewRecord() {
        var build = TreeBuilder()
        build.agreed("m", "old.txt", "x", inode: 5)
        build.gone("old.txt")
        build.local("new.txt", "x", inode: 5)
        build.remote("r", "new.txt", created: 9)
        #expect(build.plan() == ["update m from new.txt path"])
        // Sent: now both claim the path, and the younger one steps aside.
        build.agreed("m", "new.txt", "x", inode: 5)
        #expect(build.plan() == ["write r to new.txt~r"])
    }

    @Test("A file that was renamed onto the path of an older record steps aside for it")
    func renamedOntoOlderRecord() {
        var build = TreeBuilder()
        build.remote("r", "new.txt", created: -1)
        build.agreed("m", "old.txt", "x", inode: 5)
        build.gone("old.txt")
        build.local("new.txt", "x", inode: 5)
        #expect(build.plan() == ["update m from new.txt path"])
        build.agreed("m", "new.txt", "x", inode: 5)
        #expect(build.plan() == ["move new.txt to new.txt~m", "write r to new.txt"])
    }

    @Test("Records that swapped paths step around each other in the folder")
    func swapThere() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x", inode: 5)
        build.agreed("b", "b.txt", "y", inode: 6)
        build.remote("a", "b.txt", tag: "2")
        build.remote("b", "a.txt", tag: "2")
        #expect(build.plan() == ["move a.txt to b.txt~a", "move b.txt to a.txt"])
    }

    @Test("A chain of moves is done from its free end")
    func chain() {
        var build = TreeBuilder()
        build.agreed("a", "1", "x")
        build.agreed("b", "2", "y")
        build.agreed("c", "3", "z")
        build.remote("a", "2", tag: "2")
        build.remote("b", "3", tag: "2")
        build.remote("c", "4", tag: "2")
        #expect(build.plan() == ["move 3 to 4", "move 2 to 3", "move 1 to 2"])
    }

    @Test("Of two records with one path the older holds it, whatever came first")
    func claims() {
        for order in [["old", "young"], ["young", "old"]] {
            var build = TreeBuilder()
            for name in order { build.remote(name, "a.txt", created: name == "old" ? 1 : 2) }
            #expect(build.plan() == ["write old to a.txt", "write young to a.txt~young"])
        }
    }

    @Test("A record whose path is a folder of other records steps aside")
    func claimedFolder() {
        var build = TreeBuilder()
        build.remote("file", "a", created: 1)
        build.remote("below", "a/b.txt", created: 2)
        #expect(build.plan() == ["write below to a/b.txt", "write file to a~file"])
        build.remoteGone("below")
        #expect(build.trees.path(of: RecordName("file")) == FolderPath("a"))
    }

    @Test("The same new path on both sides meets in one record")
    func meeting() {
        var build = TreeBuilder()
        build.local("a.txt", "x")
        build.remote("a.txt", "a.txt")
        #expect(build.plan() == ["reconcile a.txt at a.txt"])
    }

    @Test("A file that a structured file names is no record of its own, and becomes one when it is named no more")
    func attached() {
        var build = TreeBuilder()
        let form = FileForm.structured(
            recordType: "Note", attachments: [Attachment(field: "cover", index: nil, path: FolderPath("Note/a.png")!)])
        build.local("Note/a.png", "p")
        build.local("Note/a.json", "j", form: form)
        #expect(build.plan() == ["create new from Note/a.json"])
        build.local("Note/a.json", "k", form: .structured(recordType: "Note", attachments: []))
        #expect(build.plan() == ["create new from Note/a.json", "create new from Note/a.png"])
    }

    @Test("A file that a structured file names keeps its record until that one's record has its bytes (invariant 6)")
    func promised() {
        var build = TreeBuilder()
        let form = FileForm.structured(
            recordType: "Note", attachments: [Attachment(field: "pic", index: nil, path: FolderPath("Note/a.png")!)])
        build.agreed("note", "Note/a.json", "j", type: "Note")
        build.agreed("pic", "Note/a.png", "p")
        #expect(build.plan() == [])
        build.local("Note/a.json", "k", form: form)
        #expect(build.plan() == ["update note from Note/a.json content"])
        #expect(build.plan() == ["update note from Note/a.json content"])

        func accept(_ content: Character) {
            var base = build.trees.base[RecordName("note")]!
            base.hash = TreeBuilder.hash("k")
            base.assets = [
                AgreedAsset(
                    field: "pic", index: nil, path: FolderPath("Note/a.png")!, hash: TreeBuilder.hash(content),
                    checksum: "")
            ]
            build.trees.setBase(base, named: RecordName("note"))
        }
        // The record was accepted with earlier bytes of the file: these ones are still to come.
        accept("o")
        #expect(build.plan() == ["update note from Note/a.json content"])
        accept("p")
        #expect(build.plan() == ["delete record pic"])
    }

    @Test("A structured file whose asset is missing waits, is named, and goes through when the asset comes")
    func missingAsset() {
        var build = TreeBuilder()
        let form = FileForm.structured(
            recordType: "Note", attachments: [Attachment(field: "cover", index: nil, path: FolderPath("Note/a.png")!)])
        build.local("Note/a.json", "j", form: form)
        let plan = Planner { _ in false }.plan(&build.trees)
        #expect(plan.actions.isEmpty)
        #expect(plan.problems[FolderPath("Note/a.json")!]?.code == .missingAsset)
        build.local("Note/a.png", "p")
        #expect(build.plan() == ["create new from Note/a.json"])
    }

    @Test("A broken file holds up its own record and no other")
    func broken() {
        var build = TreeBuilder()
        build.agreed("a", "Note/a.json", "x", type: "Note")
        build.agreed("b", "Note/b.json", "y", type: "Note")
        build.local("Note/a.json", "z", form: .held(Problem(.brokenJSON, message: "line 3", remedy: "mend it")))
        build.remote("a", "Note/a.json", tag: "2", type: "Note")
        build.remote("b", "Note/b.json", tag: "2", type: "Note")
        let plan = Planner { _ in false }.plan(&build.trees)
        #expect(plan.actions.map(\.summary) == ["write b to Note/b.json"])
        #expect(plan.problems.keys.map(\.description) == ["Note/a.json"])
    }

    @Test("Ignored and unreadable paths are never taken for deleted (invariants 15, 23)")
    func unobserved() {
        var build = TreeBuilder()
        build.agreed("a", "a.log", "x")
        build.gone("a.log")
        build.remote("b", "b.log")
        let planner = Planner { $0.description.hasSuffix(".log") }
        #expect(build.plan(planner) == [])
        build.remoteGone("a")
        #expect(build.plan(planner) == [])
    }

    @Test(
        "A copy of a file that is ignored from now on is a new file, and the ignored one's record stays (invariant 23)")
    func ignoredAndCopied() {
        var build = TreeBuilder()
        build.agreed("config", "config.json", "x", inode: 5)
        build.gone("config.json")
        build.local("config.example.json", "x", inode: 6)
        let planner = Planner { $0 == FolderPath("config.json") }
        #expect(build.plan(planner) == ["create new from config.example.json"])
    }

    @Test("A mass deletion waits for an approval that names this very batch (invariant 17)", arguments: [true, false])
    func massDeletion(here: Bool) {
        var build = TreeBuilder()
        for number in 0..<60 { build.agreed("r\(number)", "f\(number).txt", "x") }
        for number in 0..<30 {
            if here { build.gone("f\(number).txt") } else { build.remoteGone("r\(number)") }
        }
        var planner = Planner { _ in false }
        let held = planner.plan(&build.trees)
        #expect(held.actions.isEmpty)
        #expect(held.awaitingApproval.count == 30)

        let approved = ApprovedDeletions(of: held.awaitingApproval)
        planner.approved = ApprovedDeletions(of: held.awaitingApproval.dropLast())
        #expect(planner.plan(&build.trees).actions.isEmpty, "one more than was approved")
        planner.approved = ApprovedDeletions(inZone: approved.inFolder, inFolder: approved.inZone)
        #expect(planner.plan(&build.trees).actions.isEmpty, "those of the other side")
        planner.approved = approved
        #expect(planner.plan(&build.trees).actions.count == 30)
        // Of 30 that were approved one is done already.
        planner.limit = MassDeletionLimit(count: 5)
        build.trees.setBase(nil, named: RecordName("r0"))
        build.trees.setRemote(nil, named: RecordName("r0"))
        build.trees.setLocal(nil, at: FolderPath("f0.txt")!)
        build.trees.markAllDirty()
        #expect(planner.plan(&build.trees).actions.count == 29)
    }

    @Test("A third of a small tree may go unasked, and so may many files of a large one")
    func smallDeletions() {
        #expect(!MassDeletionLimit().needsApproval(deletions: 25, of: 30))
        #expect(MassDeletionLimit().needsApproval(deletions: 26, of: 30))
        #expect(!MassDeletionLimit().needsApproval(deletions: 100, of: 1000))
    }

    @Test("Planning twice gives the same plan (invariant 11)")
    func idempotent() {
        var build = TreeBuilder()
        build.agreed("a", "a.txt", "x")
        build.local("a.txt", "y")
        build.local("n.txt", "n")
        build.remote("m", "m.txt")
        build.agreed("g", "g.txt", "g")
        build.gone("g.txt")
        let first = build.plan()
        #expect(first.count == 4)
        #expect(build.plan() == first)
        build.trees.markAllDirty()
        #expect(build.plan() == first)
    }
}
