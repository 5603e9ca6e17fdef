import LocalFolder
import SyncService
import SystemPackage

/// The file system under the folder.
struct DiskFacts: Hashable, Sendable {
    /// `nil` where nothing could be tried.
    var abilities: FileSystemAbilities?
    /// Why not.
    var failure: String?
    var space: DiskSpace?
    /// What is to stay free, in bytes.
    var reserve: Int64

    var findings: [Finding] { abilityFindings + spaceFindings }

    private var abilityFindings: [Finding] {
        guard let abilities else {
            return [
                Finding(
                    .disk, .degraded, "What the file system can do was not tried: \(failure ?? "not known").",
                    anonymous: "What the file system can do was not tried.")
            ]
        }
        let kind = abilities.kind ?? "This file system"
        var findings: [Finding] = []
        if let error = abilities.exchangeFailure {
            findings.append(
                Finding(
                    .disk, .degraded,
                    "\(kind) cannot exchange two names in one step (\(error)): what another program saves in the very "
                        + "moment in which a file is replaced can be lost.",
                    remedy: "Where that must not be, move the folder to a disk with ext4, xfs or btrfs."))
        }
        if !abilities.tellsCase {
            findings.append(
                Finding(
                    .disk, .degraded,
                    "\(kind) takes names that differ only in case for one, so of two such files in the "
                        + "zone only one can be here.", remedy: "Give one of them another name, or move the folder."))
        }
        if abilities.isRemote {
            findings.append(
                Finding(
                    .disk, .degraded,
                    "\(kind) can be shared with other machines, whose changes make no event here: they are "
                        + "found when the whole folder is looked at.",
                    remedy: "Sync on the machine that has the disk, or set `audit_minutes` lower in config.toml."))
        }
        guard findings.isEmpty else { return findings }
        let copies = abilities.sharesBytes ? "copies share their bytes" : "copies take their own room (no reflink)"
        return [Finding(.disk, .ok, "\(kind): names are exchanged in one step, case is told, \(copies).")]
    }

    private var spaceFindings: [Finding] {
        guard let space else { return [Finding(.space, .degraded, "The free space cannot be told.")] }
        // As receiving reckons it.
        let needed = min(reserve, space.size / 20)
        let free = "\(Amounts.bytes(space.available)) of \(Amounts.bytes(space.size)) are free"
        guard space.available > needed else {
            return [
                Finding(
                    .space, .problem, "\(free); nothing is received while it is less than \(Amounts.bytes(needed)).",
                    remedy: "Make room, or set `disk_reserve_bytes` lower in config.toml.")
            ]
        }
        return [Finding(.space, .ok, "\(free).")]
    }
}
