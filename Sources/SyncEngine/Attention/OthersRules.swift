import LocalFolder
import StateRows
import SyncModel

/// How much the ignore rules leave out that somebody else wrote, counted once for each of their versions and each number of records.
final class OthersRules {
    private struct Version: Equatable {
        var rules: IgnoreRules
        var changeTag: String
        var records: Int
    }

    private var counted: Version?
    /// Who wrote them, by their user record name, and how many of the zone's files they leave out.
    private(set) var found: (user: String, files: Int)?

    /// No rules are somebody else's.
    func forget() { (counted, found) = (nil, nil) }

    /// - Parameters:
    ///   - records: How many records the zone has.
    ///   - user: Whoever wrote the record of the rules; `nil` where that was this account, or is not known.
    ///   - files: How many files of the zone the rules leave out.
    func look(
        _ rules: IgnoreRules, changeTag: String, records: Int, by user: () throws -> String?,
        count files: () -> Int
    ) rethrows {
        let version = Version(rules: rules, changeTag: changeTag, records: records)
        guard version != counted else { return }
        found = try user().map { ($0, files()) }
        counted = version
    }
}
