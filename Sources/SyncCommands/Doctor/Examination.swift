import FolderControl
import FolderSettings
import LocalFolder
import StateStorage
import SyncService
import SystemPackage

/// Reads the facts about a folder, one after the other, and judges none of them.
enum Examination {
    /// Looks at everything that can be looked at; what fails is a finding, and the rest is looked at all the same.
    static func findings(of directory: StateDirectory) async -> [Finding] {
        // Before anything is asked that could mend it.
        let permissions = PermissionFacts(of: directory).findings
        let daemon = await DaemonFacts(of: directory)
        let state = StateFacts(of: directory, daemon.report)
        var findings: [Finding] = []
        var reserve = FolderConfiguration(container: "", zone: "", device: "").diskReserve
        do throws(StateError) {
            let configuration = try FolderConfiguration(of: directory)
            reserve = configuration.diskReserve
            findings.append(Finding(.configuration, .ok, "Every setting in config.toml is understood."))
            findings.append(
                await account(of: directory, daemon, state, isSafe: permissions.allSatisfy { $0.level != .problem }))
            findings += await ServerFacts(asking: configuration).findings
        } catch {
            findings.append(
                Finding(
                    .configuration, .problem, error.message, remedy: "Mend it in .zonefolder/config.toml.",
                    anonymous: "config.toml cannot be used."))
        }
        findings += daemon.findings
        findings += permissions
        findings += state.findings
        findings += watches(of: directory, daemon.report).findings
        findings += disk(of: directory, reserve: reserve).findings
        return findings
    }

    private static func account(
        of directory: StateDirectory, _ daemon: DaemonFacts, _ state: StateFacts, isSafe: Bool
    ) async -> Finding {
        if let account = daemon.report?.account {
            return AccountFacts.told(
                status: account.status, user: account.name ?? account.userRecordName, remedy: account.remedy
            )
            .finding
        }
        guard daemon.process == nil else {
            return AccountFacts.unknown("the daemon does not answer, and the sign-in is its own.").finding
        }
        // Who asks may get a newer token, which has to be kept.
        guard isSafe else { return AccountFacts.unknown("it is asked after once the permissions are right.").finding }
        return await AccountFacts(asking: directory, known: state.account).finding
    }

    private static func watches(of directory: StateDirectory, _ report: StatusReport?) -> WatchFacts {
        if let watch = report?.watch {
            return WatchFacts(directories: watch.directories + watch.unwatched, unwatched: watch.unwatched)
        }
        let root = try? FolderRoot(opening: directory.folder)
        let rules = root.flatMap { try? IgnoreRules.read(from: $0) }
        guard let root, let rules else { return WatchFacts(directories: nil, unwatched: nil) }
        return WatchFacts(
            directories: FolderScanner(root: root, rules: rules).countDirectories(), unwatched: nil)
    }

    private static func disk(of directory: StateDirectory, reserve: Int64) -> DiskFacts {
        var facts = DiskFacts(reserve: reserve)
        facts.space = (try? FolderRoot(opening: directory.folder))?.diskSpace()
        do throws(Errno) {
            facts.abilities = try FileSystemAbilities(tryingIn: directory.staging)
        } catch {
            facts.failure = "\(directory.staging): \(error)"
        }
        return facts
    }
}
