import FolderControl
import SyncService

/// Everything that `doctor` found; its JSON form is `doctor --json`.
struct DoctorReport: Encodable, Sendable {
    /// Rises when a key changes its meaning or goes.
    var version = 1
    /// This program's version.
    var program = ProgramVersion.current
    /// `nil` in a report for strangers.
    var folder: String?
    /// Kernel, processor and distribution; only in a report for strangers.
    var machine: String?
    var findings: [Finding]

    /// 0 where all is well, 4 where something keeps files from being synced, else 6.
    var status: ExitStatus {
        if findings.contains(where: { $0.level == .problem }) { return .attention }
        return findings.allSatisfy { $0.level == .ok } ? .done : .unknown
    }

    /// The report for a bug: no token, no name of a file, a user, a host, a container or a zone.
    func redacted(on machine: String) -> DoctorReport {
        DoctorReport(machine: machine, findings: findings.map(\.redacted))
    }

    /// Lines for people.
    var lines: [TextLine] {
        var lines: [TextLine] = []
        if let machine { lines += [TextLine("zonefolder \(program) on \(machine)"), ""] }
        if let folder { lines += [TextLine(folder), ""] }
        for finding in findings {
            let level = finding.level.rawValue
            let start = level.padded(to: 10) + finding.check.rawValue.padded(to: 15)
            lines.append(
                TextLine(start + finding.message, hang: 25, paint: Self.paint(finding.level), over: level.count))
            guard let remedy = finding.remedy else { continue }
            lines.append(TextLine("".padded(to: 25) + "→ " + remedy, hang: 27, paint: .cyan, over: 26))
        }
        return lines
    }

    private static func paint(_ level: Finding.Level) -> Paint {
        switch level {
        case .ok: .green
        case .degraded: .magenta
        case .problem: .red
        }
    }
}
