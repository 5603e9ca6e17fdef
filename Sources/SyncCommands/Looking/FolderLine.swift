import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

/// One of several folders as `status` lists it; its JSON form is an element of `status --json` outside of any folder.
struct FolderLine: Encodable, Hashable, Sendable {
    var folder: String
    /// As of `status`; `gone` where there is no synced folder any more.
    var verdict: String
    var reason: String
    var isRunning: Bool
    var uploads = 0
    var downloads = 0
    var deletions = 0
    var held = 0
    var conflicts = 0
    /// A batch of deletions that waits for a person's word.
    var approval: String?
    /// What a person can do, where something is to be done.
    var remedy: String?
    /// The exit status of `status` for this folder alone.
    var exitStatus: Int32

    /// - Parameter report: What `status` tells of it.
    init(_ report: StatusReport) {
        folder = report.folder
        verdict = report.verdict.rawValue
        reason = report.reason
        isRunning = report.daemon != nil
        uploads = report.pending.uploads
        downloads = report.pending.downloads
        deletions = report.pending.deletions
        held = report.held.count { !$0.isRemark }
        conflicts = report.conflicts.count
        approval = report.approval?.batch
        exitStatus = report.verdict.exitCode(isRunning: isRunning, needsApproval: report.needsApproval)
        if !isRunning { remedy = "zonefolder start \(ShellWord.quoted(folder))" }
    }

    /// One that cannot be looked at.
    init(folder: FilePath, verdict: String, reason: String, remedy: String?) {
        self.folder = folder.string
        self.verdict = verdict
        self.reason = reason
        self.remedy = remedy
        isRunning = false
        exitStatus = ExitStatus.unknown.code
    }

    /// One that is listed and is not there, or only its files are.
    static func gone(_ folder: FilePath) -> Self {
        let word = ShellWord.quoted(folder.string)
        guard !KnownFolders.hasLostState(folder) else {
            return Self(
                folder: folder, verdict: "gone",
                reason: "Its state directory \(StateDirectory.name) is gone; its files are untouched.",
                remedy: "Its \(StateDirectory.name) is gone, its files are untouched. Set it up again: zonefolder init "
                    + "\(word). Or forget it: zonefolder remove \(word)")
        }
        return Self(
            folder: folder, verdict: "gone", reason: "No synced folder is there.",
            remedy: "Mount its disk, or forget it: zonefolder remove \(word)")
    }

    /// One that is listed and lies in another one by now, which syncs its files.
    private static func nested(_ folder: FilePath, in outer: FilePath) -> Self {
        Self(
            folder: folder, verdict: "unknown", reason: "It lies in \(outer), which is synced already.",
            remedy: "It lies in \(outer), which syncs its files. Forget it: zonefolder remove "
                + ShellWord.quoted(folder.string))
    }

    /// What is pending, in words; empty where nothing is.
    var pending: String {
        var parts = [(uploads, "upload"), (downloads, "download"), (deletions, "deletion")]
            .filter { $0.0 > 0 }.map { Amounts.count($0.0, $0.1) }
        if held > 0 { parts.append("\(held) held") }
        if conflicts > 0 { parts.append(Amounts.count(conflicts, "conflict")) }
        if let approval { parts.append("zonefolder approve \(approval)") }
        return parts.joined(separator: ", ")
    }

    /// The line for people: verdict, path, what is pending, or the way out.
    /// - Parameter width: Of the longest path.
    func text(padding width: Int) -> TextLine {
        let word = verdict.padded(to: 11)
        // What is pending tells why a person is asked for, if anything is.
        let why = pending.isEmpty && [.attention, .degraded].contains(Verdict(rawValue: verdict)) ? reason : pending
        let rest = [why, isRunning || remedy == nil ? "" : "→ \(remedy ?? "")"].filter { !$0.isEmpty }
        let path = rest.isEmpty ? folder : folder.padded(to: width) + "  " + rest.joined(separator: "  ")
        return TextLine(
            word + path, hang: 11, paint: Paint(verdict: Verdict(rawValue: verdict)), over: verdict.count)
    }

    /// The most urgent of some exit statuses: an approval, then what waits for a person, what is not known, where no daemon
    /// runs, what moves by itself.
    static func exitStatus(of lines: [FolderLine]) -> ExitStatus {
        let order: [Int32] = [7, 4, 6, 5, 3]
        let codes = Set(lines.map(\.exitStatus))
        return ExitStatus(code: order.first { codes.contains($0) } ?? codes.max() ?? 0)
    }
}

extension FolderLine {
    /// How folders stand, in their order; each is asked at the same time as the others.
    /// - Parameter question: What is asked of one that is there.
    static func all(
        of folders: [FilePath], asking question: @escaping @Sendable (StatusSource) async throws -> StatusReport
    ) async -> [FolderLine] {
        await withTaskGroup(of: (Int, FolderLine).self) { group in
            for (number, folder) in folders.enumerated() {
                group.addTask { (number, await line(of: folder, question)) }
            }
            var lines = [FolderLine?](repeating: nil, count: folders.count)
            for await (number, line) in group { lines[number] = line }
            return lines.compactMap(\.self)
        }
    }

    private static func line(
        of folder: FilePath, _ question: @Sendable (StatusSource) async throws -> StatusReport
    ) async -> FolderLine {
        do {
            let directory = try StateDirectory.open(in: folder)
            if FolderLock.holder(of: directory) == nil, let outer = directory.outerFolder {
                return nested(folder, in: outer)
            }
            return FolderLine(try await question(StatusSource(for: directory)))
        } catch let error as StateError
            where error.code == .missing && !PlainFiles.exists(folder.appending(".zonefolder"))
        {
            return gone(folder)
        } catch {
            let word = ShellWord.quoted(folder.string)
            return FolderLine(
                folder: folder, verdict: "unknown", reason: "\(error)", remedy: "zonefolder doctor \(word)")
        }
    }
}
