package import SyncModel
package import SystemPackage

/// Disks on which a file answers to its name in upper and lower case, such as exFAT, vfat and most shares.
///
/// Who asks such a disk for `cap.txt` is given `Cap.txt`, and for `photos/a.jpg` what is in `Photos`. Taken for a file of its own,
/// it would be sent as one, replaced by one, and deleted with one.
extension FolderRoot {
    /// Whether names that differ in case are two names here. Ask once: it takes a call.
    package var tellsCase: Bool { disk.tellsCase(of: Self.stateNameTerminated, in: descriptor.raw) }

    /// The first of a path and the directories above it to which something answers that has a name in other letters, as that is
    /// listed; `nil` where all of them are spelled so, or are not there. For disks that do not tell case.
    package func otherCase(onTheWayTo path: FolderPath) throws(Errno) -> FolderPath? {
        var names = SpelledNames.Listings()
        for place in path.ancestors.reversed() + [path] {
            let listed: FolderPath
            do throws(Errno) {
                listed = try names.spelling(of: place, in: self)
            } catch .noSuchFileOrDirectory {
                return nil
            }
            if listed != place { return listed }
        }
        return nil
    }
}

/// The names in a directory of a disk that takes names in upper and lower case for one.
struct SpelledNames {
    private let names: Set<[UInt8]>
    private let byFolded: [String: [UInt8]]

    init(_ names: [[UInt8]]) {
        self.names = Set(names)
        byFolded = Dictionary(names.map { (Self.folded(Self.text($0)), $0) }) { first, _ in first }
    }

    /// A path with its last name as it is listed; as it is, where it is listed so or not at all.
    func spelling(of path: FolderPath) -> FolderPath {
        let name = Array(path.name)
        guard !names.contains(name), let listed = byFolded[Self.folded(Self.text(name))] else { return path }
        // A disk may list a name in another Unicode form than it was given.
        guard Self.text(listed) != Self.text(name) else { return path }
        return path.replacing(name: listed) ?? path
    }

    private static func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

    /// Upper case, as the tables of exFAT and NTFS fold: the two small sigmas are one there.
    private static func folded(_ name: String) -> String { name.uppercased() }

    /// Those of directories that were listed already.
    struct Listings {
        private var listed: [FolderPath?: SpelledNames] = [:]

        init() {}

        /// A path with its last name as its directory lists it.
        mutating func spelling(of path: FolderPath, in root: FolderRoot) throws(Errno) -> FolderPath {
            if let names = listed[path.parent] { return names.spelling(of: path) }
            let names = SpelledNames(try root.openDirectory(path.parent).names())
            listed[path.parent] = names
            return names.spelling(of: path)
        }
    }
}
