import Foundation

/// The invariants 1 to 6 (reliability §4), looked at where a process was killed and after the next start. Each gives the
/// sentences that say what is broken.
enum CrashCheck {
    /// Right after the kill: every file is the earlier one or the later one, whole, and nothing that was there is lost.
    static func oldOrNew(
        _ folder: RealFolder, before: [String: Data], expected: [String: Data]
    ) throws -> [String] {
        let now = try folder.contents()
        var violations: [String] = []
        for path in Set(before.keys).union(expected.keys).union(now.keys).sorted() {
            let bytes = now[path]
            if bytes != before[path], bytes != expected[path] {
                violations.append("\(path) is neither the old nor the new file but \(describe(bytes))")
            }
        }
        // What only moves is somewhere at every instant.
        let present = Set(now.values)
        for (path, bytes) in before where expected.values.contains(bytes) && !present.contains(bytes) {
            violations.append("\(path) is at neither of its two places")
        }
        return try violations + lost(from: before, in: folder)
    }

    /// After the next start: as expected, with everything that was replaced in the history, and nothing else anywhere.
    static func settled(
        _ folder: RealFolder, before: [String: Data], expected: [String: Data], saved: Set<Data>
    ) throws -> [String] {
        var violations: [String] = []
        let difference = Difference(try folder.contents(), expected)
        if !difference.isEmpty { violations.append("after the next start: \(difference)") }
        for (path, bytes) in try folder.history() {
            if !saved.contains(bytes) {
                violations.append("the history has \(path) with \(describe(bytes)), which nobody saved")
            }
            if bytes == expected[path] { violations.append("\(path) is in the history as it is in the folder") }
        }
        let leftovers = try folder.names(in: "staging")
        if !leftovers.isEmpty { violations.append("staging has \(leftovers)") }
        return try violations + lost(from: before, in: folder)
    }

    /// What was in the folder and now is neither there nor in its history.
    static func lost(from before: [String: Data], in folder: RealFolder) throws -> [String] {
        let found = Set(try folder.contents().values).union(try folder.history().map(\.bytes))
        return before.filter { !found.contains($0.value) }.keys.sorted().map { "the bytes of \($0) are lost" }
    }

    private static func describe(_ bytes: Data?) -> String {
        guard let bytes else { return "absent" }
        return "\(bytes.count) bytes, '\(String(decoding: bytes.prefix(40), as: UTF8.self))'"
    }
}
