public import SyncModel
import SystemPackage

/// What is known of the folder, to be compared with what is there.
public protocol AuditedFolder {
    /// The stamp of a file as last seen; `nil` where none is known.
    func stamp(of path: FolderPath) -> FileStamp?
    /// Whether something is known at a path that is no file to be synced: a link, something that cannot be read.
    func isNoted(_ path: FolderPath) -> Bool
    /// How many files are known below a directory, at any depth; `nil` is the folder itself.
    func fileCount(below directory: FolderPath?) -> Int
}

/// A look at the whole folder in small steps, which reads no file: what differs from what is known by its name or its stamp is
/// worth a look of its own.
///
/// Finds what nobody tells of: writes through a hard link from elsewhere, through a memory map or another mount, and lost
/// events. Costs two system calls a directory and one a file.
public struct FolderAudit: Sendable {
    /// What one step found.
    public struct Step: Sendable {
        /// Paths to look at.
        public var suspects: [FolderPath] = []
        /// Directories, `nil` being the folder itself, in which known names are missing, with the names that are there.
        public var incomplete: [(directory: FolderPath?, present: Set<FolderPath>)] = []
    }

    private let root: FolderRoot
    private let rules: IgnoreRules
    private var directories: [FolderPath?] = [nil]
    /// Files of a directory that was listed, not looked at yet.
    private var files: [FolderPath] = []

    /// Takes the folder, and what is left out.
    public init(root: FolderRoot, rules: IgnoreRules) {
        self.root = root
        self.rules = rules
    }

    /// Whether everything was looked at.
    public var isFinished: Bool { directories.isEmpty && files.isEmpty }

    /// Looks at about so many names.
    public mutating func step(names limit: Int, in known: some AuditedFolder) -> Step {
        var step = Step()
        var left = limit
        while left > 0, !isFinished {
            if files.isEmpty {
                list(directories.removeLast(), known, &step)
                left -= 8
            } else {
                let some = Array(files.suffix(left))
                files.removeLast(some.count)
                left -= some.count
                compare(some, known, &step)
            }
        }
        return step
    }

    private mutating func list(_ path: FolderPath?, _ known: some AuditedFolder, _ step: inout Step) {
        let prefix = path.map { $0.bytes + [UInt8(ascii: "/")] } ?? []
        var present: Set<FolderPath> = []
        var below: [FolderPath] = []
        var seen = 0
        do throws(Errno) {
            let directory = try root.openDirectory(path)
            let disk = directory.disk
            let raw = directory.raw
            try disk.list(raw) { name, length, kind in
                let bytes = prefix + UnsafeBufferPointer(start: name, count: length)
                guard bytes.count < 4096 else { return }
                let place = FolderPath(trusted: bytes)
                // Some file systems do not tell it in a listing.
                let kind = kind == .unknown ? (try? directory.status(of: name))?.kind ?? .unknown : kind
                present.insert(place)
                if known.stamp(of: place) != nil { seen += 1 }
                guard rules.rule(ignoringBelow: place, nameFrom: prefix.count, isDirectory: kind == .directory) == nil
                else { return }
                if kind == .directory {
                    below.append(place)
                } else if kind == .file || kind == .unknown || !known.isNoted(place) {
                    files.append(place)
                }
            }
        } catch {
            if let path, !known.isNoted(path) { step.suspects.append(path) }
            return
        }
        // Of a directory in which nothing is known it is not known either that nothing came into it.
        for place in below {
            let count = known.fileCount(below: place)
            seen += count
            if count > 0 { directories.append(place) } else if !known.isNoted(place) { step.suspects.append(place) }
        }
        if seen < known.fileCount(below: path) { step.incomplete.append((path, present)) }
    }

    private func compare(_ paths: [FolderPath], _ known: some AuditedFolder, _ step: inout Step) {
        var first = paths.startIndex
        while first < paths.endIndex {
            let parent = paths[first].parent
            let end = paths[first...].firstIndex { $0.parent != parent } ?? paths.endIndex
            // A directory that cannot be opened any more is found by the listing above it, or by an event.
            do throws(Errno) {
                let directory = try root.openDirectory(parent)
                for path in paths[first..<end] {
                    let status = try? directory.status(of: path.terminatedName)
                    let isKnown = status?.kind == .file && status?.stamp == known.stamp(of: path)
                    if !isKnown, status?.kind == .file || !known.isNoted(path) { step.suspects.append(path) }
                }
            } catch {}
            first = end
        }
    }
}
