import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

/// What the zone would never get of a folder that is forgotten now.
struct UnsentWork: Hashable {
    var uploads = 0
    var deletions = 0
    /// Files that were not looked at yet.
    var unseen = 0
    var held = 0
    var conflicts = 0
    /// Earlier versions of files, which lie in the state directory.
    var history = 0

    init() {}

    init(_ report: StatusReport, history: Int) {
        uploads = report.pending.uploads
        deletions = report.pending.deletions + (report.approval?.deletions ?? 0)
        unseen = report.pending.unseen ?? 0
        held = report.held.count { !$0.isRemark }
        conflicts = report.conflicts.count
        self.history = history
    }

    /// Asks the folder's daemon, or looks at the folder where none runs.
    static func find(in directory: StateDirectory) async throws -> UnsentWork {
        let report: StatusReport
        do {
            report = try await ControlClient(for: directory).status()
        } catch let error as ControlError where error.code == .notRunning {
            report = try await FolderLook.report(of: directory, logger: ProgramLog.silent)
        }
        return UnsentWork(report, history: try directory.historyCount)
    }

    /// In words, such as `2 uploads wait`; empty where nothing is lost by forgetting the folder.
    var words: [String] {
        var words: [String] = []
        func add(_ count: Int, _ noun: String, _ one: String, _ many: String) {
            if count > 0 { words.append("\(Amounts.count(count, noun)) \(count == 1 ? one : many)") }
        }
        add(uploads, "upload", "waits", "wait")
        add(deletions, "deletion", "waits", "wait")
        add(unseen, "file", "was not looked at yet", "were not looked at yet")
        add(held, "file", "is held", "are held")
        add(conflicts, "conflict", "is open", "are open")
        add(history, "earlier version", "of a file is kept only here", "of files are kept only here")
        return words
    }

    /// 4 where a person is waited for, else 3.
    var status: ExitStatus { held + conflicts > 0 ? .attention : .pending }
}

extension CommandFailure {
    static func unsent(_ work: UnsentWork, in folder: FilePath) -> Self {
        let name = ShellWord.quoted(folder.string)
        var withoutHistory = work
        withoutHistory.history = 0
        let waits = work.uploads + work.deletions + work.unseen + work.held > 0
        let losses = [
            waits ? "the zone would not get what waits" : nil,
            work.conflicts == 0 ? nil : "the zone would not get what only a conflict copy has",
            work.history == 0 ? nil : "the earlier versions would be gone",
        ].compactMap(\.self)
        let look = withoutHistory.words.isEmpty ? "history" : "status"
        return Self(
            status: work.status,
            message: "\(work.words.joined(separator: ", ")): nothing was removed. The files stay where they are in any "
                + "case; \(losses.joined(separator: ", and ")). See `zonefolder \(look) \(name)` first, or go on with "
                + "`zonefolder remove --yes \(name)`.")
    }

    static func cannotTellUnsent(_ error: any Error, in folder: FilePath) -> Self {
        let name = ShellWord.quoted(folder.string)
        return Self(
            status: .pending,
            message:
                "What waits to be sent cannot be told: \(Sentence.ended("\(error)")) Nothing was removed. Mend that first, "
                + "or go on with `zonefolder remove --yes \(name)`: the files stay where they are.")
    }

    static func notTheFolder(_ path: String, in folder: FilePath) -> Self {
        Self(
            status: .usage,
            message: "\(path) lies in the synced folder \(folder). Name that one to remove it; nothing was changed.")
    }
}
