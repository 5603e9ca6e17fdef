import CloudKitClient
import FolderControl
import FolderSettings
import FolderWatching
import Glibc
import RecordMapping
import SessionCore
import SyncEngine
import SyncModel

/// Answers the control socket for one session.
struct SessionHandler: ControlHandler {
    let directory: StateDirectory
    let session: FolderSession
    let account: FolderAccount
    let database: CloudKitDatabase
    let watch: FolderWatch?
    let traffic: TrafficMeter
    let startedMilliseconds: Int64
    /// Ends the session; says whether it is to be opened again.
    let end: @Sendable (Bool) async -> Void

    private var daemon: StatusReport.Daemon {
        StatusReport.Daemon(pid: getpid(), startedMilliseconds: startedMilliseconds)
    }

    private var coverage: StatusReport.Watch? {
        guard let coverage = watch?.coverage else { return nil }
        return StatusReport.Watch(
            directories: coverage.watched, unwatched: coverage.unwatched.count, remedy: coverage.remedy)
    }

    func status(isOfPath: Bool) async -> StatusReport {
        var report = await session.currentReport(daemon: daemon, watch: { coverage }, isOfPath: isOfPath)
        report.traffic = traffic.current
        report.work = await session.workDone
        return report
    }

    /// How the folder stands as far as is known. Asks the server nothing and writes nothing, as `status` does to be sure, so
    /// it can be looked at all the time; that it says "in sync" proves nothing.
    func knownStatus() async -> StatusReport {
        await session.knownReport(daemon: daemon, watch: coverage)
    }

    func settledStatus(timeout: Duration?) async -> StatusReport {
        var report = await session.settledReport(daemon: daemon, watch: { coverage }, timeout: timeout)
        report.traffic = traffic.current
        report.work = await session.workDone
        return report
    }

    func plan(asKnown: Bool) async -> PlanReport {
        asKnown ? await session.knownPlan() : await session.currentPlan()
    }

    func approve(batch: String) async -> Bool {
        await session.approved(batch)
    }

    func pause(for length: Duration?) async throws -> PauseOutcome {
        try await session.pause(for: length)
    }

    func resume() async throws -> Bool {
        try await session.resume()
    }

    func reject(batch: String) async throws -> Bool {
        try await session.rejected(batch)
    }

    func fetchAgain(_ paths: [FolderPath]) async throws -> [FolderPath] {
        try await session.fetchAgain(paths)
    }

    func change(_ account: AccountChange) async throws {
        try await session.accountWillChange(to: account.userRecordName)
        do {
            try await self.account.replace(with: account.credentials)
        } catch {
            await session.accountStays()
            throw error
        }
        await session.accountChanged()
    }

    func call(_ call: DatabaseCall) async throws -> String {
        try await database.make(call)
    }

    func noteLeft() async {
        await session.noteLeft()
    }

    func checkConfiguration() throws {
        let configuration = try FolderConfiguration(of: directory)
        _ = try configuration.privateAuthority
        _ = try ZoneSchema(declaredBy: configuration, of: directory)
    }

    func reload() async {
        await end(true)
    }

    func stop() async {
        await end(false)
    }
}
