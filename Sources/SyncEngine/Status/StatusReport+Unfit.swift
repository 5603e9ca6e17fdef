import StateStorage
import SyncModel
import SyncPlanning

extension StatusReport.Held {
    /// A file that is synced as a plain one, because it fits no structured record. Nothing about it waits for a person.
    init(carried path: FolderPath, _ problem: Problem) {
        let isRecordElsewhere = problem.code == .plainInZone
        self.init(
            path: path.description, code: problem.code.rawValue, message: problem.message,
            remedy: isRecordElsewhere
                ? problem.remedy : "It is synced as a plain file; mended, it becomes a structured record.",
            line: problem.line)
    }

    /// Those of a folder of which no daemon runs.
    static func carried(in trees: StoredTrees, besides held: [HeldProblem]) -> [StatusReport.Held] {
        let known = Set(held.map(\.subject))
        let attached = Set(trees.local.flatMap { $0.form.attachments.map(\.path) })
        return trees.local.compactMap { entry in
            guard case .unfit(let problem) = entry.form, !known.contains(.path(entry.path)),
                !attached.contains(entry.path)
            else { return nil }
            return StatusReport.Held(carried: entry.path, problem)
        }
    }
}
