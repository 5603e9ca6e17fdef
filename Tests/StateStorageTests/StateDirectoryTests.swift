import SystemPackage
import Testing

@testable import FolderSettings
@testable import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

@Suite("The hidden directory")
struct StateDirectoryTests {
    @Test("Only its owner can look into it")
    func isPrivate() throws {
        let folder = try TemporaryFolder()
        for part in [folder.state.path, folder.state.staging, folder.state.history, folder.state.cookies] {
            #expect(try folder.mode(of: part) == 0o700)
        }
    }

    @Test(
        "Opening changes nothing; making ready takes back permissions that others were given, and completes the parts")
    func preparing() throws {
        let folder = try TemporaryFolder()
        chmod(folder.state.path.string, 0o755)
        rmdir(folder.state.staging.string)
        let state = try StateDirectory.open(in: folder.path)
        #expect(try state.otherOwner == nil)
        #expect(try folder.mode(of: folder.state.path) == 0o755)
        #expect(try folder.mode(of: folder.state.staging) == nil)
        try state.prepare()
        #expect(try folder.mode(of: folder.state.path) == 0o700)
        #expect(try folder.mode(of: folder.state.staging) == 0o700)
    }

    @Test("A folder without one is told from one with it, and nothing is made")
    func missing() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StateError.self) { try StateDirectory.open(in: "/tmp") }
        #expect(error?.code == .missing)
        #expect(StateDirectory.folder(holding: folder.path.appending("a").appending("b")) == folder.path)
        #expect(StateDirectory.folder(holding: "/tmp") == nil)
    }

    @Test("A symlink in its place is refused, and not followed")
    func symlinkInPlace() throws {
        let folder = try TemporaryFolder()
        let inner = folder.path.appending("inner")
        let target = folder.path.appending("target")
        mkdir(inner.string, 0o755)
        mkdir(target.string, 0o755)
        symlink(target.string, inner.appending(".zonefolder").string)
        let error = #expect(throws: StateError.self) { try StateDirectory.create(in: inner) }
        #expect(error?.code == .io)
        #expect(try folder.mode(of: target) == 0o755)
    }

    @Test("A written file has mode 0600, the new content whole, and leaves no temporary file behind")
    func durableFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.state.path.appending("x")
        for content in ["one", "", "three"] {
            try DurableFile.write(Array(content.utf8), to: path)
            #expect(try DurableFile.read(path) == Array(content.utf8))
        }
        #expect(try folder.mode(of: path) == 0o600)
        #expect(try names(in: folder.state.path) == [".gitignore", "cookies", "history", "staging", "x"])
    }

    @Test("What a crash left of a write neither stops the next one nor stays")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        let leftover = folder.state.path.appending(".new-\(getpid())-0")
        close(open(leftover.string, O_CREAT | O_WRONLY, 0o600))
        try DurableFile.write([1], to: folder.state.path.appending("x"))
        #expect(try FileStatus(of: leftover) != nil)
        folder.state.removeLeftovers()
        #expect(try names(in: folder.state.path) == [".gitignore", "cookies", "history", "staging", "x"])
    }

    @Test("A write to a directory that is gone is an error that names it")
    func failedWrite() throws {
        let error = #expect(throws: StateError.self) { try DurableFile.write([1], to: "/nowhere/at-all/x") }
        #expect(error?.code == .io)
        #expect(error?.message.contains("/nowhere/at-all") == true)
    }

    @Test("A synced folder that lies in another one is told, however deep, and one beside it is not")
    func outerFolder() throws {
        let outer = try TemporaryFolder()
        let inner = outer.path.appending("a").appending("b")
        mkdir(outer.path.appending("a").string, 0o755)
        mkdir(inner.string, 0o755)
        let state = try StateDirectory.create(in: inner)
        // What an `init` left that did not get to its end is no synced folder.
        #expect(state.outerFolder == nil)
        #expect(creat(outer.state.configurationFile.string, 0o600) >= 0)
        #expect(state.outerFolder == outer.path)
        #expect(outer.state.outerFolder == nil)
    }

    @Test("The socket lies in the directory where its path is short enough")
    func nearSocket() throws {
        let folder = try TemporaryFolder()
        let socket = try ControlSocket.prepare(for: folder.state, runtimeDirectory: nil)
        #expect(socket.path == folder.state.path.appending("control"))
        #expect(try ControlSocket.find(for: folder.state) == socket)
    }

    @Test("The socket of a long path lies elsewhere, in a private directory, and is found through the pointer")
    func farSocket() throws {
        let outer = try TemporaryFolder()
        let deep = outer.path.appending(String(repeating: "d", count: 120))
        mkdir(deep.string, 0o755)
        let state = try StateDirectory.create(in: deep)
        let runtime = outer.path.appending("run")
        mkdir(runtime.string, 0o700)
        let socket = try ControlSocket.prepare(for: state, runtimeDirectory: runtime.string)
        #expect(socket.path.string.utf8.count <= ControlSocket.longestPath)
        #expect(socket.path.removingLastComponent() == runtime.appending("zonefolder"))
        #expect(try outer.mode(of: runtime.appending("zonefolder")) == 0o700)
        #expect(try ControlSocket.find(for: state) == socket)
        #expect(try ControlSocket.prepare(for: state, runtimeDirectory: runtime.string) == socket)

        chmod(runtime.appending("zonefolder").string, 0o777)
        let error = #expect(throws: StateError.self) {
            try ControlSocket.prepare(for: state, runtimeDirectory: runtime.string)
        }
        #expect(error?.code == .permissionDenied)
    }

    @Test("The socket of a folder whose disk takes none lies elsewhere, and no probe is left where one does")
    func withoutSockets() throws {
        let folder = try TemporaryFolder()
        let runtime = folder.path.appending("run")
        mkdir(runtime.string, 0o700)
        let socket = try ControlSocket.prepare(for: folder.state, runtimeDirectory: runtime.string, isNear: false)
        #expect(socket.path.removingLastComponent() == runtime.appending("zonefolder"))
        #expect(try ControlSocket.find(for: folder.state) == socket)
        let before = try names(in: folder.state.path)
        let near = try ControlSocket.prepare(for: folder.state, runtimeDirectory: runtime.string)
        #expect(near.path == folder.state.path.appending("control"))
        #expect(try names(in: folder.state.path) == before.filter { $0 != "control.path" })
    }

    private func names(in path: FilePath) throws -> [String] {
        let stream = try #require(opendir(path.string))
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }
}
