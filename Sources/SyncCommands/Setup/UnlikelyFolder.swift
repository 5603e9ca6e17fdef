import FolderSettings
import StateStorage
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// What hardly anybody means to sync as a whole: homes, and the directories of the system.
struct UnlikelyFolder {
    /// The home of the user who runs this program, its links followed; more than one where the environment and the
    /// system's list disagree.
    var homes: [FilePath]

    /// These with all that is below them.
    private static let whollySystem: Set<String> = [
        "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "lost+found", "proc", "sbin", "sys",
    ]
    /// These with what is directly below them.
    private static let systemWithParts: Set<String> = ["run", "usr", "var"]
    /// These themselves.
    private static let system: Set<String> = ["home", "media", "mnt", "opt", "root", "srv", "tmp"]

    /// For this process.
    static var current: UnlikelyFolder {
        let named = [getenv("HOME"), getpwuid(geteuid())?.pointee.pw_dir].compactMap(\.self)
        return UnlikelyFolder(
            homes: named.map { String(cString: $0) }.filter { $0.hasPrefix("/") }.compactMap {
                try? AbsolutePath.of($0)
            })
    }

    /// What a folder is, as a part of a sentence; `nil` for one like others.
    /// - Parameters:
    ///   - folder: Absolute, its links followed.
    ///   - ownerHome: The home of whom the folder belongs to.
    func kind(of folder: FilePath, ownerHome: FilePath?) -> String? {
        let names = folder.components.map(\.string)
        guard let first = names.first else { return "the whole system" }
        if homes.contains(folder) { return "your whole home" }
        if homes.contains(where: { $0.starts(with: folder) }) { return "what holds your whole home" }
        if folder == ownerHome || names.count == 2 && first == "home" { return "somebody's whole home" }
        let isSystem =
            Self.whollySystem.contains(first) || Self.system.contains(first) && names.count == 1
            || Self.systemWithParts.contains(first) && names.count <= 2
        return isSystem ? "a directory of the system" : nil
    }

    /// - Throws: ``CommandFailure`` for a folder that hardly anybody means.
    func check(_ folder: FilePath) throws {
        let owner = FileOwner(of: folder.string)?.number
        let home = owner.flatMap { getpwuid($0)?.pointee.pw_dir }.flatMap { try? AbsolutePath.of(String(cString: $0)) }
        if let kind = kind(of: folder, ownerHome: home) { throw CommandFailure.unlikely(folder, kind) }
    }
}

extension CommandFailure {
    static func unlikely(_ folder: FilePath, _ kind: String) -> Self {
        Self(
            status: .usage,
            message:
                "\(folder) is \(kind): every file in it that no rule leaves out would go to the zone, keys and passwords "
                + "among them. Choose a folder in it, or add --yes where all of it is meant.")
    }
}
