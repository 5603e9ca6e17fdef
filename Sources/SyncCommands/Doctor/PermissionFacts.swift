import FolderControl
import FolderSettings
import LocalFolder
import StateStorage
import SyncModel
import SyncService
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Who may do what with the folder and with its state.
struct PermissionFacts: Hashable, Sendable {
    /// One file or directory; what is not there is left out.
    struct Item: Hashable, Sendable {
        enum Part: String, Hashable, Sendable {
            case folder, state = "state directory", credentials, database, configuration
        }

        var part: Part
        var path: FilePath
        var owner: UInt32
        /// Permission bits.
        var mode: UInt32
        /// Whether this user may read and write it, and look into a directory.
        var isUsable: Bool
    }

    var user: UInt32
    var items: [Item]
    /// Whether the folder's disk keeps permissions; where not, `chmod` changes none.
    var areKept = true

    var findings: [Finding] {
        let findings = items.compactMap { finding(of: $0) } + (areKept ? [] : unkept.map { [$0] } ?? [])
        guard findings.isEmpty else { return findings }
        return [Finding(.permissions, .ok, "The folder can be written to, and its state is this user's alone.")]
    }

    private func finding(of item: Item) -> Finding? {
        let word = ShellWord.quoted(item.path.string)
        if item.part != .folder, item.owner != user {
            let owner = FileOwner(item.owner)
            return Finding(
                .permissions, .problem, "\(item.path) belongs to \(owner).",
                remedy:
                    "Run this as \(owner): `sudo -u \(owner.argument) zonefolder …`; or where it is yours, `sudo chown "
                    + "-R $USER: \(word)`.", anonymous: "The \(item.part.rawValue) belongs to another user.")
        }
        guard item.isUsable else {
            let bits = item.part == .folder || item.part == .state ? "u+rwx" : "u+rw"
            return Finding(
                .permissions, .problem, "\(item.path) cannot be read and written.", remedy: "chmod \(bits) \(word)",
                anonymous: "The \(item.part.rawValue) cannot be read and written.")
        }
        guard areKept, Self.isOpen(item) else { return nil }
        let mode = item.part == .state ? "700" : "600"
        return Finding(
            .permissions, .problem,
            "\(item.path) is open to other users (mode \(String(item.mode, radix: 8))), and holds "
                + "what lets them in.",
            remedy: "chmod \(mode) \(word); where others use this machine, sign in anew: `zonefolder login`.",
            anonymous: "The \(item.part.rawValue) is open to other users (mode \(String(item.mode, radix: 8))).")
    }

    /// Whether a part that others may not know is open to them.
    private static func isOpen(_ item: Item) -> Bool {
        (item.part == .state || item.part == .credentials) && item.mode & 0o077 != 0
    }

    /// One for all parts: how the disk is mounted decides about each.
    private var unkept: Finding? {
        guard let item = items.first(where: Self.isOpen) else { return nil }
        let mode = String(item.mode, radix: 8)
        return Finding(
            .permissions, .degraded,
            "\(item.path) is open to other users (mode \(mode)), and holds what lets them in: this disk keeps no "
                + "permissions of files.",
            remedy: "Where others use this machine, mount the disk for yourself alone (option `umask=077`), or move "
                + "the folder.",
            anonymous:
                "The \(item.part.rawValue) is open to other users (mode \(mode)); the disk keeps no permissions.")
    }
}

extension PermissionFacts {
    /// Looks, and changes nothing; where something is open to others, it tries in staging whether that could be otherwise.
    init(of directory: StateDirectory) {
        user = geteuid()
        let parts: [(Item.Part, FilePath)] = [
            (.folder, directory.folder), (.state, directory.path), (.credentials, directory.credentialsFile),
            (.database, directory.database), (.configuration, directory.configurationFile),
        ]
        let disk = LinuxDisk()
        items = parts.compactMap { part, path in
            guard let status = try? disk.status(of: Array(path.string.utf8) + [0], in: AT_FDCWD) else { return nil }
            let rights = status.kind == .directory ? R_OK | W_OK | X_OK : R_OK | W_OK
            return Item(
                part: part, path: path, owner: status.user, mode: status.stamp.mode,
                isUsable: access(path.string, rights) == 0)
        }
        if items.contains(where: Self.isOpen) { areKept = FolderRoot.keepsModes(under: directory.folder) }
    }
}
