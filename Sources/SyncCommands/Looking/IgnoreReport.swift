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
    /// What a person can do where the path should be synced.
    var remedy: String?
    /// Lines of `.zonefolderignore` that are no patterns, and match nothing.
    var invalidLines: [Int]

    init(of path: FolderPath, isDirectory: Bool, _ decision: IgnoreDecision, invalidLines: [Int]) {
        self.path = path.description
        self.isDirectory = isDirectory
        self.invalidLines = invalidLines
        isIgnored = decision.isIgnored
        rule = decision.rule.map { rule in
            Rule(
                pattern: rule.text, source: rule.line == nil ? "built-in" : IgnoreRules.fileName, line: rule.line,
                reason: rule.reason, fits: decision.place.description)
        }
        guard isIgnored, let rule = decision.rule, decision.canBeTakenBack else { return }
        remedy =
            rule.line.map { "To sync it, change line \($0) of \(IgnoreRules.fileName)." }
            ?? "To sync it all the same, put the line !\(rule.text) into \(IgnoreRules.fileName)."
    }

    /// Lines for people.
    var lines: [String] {
        guard let rule else { return ["\(path) is not left out: no rule speaks of it."] }
        let place = rule.line.map { "line \($0) of \(rule.source)" } ?? "a built-in rule"
        let reason = rule.reason.map { " (\($0))" } ?? ""
        let above = rule.fits == path ? "" : ", which fits \(rule.fits) above it"
        let said = "\(rule.pattern)\(reason)\(above)"
        guard isIgnored else { return ["\(path) is not left out: \(place) takes it back, \(said)."] }
        return ["\(path) is left out by \(place): \(said)."] + (remedy.map { ["  → \($0)"] } ?? [])
    }

    /// What is wrong with the file of rules.
    var warnings: [String] {
        guard !invalidLines.isEmpty else { return [] }
        let problem = Problem.invalidRules(inLines: invalidLines)
        return [problem.message, "  → \(problem.remedy)"]
    }
}
