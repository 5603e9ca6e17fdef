import FolderControl
import StateRows
import SyncModel

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
    static func carried(
        _ files: [(path: FolderPath, problem: Problem)], besides held: [HeldProblem]
    ) -> [StatusReport.Held] {
        let known = Set(held.map(\.subject))
        return files.lazy.filter { !known.contains(.path($0.path)) }.map { file in
            StatusReport.Held(carried: file.path, file.problem)
        }
    }
}
