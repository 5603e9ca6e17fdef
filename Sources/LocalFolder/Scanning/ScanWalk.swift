import BitCollections
import SyncModel
import SystemPackage

/// One walk of the directories: stamps only, nothing is read.
struct ScanWalk {
    let root: FolderRoot
    let rules: IgnoreRules
    let unchanged: (FolderPath, FileStamp) -> Int?
    let previous: (FolderPath) -> LocalFile?
    let onDirectory: (FolderPath?) -> Void
    var result: ScanResult
    /// Files whose bytes must be read.
    var toHash: [FolderPath] = []
    /// How large each of those is, by its stamp.
    var bytesToHash: [Int64] = []
    /// The names in directories of which a path is looked at by itself, where the disk takes other spellings for it too.
    private var spelledNames = SpelledNames.Listings()
    private lazy var tellsCase = root.tellsCase

    init(
        root: FolderRoot, rules: IgnoreRules,
        unchanged: @escaping (FolderPath, FileStamp) -> Int? = { _, _ in nil },
        previous: @escaping (FolderPath) -> LocalFile? = { _ in nil },
        onDirectory: @escaping (FolderPath?) -> Void = { _ in }
    ) {
        self.root = root
        self.rules = rules
        self.unchanged = unchanged
        self.previous = previous
        self.onDirectory = onDirectory
        result = ScanResult(rules: rules)
    }

    mutating func lookAtWhole() {
        do throws(Errno) {
            walk(try root.openDirectory(nil), at: nil)
        } catch {
            result.add(unreadable: nil, error)
        }
    }

    mutating func look(at paths: [FolderPath]) {
        var last: FolderPath?
        // In this order a directory comes right before what is below it; only a name like `a-b` can stand between
        // `a` and `a/c`, and then costs a second look.
        for path in paths.sorted() {
            if let last, path == last || path.isBelow(last) { continue }
            last = path
            look(at: path)
        }
    }

    private mutating func look(at path: FolderPath) {
        guard path.bytes.count < 4096 else { return }
        do throws(Errno) {
            let parent = try Descriptor.open(
                beneath: root.descriptor, path.parent?.terminated ?? [UInt8(ascii: "."), 0], .directory,
                sameMount: true)
            let status = try parent.status(of: path.terminatedName)
            guard try isSpelled(path) else { return result.add(absent: path) }
            if let rule = rules.rule(ignoring: path, isDirectory: status.kind == .directory) {
                // Of what is left out with its directory nothing is told.
                if path.parent.map({ rules.isIgnored($0, isDirectory: true) }) ?? false { return }
                return note(path, leftOutBy: rule, status.kind)
            }
            if status.kind == .file { result.fileSet.insert(path) }
            take(path, status, in: parent, name: path.terminatedName)
        } catch {
            // A name above may be ignored, and then says nothing.
            guard !rules.isIgnored(path, isDirectory: false) else { return }
            switch error {
            case .noSuchFileOrDirectory: result.add(absent: path)
            case .notDirectory, .tooManySymbolicLinkLevels: lookAbove(path)
            case .improperLink: result.add(skipped: path, .otherFileSystem)
            default: result.add(unreadable: path, error)
            }
        }
    }

    /// Whether what answers to a path has that name, and its directories theirs, and not ones that differ in case.
    private mutating func isSpelled(_ path: FolderPath) throws(Errno) -> Bool {
        guard !tellsCase else { return true }
        for place in path.ancestors + [path] {
            guard try spelledNames.spelling(of: place, in: root) == place else { return false }
        }
        return true
    }

    /// Tells what stands where a path's directory was.
    private mutating func lookAbove(_ path: FolderPath) {
        var above: [FolderPath] = []
        var next = path.parent
        while let directory = next {
            above.append(directory)
            next = directory.parent
        }
        for directory in above.reversed() {
            guard let status = try? root.openParent(of: directory).status(of: directory.terminatedName) else { break }
            if let reason = status.kind.skipReason { return result.add(skipped: directory, reason) }
            if status.kind == .file { return result.add(absent: path) }
        }
        result.add(changing: path)
    }

