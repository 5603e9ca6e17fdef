import SyncModel
import SystemPackage

@testable import FolderSettings
@testable import StateRows
@testable import StateStorage

#if canImport(Glibc)
    import Glibc
#endif

/// A folder with a state directory, removed with this object.
final class TemporaryFolder {
    let path: FilePath
    let state: StateDirectory

    init(below parent: String = "/tmp") throws {
        var template = Array("\(parent)/state-tests-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { FilePath(String(cString: mkdtemp($0.baseAddress!)!)) }
        state = try StateDirectory.create(in: path)
    }

    deinit {
        remove(path.string)
    }

    func store() throws -> StateStore {
        try StateStore(of: state)
    }

    func look<Value>(_ body: (StateStore) throws -> Value) throws -> Value {
        try StateStore.look(at: state, body)
    }

    func mode(of path: FilePath) throws -> UInt32? {
        try FileStatus(of: path)?.mode
    }

    /// Follows no symlink: a test may have put one here that leads out of the folder.
    private func remove(_ path: String) {
        guard let status = try? FileStatus(of: FilePath(path)), status.isDirectory, let stream = opendir(path) else {
            unlink(path)
            return
        }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        closedir(stream)
        rmdir(path)
    }
}

let notes = ZoneKey(name: "Notes")

func hash(_ number: Int) -> ContentHash {
    ContentHash(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })!
}

func local(_ path: String, _ number: Int = 1, form: FileForm = .file) -> LocalEntry {
    let stamp = FileStamp(
        device: .max, inode: UInt64(number), size: 5, modified: 1_700_000_000_123_456_789, changed: 2, mode: 0o755,
        born: Int64(number))
    return LocalEntry(path: FolderPath(path)!, stamp: stamp, hash: hash(number), form: form)
}

func remote(_ name: String, tag: String = "1", path: String? = nil) -> RemoteRow {
    RemoteRow(
        entry: RemoteEntry(
            name: RecordName(name), recordType: "File", changeTag: tag, path: FolderPath(path ?? name)!,
            createdMilliseconds: 7, assets: [AssetVersion(field: "content", checksum: "AbC+/=", size: 5)]),
        record: Array("{\"recordName\":\"\(name)\"}".utf8))
}

func base(_ name: String, tag: String = "1", _ number: Int = 1) -> BaseEntry {
    BaseEntry(
        name: RecordName(name), recordType: "File", path: FolderPath(name)!, hash: hash(number), changeTag: tag,
        createdMilliseconds: 7,
        assets: [
            AgreedAsset(field: "content", path: FolderPath(name)!, hash: hash(number), checksum: "AbC+/=")
        ], file: FileIdentity(device: 3, inode: UInt64.max, born: Int64(number)))
}

func agreed(_ name: String, tag: String = "1", document: [UInt8]? = nil) -> Outcome {
    Outcome(
        base: .agreed(base(name, tag: tag), document: document), remote: .saved(remote(name, tag: tag)),
        local: [local(name)])
}
