import SystemPackage
import Testing

@testable import FolderSettings
@testable import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("A folder in a folder, and what keeps Git away")
struct NestedFolderTests {
    @Test("Of folders in one another the outermost one that is set up syncs a path, however many copies are in it")
    func syncing() throws {
        let outer = try TemporaryFolder()
        let copy = outer.path.appending("copy")
        let second = copy.appending("again")
        for path in [copy, second] {
            mkdir(path.string, 0o755)
            let state = try StateDirectory.create(in: path)
            #expect(creat(state.configurationFile.string, 0o600) >= 0)
        }
        // What an `init` left that did not get to its end syncs nothing.
        #expect(StateDirectory.folder(syncing: second.appending("a.txt")) == copy)
        #expect(creat(outer.state.configurationFile.string, 0o600) >= 0)
        for path in [outer.path, copy, second, second.appending("a.txt")] {
            #expect(StateDirectory.folder(syncing: path) == outer.path)
        }
        #expect(StateDirectory.folder(holding: second.appending("a.txt")) == second)
        #expect(StateDirectory.folder(syncing: "/tmp") == nil)
    }

    @Test("Git is told to leave the directory alone, also in one that was made before; what a person wrote stays")
    func gitIgnore() throws {
        let folder = try TemporaryFolder()
        let file = folder.state.path.appending(".gitignore")
        #expect(try DurableFile.read(file) == Array("*\n".utf8))
        unlink(file.string)
        try folder.state.prepare()
        #expect(try DurableFile.read(file) == Array("*\n".utf8))
        try DurableFile.write(Array("!config.toml\n".utf8), to: file)
        try folder.state.prepare()
        folder.state.removeLeftovers()
        #expect(try DurableFile.read(file) == Array("!config.toml\n".utf8))
        try folder.state.remove()
        #expect(try FileStatus(of: folder.state.path) == nil)
    }

    @Test("A missing database is made by the next start where the folder is set up, and by `init` where it is not")
    func missingDatabase() throws {
        let folder = try TemporaryFolder()
        let new = #expect(throws: StateError.self) { try folder.look { _ in } }
        #expect(new?.code == .missing && new?.message.contains("zonefolder init") == true)
        #expect(creat(folder.state.configurationFile.string, 0o600) >= 0)
        let old = #expect(throws: StateError.self) { try folder.look { _ in } }
        #expect(old?.code == .missing && old?.message.contains("zonefolder start") == true)
        #expect(old?.message.contains("zonefolder init") == false)
    }
}
