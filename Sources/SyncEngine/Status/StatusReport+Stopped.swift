import CloudKitClient
public import FolderControl
import FolderSettings
import LocalFolder
import StateRows
import StateStorage
import SyncModel
import SyncTiming
public import SystemPackage
import ZoneFetching

extension StatusReport {
    /// What is known of a folder of which no daemon runs: what was last stored, and the verdict `unknown`.
    public static func stopped(folder: FilePath) throws -> StatusReport {
        let directory = try StateDirectory.open(in: folder)
        let configuration = try FolderConfiguration(of: directory)
        return try StateStore.look(at: directory) { store in
            try stopped(directory, configuration, store)
        }
    }

    private static func stopped(
        _ directory: StateDirectory, _ configuration: FolderConfiguration, _ store: StateStore
    ) throws -> StatusReport {
        let folder = directory.folder
        let facts = try store.facts()
        let problems = try store.problems()
        let reader = FolderReader(root: try FolderRoot(opening: directory.folder))
        let pause = facts.pause.flatMap { $0.isInForce(at: SessionClock.system.milliseconds) ? $0 : nil }
        let start = "Start one: `zonefolder start \(ShellWord.quoted(folder.string))`."
        return StatusReport(
            verdict: pause == nil ? .unknown : .paused,
            reason: pause == nil
                ? "No daemon runs, so nobody looks. \(start)"
                : "Syncing is paused, also for the next daemon, and none runs, so nobody looks. \(start)",
            folder: folder.string, server: configuration.server, container: configuration.container,
            environment: configuration.environment.rawValue, database: configuration.database.rawValue,
            zone: configuration.zone, account: account(of: directory, facts, at: configuration.server), daemon: nil,
            lastFetchMilliseconds: facts.fetchedMilliseconds, lastPushMilliseconds: facts.pushedMilliseconds,
            lastLookMilliseconds: facts.lookedMilliseconds, pause: pause.map { Pause($0) },
            records: try store.recordCount(), pending: Pending(), progress: nil, watch: nil,
            held: problems.map { held in
                var path = ""
                if case .path(let own) = held.subject { path = "\(own)" }
                return Held(
                    path: path, code: held.problem.code.rawValue, message: held.problem.message,
                    remedy: held.problem.remedy, line: held.problem.line)
            },
            unfit: Held.carried(try store.unfitFiles(), besides: problems),
            conflicts: try store.conflicts().filter { reader.stamp(of: $0.copy) != nil }.map {
                Conflict($0, try store.remoteRow($0.record))
            },
            approval: try store.batchesAwaitingApproval().first { $0.approvedMilliseconds == nil }.map {
                let unasked = try UnaskedDeletions(before: $0, among: try store.recentDeletions(), in: store) {
                    try store.gone($0, from: reader)
                }
                return Approval(
                    batch: $0.id, deletions: $0.count, side: $0.side, unasked: unasked?.count,
                    unaskedSinceMilliseconds: unasked?.sinceMilliseconds)
            })
    }

    /// Nobody is asked who is signed in; that nobody is shows in the credentials.
    private static func account(
        of directory: StateDirectory, _ facts: FolderFacts, at server: String
    ) -> Account {
        var account = Account(status: "unknown", userRecordName: facts.account, name: facts.accountName)
        guard let credentials = try? CredentialsFile.look(in: directory), credentials.webAuthToken == nil else {
            return account
        }
        let signedOut = AccountStatus.noAccount(redirectURL: nil)
        (account.status, account.remedy) = (signedOut.word, signedOut.remedy(at: server, hasSignIn: false))
        return account
    }
}
