import FolderWriting
import Glibc
import LocalFolder
public import SyncModel
import Synchronization
import SystemPackage
import Testing

/// A folder on the real disk, with a state directory, removed at the end.
final class TemporaryFolder: Sendable {
    let path: String
    let root: FolderRoot

    init(marked: Bool = true) throws {
        var template = Array("/tmp/zonefolder-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if marked { guard mkdir(path + "/.zonefolder", 0o700) == 0 else { throw Errno(rawValue: errno) } }
        root = try FolderRoot(opening: FilePath(path))
    }

    deinit {
        removeAll(path)
    }

    func writer(
        device: String = "laptop", clock: @escaping @Sendable () -> Int64 = now, exchanging: Bool = true
    ) throws -> FolderWriter {
        try FolderWriter(root: root, device: device, clock: clock, allowingExchange: exchanging)
    }

    func absolute(_ path: String) -> String { "\(self.path)/\(path)" }

    // MARK: What a person does

    func makeDirectories(_ relative: String) throws {
        var made = path
        for name in relative.split(separator: "/") {
            made += "/\(name)"
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
        }
    }

    /// Writes as `>` does: truncates what is there.
    func write(_ text: String, to relative: String, mode: mode_t = 0o644) throws {
        if let slash = relative.lastIndex(of: "/") { try makeDirectories(String(relative[..<slash])) }
        try writeFile(absolute(relative), Array(text.utf8), mode: mode)
    }

    /// Saves as most editors do: a new file, renamed over the old one.
    func save(_ text: String, over relative: String) throws {
        let temporary = absolute(relative) + ".new-\(UInt64.random(in: 0...UInt64.max))"
        try writeFile(temporary, Array(text.utf8), mode: 0o644)
        guard rename(temporary, absolute(relative)) == 0 else { throw Errno(rawValue: errno) }
    }

    func read(_ relative: String) -> String? { readFile(absolute(relative)) }

    func remove(_ relative: String) { removeAll(absolute(relative)) }

    func exists(_ relative: String) -> Bool {
        var status = stat()
        return lstat(absolute(relative), &status) == 0
    }

    /// Names of all files, directories with a slash at their end, sorted; the state directory is left out.
    func tree() -> [String] { listTree(path).filter { !$0.hasPrefix(".zonefolder") } }

    /// The contents of all that is in history, by path.
    func historyContents() -> [String] {
        listTree(absolute(".zonefolder/history")).filter { !$0.hasSuffix("/") }
            .compactMap { read(".zonefolder/history/\($0)") }
    }

    func staged() -> [String] { listTree(absolute(".zonefolder/staging")) }

    // MARK: What the engine knows

    func scan(
        _ scope: ScanScope = .whole, rules: IgnoreRules = IgnoreRules(), previous: [LocalFile] = []
    )
        -> ScanResult
    {
        let known = Dictionary(uniqueKeysWithValues: previous.map { ($0.path, $0) })
        return FolderScanner(root: root, rules: rules).scan(scope, now: now(), previous: { known[$0] })
    }

    func file(_ path: String) throws -> LocalFile {
        let path = try #require(FolderPath(path))
        return try #require(scan(.paths([path])).files.first)
    }
}

/// Nanoseconds since 1970.
@Sendable func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func writeFile(_ path: String, _ bytes: [UInt8], mode: mode_t = 0o644) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode)
    guard file >= 0 else { throw Errno(rawValue: errno) }
    defer { close(file) }
    guard bytes.isEmpty || Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Errno(rawValue: errno) }
}

func readFile(_ path: String) -> String? {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = Glibc.read(file, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

func listTree(_ path: String, prefix: String = "") -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        var status = stat()
        lstat("\(path)/\(name)", &status)
        if status.st_mode & S_IFMT == S_IFDIR {
            names.append("\(prefix)\(name)/")
            names += listTree("\(path)/\(name)", prefix: "\(prefix)\(name)/")
        } else {
            names.append(prefix + name)
        }
    }
    return names.sorted()
}

func removeAll(_ path: String) {
    if unlink(path) == 0 || errno == ENOENT { return }
    guard let directory = opendir(path) else { return }
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: UInt8.self, capacity: 256) { pointer in
                Array(
                    UnsafeBufferPointer(
                        start: pointer, count: strlen(UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))))
            }
        }
        if name == Array(".".utf8) || name == Array("..".utf8) { continue }
        // Names that are no UTF-8 are removed relative to the directory.
        let terminated = name.map { CChar(bitPattern: $0) } + [0]
        if unlinkat(dirfd(directory), terminated, 0) != 0 {
            removeAll("\(path)/\(String(decoding: name, as: UTF8.self))")
        }
    }
    closedir(directory)
    rmdir(path)
}

extension FolderPath: ExpressibleByStringLiteral {
    /// Takes a path that the test knows to be safe.
    public init(stringLiteral text: String) {
        self.init(text)!
    }
}

extension WriteOutcome {
    var isDone: Bool {
        if case .done = self { true } else { false }
    }
}

/// A clock that is moved by hand.
final class Clock: Sendable {
    private let time: Atomic<Int64>

    init(seconds: Int64) {
        time = Atomic(seconds * 1_000_000_000)
    }

    var nanoseconds: Int64 { time.load(ordering: .relaxed) }

    func advance(by seconds: Int64) {
        time.add(seconds * 1_000_000_000, ordering: .relaxed)
    }
}
