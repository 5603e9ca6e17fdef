import Foundation
import SyncModel
import SystemPackage
import Testing

@testable import MappedMemory
@testable import RecordTrees
@testable import SyncPlanning

@Suite("Memory that the system can take back")
struct MappedMemoryTests {
    private static func inDirectory(_ body: (FilePath) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(FilePath(directory.path))
    }

    private static func entry(_ number: Int) -> LocalEntry {
        let stamp = FileStamp(
            device: 1, inode: UInt64(number), size: 1, modified: Int64(number), changed: 2, mode: 0o644, born: 3)
        let hash = ContentHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 % 4 * 8)) })!
        return LocalEntry(
            path: FolderPath("folder \(number / 100)/file \(number)")!, stamp: stamp, hash: hash, form: .file,
            isSettled: true)
    }

    /// Whether a table has just what it was given, some of it changed since.
    private static func check(_ table: TreeTable<LocalEntry>, _ count: Int, changed: Int = 0) {
        for number in 0..<count {
            var expected = entry(number)
            if number < changed { expected.stamp.size = 1 << 40 }
            if table[expected.path] != expected { Issue.record("\(expected.path) is another one") }
        }
        #expect(table.count == count)
    }

    @Test("Rows are what they were after they were put away, and those of copies too")
    func rows() throws {
        try Self.inDirectory { directory in
            let memory = MappedMemory(in: directory, ownLimit: 1 << 16, takesAnyFileSystem: true)
            var table = TreeTable<LocalEntry>(in: memory)
            for number in 0..<20_000 { table[Self.entry(number).path] = Self.entry(number) }
            #expect(memory.mappedBytes >= table.bytes - 1 << 16)
            memory.putAway()
            Self.check(table, 20_000)
            let before = table
            for number in 0..<10_000 {
                var entry = Self.entry(number)
                entry.stamp.size = 1 << 40
                table[entry.path] = entry
            }
            memory.putAway()
            Self.check(before, 20_000)
            Self.check(table, 20_000, changed: 10_000)
        }
    }

    @Test("What nobody has any more is given out again")
    func again() throws {
        try Self.inDirectory { directory in
            let memory = MappedMemory(in: directory, ownLimit: 0, takesAnyFileSystem: true)
            for _ in 0..<10 {
                var table = TreeTable<LocalEntry>(in: memory)
                for number in 0..<10_000 { table[Self.entry(number).path] = Self.entry(number) }
                Self.check(table, 10_000)
            }
            #expect(memory.mappedBytes == 16 << 20)
        }
    }

    @Test("Nothing is seen in the directory, and nothing is left there")
    func traces() throws {
        try Self.inDirectory { directory in
            let region = MappedMemory(in: directory, ownLimit: 0, takesAnyFileSystem: true).region(of: 4096)
            defer { region.free() }
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.string)
            #expect(names.isEmpty)
        }
    }

    @Test("The first bytes are the process's own, and all are where the directory takes no file")
    func own() throws {
        try Self.inDirectory { directory in
            let memory = MappedMemory(in: directory, ownLimit: 8192, takesAnyFileSystem: true)
            let regions = (0..<2).map { _ in memory.region(of: 4096) }
            #expect(memory.mappedBytes == 0)
            regions[0].free()
            let third = memory.region(of: 4096)
            #expect(memory.mappedBytes == 0, "What came back counts no more")
            let fourth = memory.region(of: 4096)
            #expect(memory.mappedBytes > 0)
            for region in [regions[1], third, fourth] { region.free() }

            // Nor is a file in memory any use.
            for place in [directory.appending("not there"), "/dev/shm"] {
                let without = MappedMemory(in: place, ownLimit: 0)
                var table = TreeTable<LocalEntry>(in: without)
                for number in 0..<100 { table[Self.entry(number).path] = Self.entry(number) }
                Self.check(table, 100)
                #expect(without.mappedBytes == 0)
            }
        }
    }
}
