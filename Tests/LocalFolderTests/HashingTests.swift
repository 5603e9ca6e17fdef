import SyncModel
import SystemPackage
import Testing

@testable import LocalFolder

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Reading files for their hashes")
struct HashingTests {
    @Test("A large file that is written to meanwhile is not read to its end")
    func writtenTo() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "disk.img")
        // A hole takes no room.
        #expect(truncate(folder.absolute("disk.img"), 1 << 40) == 0)
        let file = try Descriptor.open(beneath: folder.root.descriptor, Array("disk.img".utf8) + [0], .read)
        let before = try file.status().stamp
        #expect(truncate(folder.absolute("disk.img"), 1 << 41) == 0)
        var buffer = HashingBuffer()
        let hash = try buffer.hash(of: file, while: before)
        #expect(hash == nil)
        let position = lseek(file.raw, 0, SEEK_CUR)
        #expect(position > 0 && position <= 2 * HashingBuffer.stretch)
    }

    @Test(
        "A file that is left alone has the hash of its bytes, however many stretches it has", arguments: [0, 1, 20, 40])
    func leftAlone(megabytes: Int64) throws {
        let folder = try TemporaryFolder()
        try folder.write("text", to: "a")
        #expect(truncate(folder.absolute("a"), off_t(megabytes << 20)) == 0)
        var buffer = HashingBuffer()
        let file = try Descriptor.open(beneath: folder.root.descriptor, Array("a".utf8) + [0], .read)
        let hash = try buffer.hash(of: file, while: try file.status().stamp)
        let again = try Descriptor.open(beneath: folder.root.descriptor, Array("a".utf8) + [0], .read)
        let plain = try buffer.hash(of: again)
        #expect(hash == plain.0 && plain.size == megabytes << 20)
    }
}
