import FolderKnowledge
import FolderSettings
import LocalFolder
import RecordTrees
import SessionCore
import SyncModel
import SyncTiming

/// The look at the whole folder that is made from time to time, for what nobody tells of.
extension FolderObserver {
    /// Names looked at in one step.
    private static let auditStep = 512
    /// Between two steps: 100,000 files take less than a minute, and a small part of a processor.
    private static let auditPause = Duration.milliseconds(250)

    /// Makes the next step of the look at the whole folder, where it is due.
    func continueAudit() {
        guard isRootSafe, looks.isAuditDue(at: now) else { return }
        var audit =
            looks.audit ?? (FolderAudit(root: environment.root, rules: rules.current), environment.clock.milliseconds)
        let noted = unobserved.noted
        let found = audit.look.step(names: Self.auditStep, in: KnownFolder(trees: knowledge.trees, noted: noted))
        for path in found.suspects { inbox.requestLook(at: path, after: .zero, now: now) }
        for (directory, present) in found.incomplete {
            for path in missing(in: directory, present: present) {
                inbox.requestLook(at: path, after: .zero, now: now)
            }
        }
        guard audit.look.isFinished else {
            return looks.goOn(with: audit, at: now.advanced(by: Self.auditPause))
        }
        for path in noted where environment.reader.content(at: path) == .absent {
            inbox.requestLook(at: path, after: .zero, now: now)
        }
        finishAudit(begunAt: audit.began)
    }

    /// Notes that the whole folder was looked at.
    /// - Parameter began: In milliseconds since 1970: what came later may not have been seen.
    func finishAudit(begunAt began: Int64) {
        lastTimes.noteLook(begunAt: began)
        if !unobserved.hasUnreadablePaths { knowledge.noteWholeLook() }
        looks.endAudit(nextAt: now.advanced(by: environment.configuration.auditInterval))
    }

    /// The known files and directories that a directory lacks.
    private func missing(in directory: FolderPath?, present: Set<FolderPath>) -> Set<FolderPath> {
        let depth = directory.map { $0.bytes.count + 1 } ?? 0
        var missing: Set<FolderPath> = []
        for path in directory.map({ knowledge.trees.local.paths(below: [$0]) }) ?? Array(knowledge.trees.local.keys) {
            let end = path.bytes[depth...].firstIndex(of: UInt8(ascii: "/")) ?? path.bytes.count
            guard let name = FolderPath(bytes: path.bytes[..<end]), !present.contains(name) else { continue }
            missing.insert(name)
        }
        return missing
    }
}

/// What a session knows of the folder.
private struct KnownFolder: AuditedFolder {
    let trees: SyncTrees
    let noted: Set<FolderPath>

    func stamp(of path: FolderPath) -> FileStamp? { trees.local[path]?.stamp }
    func isNoted(_ path: FolderPath) -> Bool { noted.contains(path) }
    func fileCount(below directory: FolderPath?) -> Int {
        directory.map(trees.fileCount(below:)) ?? trees.local.count
    }
}
