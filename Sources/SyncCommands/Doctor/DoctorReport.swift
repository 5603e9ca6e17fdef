import SyncEngine

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
    var lines: [String] {
        var lines: [String] = []
        if let machine { lines += ["zonefolder \(program) on \(machine)", ""] }
        if let folder { lines += [folder, ""] }
        for finding in findings {
            let name = Self.padded(finding.level.rawValue, 10) + Self.padded(finding.check.rawValue, 15)
            lines.append(name + finding.message)
            if let remedy = finding.remedy { lines.append(Self.padded("", 25) + "→ " + remedy) }
        }
        return lines
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
