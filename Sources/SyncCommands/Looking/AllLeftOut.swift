import FolderControl
import LocalFolder
import SyncModel
import SystemPackage

/// A folder of which a line of `.zonefolderignore` leaves out every file: in sync, and yet seldom what was meant.
enum AllLeftOut {
    /// A report that says so, where it is so. The rules are looked at, and no file: that costs the same in each folder.
    static func told(_ report: StatusReport, in folder: FilePath) -> StatusReport {
        // Who cannot read the rules is told so by the report itself.
        guard let root = try? FolderRoot(opening: folder), let rules = try? IgnoreRules.read(from: root),
            let rule = rule(of: rules)
        else { return report }
        var report = report
        report.notices = (report.notices ?? []) + [notice(of: rule)]
        return report
    }

    /// The rule that leaves out every file, whatever its name; `nil` where there is none, or a later line takes a file back.
    static func rule(of rules: IgnoreRules) -> IgnoreRule? {
        let deciding = names.map { name in
            FolderPath(name).flatMap { rules.rule(ignoring: $0, isDirectory: false) }
        }
        guard let rule = deciding[0], rule.line != nil, deciding.allSatisfy({ $0 == rule }) else { return nil }
        let lines = rules.text.split(separator: "\n")
        let later = lines.lastIndex { $0 == rule.text }.map { lines[($0 + 1)...] } ?? []
        return later.contains { $0.hasPrefix("!") } ? nil : rule
    }

    /// Names that have nothing in common: what fits all of them fits every one.
    private static let names = ["x", "Q.7-_", "é ~0"]

    private static func notice(of rule: IgnoreRule) -> StatusReport.Notice {
        StatusReport.Notice(
            code: "allLeftOut",
            message: "No file here is synced but \(IgnoreRules.fileName): its line \(rule.line ?? 0), \(rule.text), "
                + "leaves all others out.",
            remedy: "If that is not meant, change the line, or take files back by lines after it that begin with !.")
    }
}
