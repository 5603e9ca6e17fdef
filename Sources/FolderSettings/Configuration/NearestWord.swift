/// What somebody meant who mistyped a word.
package enum NearestWord {
    /// The one that takes fewest changes, of those that take few for their length; `nil` where none is near.
    package static func to(_ text: String, among words: [String]) -> String? {
        let near = words.map { (word: $0, distance: distance(text, $0)) }.min { $0.distance < $1.distance }
        guard let near, near.distance <= max(1, near.word.utf8.count / 3) else { return nil }
        return near.word
    }

    /// How many letters are to be put in, left out, replaced, or swapped with the next one.
    private static func distance(_ first: String, _ second: String) -> Int {
        let (a, b) = (Array(first.utf8), Array(second.utf8))
        guard a.count <= 64, b.count <= 64 else { return .max }
        var rows = [Array(0...b.count)]
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