    private mutating func take(
        _ path: FolderPath, _ status: FileStatus, in parent: borrowing Descriptor, name: UnsafePointer<UInt8>
    ) {
        switch status.kind {
        case .file:
            let stamp = status.stamp
            if status.links > 1 { result.linked.append(LinkedName(path: path, stamp: stamp)) }
            if let number = unchanged(path, stamp) {
                result.unchanged.insert(number)
            } else if let known = previous(path), known.isSettled, known.stamp == stamp {
                result.files.append(known)
            } else {
                toHash.append(path)
                bytesToHash.append(stamp.size)
            }
        case .directory:
            descend(to: path, in: parent, name: name)
        case .symlink, .fifo, .socket, .device, .unknown:
            if let reason = status.kind.skipReason { result.add(skipped: path, reason) }
        }
    }

    private mutating func note(_ path: FolderPath, leftOutBy rule: IgnoreRule, _ kind: EntryKind) {
        if kind == .file, ConflictCopyName.isConflictCopy(path) {
            result.conflictCopies.append(path)
        } else if rule.isTold {
            result.leftOut.append(LeftOutPath(path: path, rule: rule))
        }
    }

    private mutating func descend(to path: FolderPath, in parent: borrowing Descriptor, name: UnsafePointer<UInt8>) {
        do throws(Errno) {
            let directory = try Descriptor.open(beneath: parent, name, .directory, sameMount: true)
            // A btrfs subvolume is another device without being a mount point.
            guard try directory.status().stamp.device == root.identity.device else { throw .improperLink }
            walk(directory, at: path)
        } catch {
            switch error {
            case .improperLink: result.add(skipped: path, .otherFileSystem)
            // It was there a moment ago: it vanished, or became something else. The next look will tell.
            case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels: result.add(changing: path)
            default: result.add(unreadable: path, error)
            }
        }
    }

    private mutating func walk(_ directory: consuming Descriptor, at path: FolderPath?) {
        onDirectory(path)
        var prefix: [UInt8] = []
        if let path { prefix = path.bytes + [UInt8(ascii: "/")] }
        var directories: [FolderPath] = []
        do throws(Errno) {
            let disk = directory.disk
            let raw = directory.raw
            try disk.list(raw) { name, length, kind in
                look(at: name, length, kind: kind, prefix: prefix, in: directory, directories: &directories)
            }
        } catch {
            // What was seen before the error is true, yet absence is no longer proven.
            return result.add(unreadable: path, error)
        }
        result.listed.insert(path)
        for below in directories {
            let name = below.terminatedName
            name.withUnsafeBufferPointer { descend(to: below, in: directory, name: $0.baseAddress!) }
        }
    }

    private mutating func look(
        at name: UnsafePointer<UInt8>, _ length: Int, kind: EntryKind, prefix: [UInt8],
        in directory: borrowing Descriptor, directories: inout [FolderPath]
    ) {
        let bytes = [UInt8](unsafeUninitializedCapacity: prefix.count + length) { buffer, count in
            if !prefix.isEmpty {
                prefix.withUnsafeBufferPointer { buffer.baseAddress!.update(from: $0.baseAddress!, count: $0.count) }
            }
            (buffer.baseAddress! + prefix.count).update(from: name, count: length)
            count = prefix.count + length
        }
        let path = FolderPath(trusted: bytes)
        guard bytes.count < 4096 else {
            return result.add(skipped: FolderPath(trusted: Array(bytes.prefix(4095))), .pathTooLong)
        }
        var status: FileStatus?
        var isDirectory = kind == .directory
        // The stamp of a directory is of no use, and some file systems do not tell the kind in a listing.
        if !isDirectory {
            if kind != .unknown,
                let rule = rules.rule(ignoringBelow: path, nameFrom: prefix.count, isDirectory: false)
            {
                return note(path, leftOutBy: rule, kind)
            }
            do throws(Errno) {
                status = try directory.status(of: name)
            } catch {
                if error == .noSuchFileOrDirectory { return result.add(changing: path) }
                return result.add(unreadable: path, error)
            }
            isDirectory = status?.kind == .directory
        }
        guard !isDirectory, let status else {
            if let rule = rules.rule(ignoringBelow: path, nameFrom: prefix.count, isDirectory: true) {
                return note(path, leftOutBy: rule, .directory)
            }
            // Directories come after the listing, so that one buffer at a time is in use at each level.
            directories.append(path)
            return
        }
        if kind == .unknown, let rule = rules.rule(ignoringBelow: path, nameFrom: prefix.count, isDirectory: false) {
            note(path, leftOutBy: rule, status.kind)
        } else {
            take(path, status, in: directory, name: name)
        }
    }
}
