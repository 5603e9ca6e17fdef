package import SyncModel
package import SystemPackage

/// Disks on which a file answers to its name in upper and lower case, such as exFAT, vfat and most shares.
///
/// Who asks such a disk for `cap.txt` is given `Cap.txt`. Taken for a file of its own, it would be sent as one, replaced by one,
/// and deleted with one.
extension FolderRoot {
    /// Whether names that differ in case are two names here.
    var tellsCase: Bool { disk.tellsCase(of: Self.stateNameTerminated, in: descriptor.raw) }

    /// A path whose last name something answers to, with that name as the directory lists it.
    /// - Parameter directory: That of the path.
    package func spelling(of path: FolderPath, in directory: borrowing Descriptor) throws(Errno) -> FolderPath {
        guard !tellsCase else { return path }
        // Opened anew, for a listing moves the position in its descriptor.
        let names = try Descriptor.open(beneath: directory, [UInt8(ascii: "."), 0], .directory).names()
        return SpelledNames(names).spelling(of: path)
    }
}

/// The names in a directory of a disk that takes names in upper and lower case for one.
struct SpelledNames {
    private let names: Set<[UInt8]>
    private let byFolded: [String: [UInt8]]

    init(_ names: [[UInt8]]) {
        self.names = Set(names)
        byFolded = Dictionary(names.map { (Self.folded($0), $0) }) { first, _ in first }
    }

    /// A path with its last name as it is listed; as it is, where it is listed so or not at all.
    func spelling(of path: FolderPath) -> FolderPath {
        let name = Array(path.name)
        guard !names.contains(name), let listed = byFolded[Self.folded(name)] else { return path }
        return path.replacing(name: listed) ?? path
    }

    private static func folded(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self).lowercased() }
}
