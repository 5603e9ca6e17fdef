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

    var findings: [Finding] {
        let findings = items.compactMap { finding(of: $0) }
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
        guard item.part == .state || item.part == .credentials, item.mode & 0o077 != 0 else { return nil }
        let mode = item.part == .state ? "700" : "600"
        return Finding(
            .permissions, .problem,
            "\(item.path) is open to other users (mode \(String(item.mode, radix: 8))), and holds "
                + "what lets them in.",
            remedy: "chmod \(mode) \(word); where others use this machine, sign in anew: `zonefolder login`.",
            anonymous: "The \(item.part.rawValue) is open to other users (mode \(String(item.mode, radix: 8))).")
    }
}

extension PermissionFacts {
    /// Looks, and changes nothing.
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
    }
}
