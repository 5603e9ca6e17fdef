import FolderSettings
import Foundation
import StateStorage
import SystemPackage
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("The lock of a folder")
struct FolderLockTests {
    @Test("A second holder is refused, and told the process of the first")
    func secondHolder() throws {
        let folder = try TemporaryFolder()
        #expect(FolderLock.holder(of: folder.state) == nil)
        let lock = try FolderLock(of: folder.state)
        let error = #expect(throws: StateError.self) { try FolderLock(of: folder.state) }
        #expect(error?.code == .locked)
        #expect(error?.message.contains("Process \(getpid()) ") == true)
        #expect(FolderLock.holder(of: folder.state) == getpid())
        withExtendedLifetime(lock) {}
    }

    @Test("The lock is free again once its holder lets go")
    func release() throws {
        let folder = try TemporaryFolder()
        _ = try FolderLock(of: folder.state)
        #expect(FolderLock.holder(of: folder.state) == nil)
        _ = try FolderLock(of: folder.state)
    }

    @Test("A lock is removed with its file or where another one takes its place, and not while the folder is away")
    func removed() throws {
        let folder = try TemporaryFolder()
        let lock = try FolderLock(of: folder.state)
        let (file, away) = (folder.state.lockFile.string, folder.state.lockFile.string + ".away")
        #expect(!lock.isRemoved)
        try FileManager.default.moveItem(atPath: file, toPath: away)
        #expect(!lock.isRemoved)
        try Data().write(to: URL(filePath: file))
        #expect(lock.isRemoved)
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: away, toPath: file)
        #expect(!lock.isRemoved)
        try FileManager.default.removeItem(atPath: file)
        #expect(lock.isRemoved)
    }

    @Test("A copy of the descriptor, as a process that is being started has for an instant, does not keep the lock")
    func copiedDescriptor() throws {
        let folder = try TemporaryFolder()
        var lock: FolderLock? = try FolderLock(of: folder.state)
        let copies = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return target == folder.state.lockFile.string ? Int32(name).map { dup($0) } : nil
        }
        defer { copies.forEach { close($0) } }
        #expect(!copies.isEmpty)
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(FolderLock.holder(of: folder.state) == nil)
        _ = try FolderLock(of: folder.state)
    }

    @Test("Another process that holds it is seen, and its death frees the lock")
    func otherProcess() throws {
        let folder = try TemporaryFolder()
        // The child takes the lock, says so by a line on its standard output, and waits to be killed.
        var pipe: [Int32] = [0, 0]
        #expect(Glibc.pipe(&pipe) == 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
        posix_spawn_file_actions_addclose(&actions, pipe[0])
        defer { posix_spawn_file_actions_destroy(&actions) }
        let script = """
            exec 9>>'\(folder.state.lockFile)'
            flock -n 9 || exit 1
            echo $$ > '\(folder.state.lockFile)'
            echo held
            exec sleep 600
            """
        let arguments: [UnsafeMutablePointer<CChar>?] =
            ["/bin/sh", "-c", script].map { (text: String) in strdup(text) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child: pid_t = 0
        #expect(posix_spawn(&child, "/bin/sh", &actions, nil, arguments, environ) == 0)
        close(pipe[1])
        var byte: UInt8 = 0
        #expect(read(pipe[0], &byte, 1) == 1)

        let error = #expect(throws: StateError.self) { try FolderLock(of: folder.state) }
        #expect(error?.message.contains("Process \(child) ") == true)
        #expect(FolderLock.holder(of: folder.state) == child)

        kill(child, SIGKILL)
        var status: Int32 = 0
        waitpid(child, &status, 0)
        close(pipe[0])
        _ = try FolderLock(of: folder.state)
    }
}
