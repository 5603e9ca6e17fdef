import Glibc
import LocalFolder
import SyncModel
import Testing

@Suite("The look at the whole folder in small steps")
struct AuditTests {
    /// What is known, as a scan found it.
    struct Known: AuditedFolder {
        var stamps: [FolderPath: FileStamp] = [:]
        var noted: Set<FolderPath> = []

        init(_ result: ScanResult) {
            for file in result.files { stamps[file.path] = file.stamp }
            noted = Set(result.skipped.map(\.path) + result.leftOut.map(\.path))
        }

        func stamp(of path: FolderPath) -> FileStamp? { stamps[path] }
        func isNoted(_ path: FolderPath) -> Bool { noted.contains(path) }
        func fileCount(below directory: FolderPath?) -> Int {
            stamps.keys.count { path in directory.map(path.isBelow) ?? true }
        }
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["a.txt", "b/c.txt", "b/d/e.txt", "b/d/f.txt", "g/h.txt", ".ssh/id_rsa", "x.part"] {
            try folder.write(name, to: name)
        }
        guard symlink("a.txt", folder.absolute("link")) == 0 else { throw Failure() }
        return folder
    }

    private struct Failure: Error {}

    /// All that an audit finds, and how many steps it takes.
    private static func audit(
        _ folder: TemporaryFolder, _ known: Known, names: Int = 100
    ) -> (suspects: Set<FolderPath>, incomplete: [FolderPath?: Set<FolderPath>], steps: Int) {
        var audit = FolderAudit(root: folder.root, rules: IgnoreRules())
        var suspects: Set<FolderPath> = []
        var incomplete: [FolderPath?: Set<FolderPath>] = [:]
        var steps = 0
        while !audit.isFinished {
            let step = audit.step(names: names, in: known)
            suspects.formUnion(step.suspects)
            for (directory, present) in step.incomplete { incomplete[directory] = present }
            steps += 1
        }
        return (suspects, incomplete, steps)
    }

    @Test("Where all is as known, nothing is worth a look, however small the steps are", arguments: [1, 3, 1000])
    func asKnown(names: Int) throws {
        let folder = try Self.folder()
        let found = Self.audit(folder, Known(folder.scan()), names: names)
        #expect(found.suspects.isEmpty && found.incomplete.isEmpty)
        #expect(names > 1 ? found.steps < 8 : found.steps >= 8)
    }

    @Test("A file that was written to in any way, a new one, a new directory and a new link are worth a look")
    func changed() throws {
        let folder = try Self.folder()
        let known = Known(folder.scan())
        try folder.write("other", to: "b/d/e.txt")
        try folder.write("new", to: "b/new.txt")
        try folder.write("new", to: "i/new.txt")
        guard symlink("a.txt", folder.absolute("g/new")) == 0 else { throw Failure() }
        let found = Self.audit(folder, known)
        #expect(found.suspects == ["b/d/e.txt", "b/new.txt", "i", "g/new"])
        #expect(found.incomplete.isEmpty)
    }

    @Test("A directory tells that a file or a directory in it is missing, and no other one does")
    func missing() throws {
        let folder = try Self.folder()
        let known = Known(folder.scan())
        folder.remove("b/d/e.txt")
        folder.remove("g")
        let found = Self.audit(folder, known)
        #expect(Set(found.incomplete.keys) == [nil, "b/d"])
        #expect(found.incomplete["b/d"] == ["b/d/f.txt"])
        #expect(found.incomplete[FolderPath?.none]?.contains("g") == false)
        #expect(found.suspects.isEmpty)
    }

    @Test("What takes a file's place is worth a look, and a directory that takes it too")
    func replaced() throws {
        let folder = try Self.folder()
        let known = Known(folder.scan())
        folder.remove("a.txt")
        guard symlink("b", folder.absolute("a.txt")) == 0 else { throw Failure() }
        folder.remove("g/h.txt")
        try folder.write("below", to: "g/h.txt/new.txt")
        let found = Self.audit(folder, known)
        #expect(found.suspects.isSuperset(of: ["a.txt", "g/h.txt"]))
    }

    @Test("A scan tells which files have several names")
    func linked() throws {
        let folder = try Self.folder()
        guard link(folder.absolute("a.txt"), folder.absolute("g/same.txt")) == 0 else { throw Failure() }
        let names = folder.scan().linked
        #expect(Set(names.map(\.path)) == ["a.txt", "g/same.txt"])
        #expect(Set(names.map(\.stamp)).count == 1)
    }
}
