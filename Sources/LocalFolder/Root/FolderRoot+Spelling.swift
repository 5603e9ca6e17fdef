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
    /// - Parameter names: The names that were listed already, to which those are added that this asks for.
    package func otherCase(
        onTheWayTo path: FolderPath, by names: inout SpelledNames.Listings
    ) throws(Errno) -> FolderPath? {
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
package struct SpelledNames: Sendable {
    private var names: Set<[UInt8]> = []
    private var byFolded: [String: [UInt8]] = [:]

    init(_ names: [[UInt8]]) {
        for name in names { insert(name) }
    }

    mutating func insert(_ name: [UInt8]) {
        names.insert(name)
        let text = Self.text(name)
        // What is equal letter by letter goes before `MASSE` for `Maße`.
        byFolded[Self.folded(text)] = name
        if byFolded[Self.foldedWhole(text)] == nil { byFolded[Self.foldedWhole(text)] = name }
    }

    mutating func remove(_ name: [UInt8]) {
        names.remove(name)
        for folded in [Self.folded(Self.text(name)), Self.foldedWhole(Self.text(name))] where byFolded[folded] == name {
            byFolded[folded] = nil
        }
    }

    /// A path with the name that may answer in the place of its last one; `nil` where that is listed, or none comes near it.
    func other(than path: FolderPath) -> FolderPath? {
        let name = Array(path.name)
        guard !names.contains(name) else { return nil }
        let text = Self.text(name)
        guard let listed = byFolded[Self.folded(text)] ?? byFolded[Self.foldedWhole(text)],
            // A disk may list a name in another Unicode form than it was given.
            Self.text(listed) != text
        else { return nil }
        return path.replacing(name: listed)
    }

    /// Whether some disk may take two names for one. Which names are one on a disk only that disk tells: exFAT and NTFS take
    /// letter by letter, others `Masse` for `Maße` too.
    package static func mayBeOne(_ name: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        foldedWhole(text(Array(name))) == foldedWhole(text(Array(other)))
    }

    private static func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }

    /// Upper case letter by letter, as the tables of exFAT and NTFS fold: the two small sigmas are one there, and `ß`, which has
    /// no such letter, stays.
    private static func folded(_ name: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let upper = scalar.properties.uppercaseMapping.unicodeScalars
            folded.append(upper.count == 1 ? upper.first! : scalar)
        }
        return String(folded)
    }

    private static func foldedWhole(_ name: String) -> String { name.uppercased() }

    /// Those of directories that were listed already.
    package struct Listings: Sendable {
        private var listed: [FolderPath?: SpelledNames] = [:]

        package init() {}

        /// A path with its last name as its directory lists it.
        mutating func spelling(of path: FolderPath, in root: FolderRoot) throws(Errno) -> FolderPath {
            if listed[path.parent] == nil {
                listed[path.parent] = SpelledNames(try root.openDirectory(path.parent).names())
            }
            guard let other = listed[path.parent]!.other(than: path) else { return path }
            // What has no name of its own, and is there, is what answers.
            do throws(Errno) {
                _ = try root.openParent(of: path).status(of: path.terminatedName)
            } catch .noSuchFileOrDirectory {
                return path
            }
            return other
        }

        /// Takes in a name that this program gave.
        package mutating func add(_ path: FolderPath) { listed[path.parent]?.insert(Array(path.name)) }

        /// Takes in that this program took a name away, with all that was below it.
        package mutating func remove(_ path: FolderPath) {
            listed[path.parent]?.remove(Array(path.name))
            listed[path] = nil
        }

        /// Forgets what a directory lists, and those below it.
        package mutating func forget(_ directory: FolderPath?) {
            guard let directory else { return listed = [:] }
            listed = listed.filter { path, _ in path.map { $0 != directory && !$0.isBelow(directory) } ?? true }
        }
    }
}
