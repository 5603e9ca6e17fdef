import LocalFolder
import ProblemSentences
import SyncModel

/// What `ignore` tells of one path; its JSON form is `ignore --json`.
struct IgnoreReport: Encodable {
    /// The rule that decides.
    struct Rule: Encodable, Hashable {
        /// As it is written.
        var pattern: String
        /// `.zonefolderignore`, or `built-in`.
        var source: String
        /// The line in that file, from 1.
        var line: Int?
        /// Whose files a built-in rule leaves out, or why.
        var reason: String?
        /// What the pattern fits: the path, or a directory above it.
        var fits: String
    }

    var path: String
    var isDirectory: Bool
    var isIgnored: Bool
    /// `nil` where no rule speaks of the path.
    var rule: Rule?
    /// The rule that leaves out a directory of this path, of a path that is not there, and as a file's is not left out.
    var directoryRule: Rule?
    /// What a person can do where the path should be synced.
    var remedy: String?
    /// Lines of `.zonefolderignore` that are no patterns, and match nothing.
    var invalidLines: [Int]

    /// - Parameter asDirectory: The decision about a directory, where nothing is there that tells.
    init(
        of path: FolderPath, isDirectory: Bool, _ decision: IgnoreDecision, asDirectory: IgnoreDecision? = nil,
        invalidLines: [Int]
    ) {
        self.path = path.description
        self.isDirectory = isDirectory
        self.invalidLines = invalidLines
        isIgnored = decision.isIgnored
        rule = Rule(of: decision)
        if let asDirectory, !isIgnored, asDirectory.isIgnored { directoryRule = Rule(of: asDirectory) }
        guard isIgnored, let rule = decision.rule, decision.canBeTakenBack else { return }
        remedy =
            rule.line.map { "To sync it, change line \($0) of \(IgnoreRules.fileName)." }
            ?? "To sync it all the same, put the line !\(rule.text) into \(IgnoreRules.fileName)."
    }

    /// Lines for people.
    var lines: [String] {
        if let directoryRule {
            let rule = said(of: directoryRule)
            return ["\(path) is not there. A directory of that name is left out by \(rule); a file is not."]
        }
        guard let rule else { return ["\(path) is not left out: no rule speaks of it."] }
        guard isIgnored else {
            return ["\(path) is not left out: \(place(of: rule)) takes it back, \(text(of: rule))."]
        }
        return ["\(path) is left out by \(said(of: rule))."] + (remedy.map { ["  → \($0)"] } ?? [])
    }

    private func said(of rule: Rule) -> String { "\(place(of: rule)): \(text(of: rule))" }

    private func place(of rule: Rule) -> String {
        rule.line.map { "line \($0) of \(rule.source)" } ?? "a built-in rule"
    }

    private func text(of rule: Rule) -> String {
        let reason = rule.reason.map { " (\($0))" } ?? ""
        let above = rule.fits == path ? "" : ", which fits \(rule.fits) above it"
        return "\(rule.pattern)\(reason)\(above)"
    }

    /// What is wrong with the file of rules.
    var warnings: [String] {
        guard !invalidLines.isEmpty else { return [] }
        let problem = Problem.invalidRules(inLines: invalidLines)
        return [problem.message, "  → \(problem.remedy)"]
    }
}

extension IgnoreReport.Rule {
    /// `nil` where no rule speaks of the path.
    fileprivate init?(of decision: IgnoreDecision) {
        guard let rule = decision.rule else { return nil }
        self.init(
            pattern: rule.text, source: rule.line == nil ? "built-in" : IgnoreRules.fileName, line: rule.line,
            reason: rule.reason, fits: decision.place.description)
    }
}
