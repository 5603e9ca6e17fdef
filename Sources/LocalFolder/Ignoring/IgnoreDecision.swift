public import SyncModel

/// What the rules say of one path, and which of them decides: what `zonefolder ignore` tells.
public struct IgnoreDecision: Hashable, Sendable {
    /// The rule that decides; `nil` where none speaks of the path.
    public var rule: IgnoreRule?
    /// The path, or the directory above it, of which the rule speaks.
    public var place: FolderPath
    /// Whether the path is left out.
    public var isIgnored: Bool
    /// Whether a `!` line can take the rule back; `false` for what stays on the device whatever the lines say.
    public var canBeTakenBack: Bool
}

extension IgnoreRules {
    /// Which rule decides about a path: the one that leaves it, or a directory above it, out; else the one that takes it back.
    ///
    /// What no pattern decides, such as a symbolic link, is not looked for.
    public func decision(about path: FolderPath, isDirectory: Bool) -> IgnoreDecision {
        var decision = IgnoreDecision(rule: nil, place: path, isIgnored: false, canBeTakenBack: true)
        for place in path.ancestors.reversed() + [path] {
            decision.place = place
            decision.rule = lastMatch(of: place, isDirectory: place != path || isDirectory)
            guard let rule = decision.rule, !rule.isNegated else { continue }
            decision.isIgnored = true
            decision.canBeTakenBack = !Self.isRequired(rule)
            return decision
        }
        return decision
    }
}
