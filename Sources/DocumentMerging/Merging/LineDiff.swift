/// The lines that two texts share, found by Myers' greedy algorithm ("An O(ND) Difference Algorithm", 1986).
package enum LineDiff {
    /// How many lines may differ, added and removed together; time and memory grow with its square.
    static let mostDifferences = 1500

    /// For each line of the first text the line of the second that it stays as; `nil` for those that go. The whole
    /// is `nil` where the texts differ too much.
    package static func matches(from old: [Int], to new: [Int]) -> [Int?]? {
        var matches = [Int?](repeating: nil, count: old.count)
        let start = zip(old, new).prefix { $0 == $1 }.count
        let room = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.prefix(room).count
        for index in 0..<start { matches[index] = index }
        for index in 0..<end { matches[old.count - 1 - index] = new.count - 1 - index }
        let a = old[start..<(old.count - end)]
        let b = new[start..<(new.count - end)]
        if a.isEmpty || b.isEmpty { return matches }
        guard let pairs = pairs(Array(a), Array(b)) else { return nil }
        for (x, y) in pairs { matches[start + x] = start + y }
        return matches
    }

    private static func pairs(_ a: [Int], _ b: [Int]) -> [(Int, Int)]? {
        let most = min(a.count + b.count, mostDifferences)
        // furthest[k + most + 1]: how far along `a` a path on the diagonal k = x - y has come.
        var furthest = [Int](repeating: 0, count: 2 * most + 3)
        var trace: [[Int]] = []
        for differences in 0...most {
            trace.append(Array(furthest[(most - differences)...(most + differences + 2)]))
            for k in stride(from: -differences, through: differences, by: 2) {
                let down = k == -differences || k != differences && furthest[k + most] < furthest[k + most + 2]
                var x = down ? furthest[k + most + 2] : furthest[k + most] + 1
                while x < a.count, x - k < b.count, x - k >= 0, a[x] == b[x - k] { x += 1 }
                furthest[k + most + 1] = x
                if x >= a.count, x - k >= b.count { return walk(back: trace, to: a.count, b.count) }
            }
        }
        return nil
    }

    private static func walk(back trace: [[Int]], to endX: Int, _ endY: Int) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var (x, y) = (endX, endY)
        for differences in stride(from: trace.count - 1, through: 0, by: -1) {
            let before = trace[differences]  // before[k + differences + 1]
            let k = x - y
            let down =
                k == -differences
                || k != differences && before[k + differences] < before[k + differences + 2]
            let previousK = down ? k + 1 : k - 1
            let previousX = differences == 0 ? 0 : before[previousK + differences + 1]
            let previousY = differences == 0 ? 0 : previousX - previousK
            let (cornerX, cornerY) =
                differences == 0 ? (0, 0) : down ? (previousX, previousY + 1) : (previousX + 1, previousY)
            while x > cornerX, y > cornerY {
                (x, y) = (x - 1, y - 1)
                pairs.append((x, y))
            }
            (x, y) = (previousX, previousY)
        }
        return pairs
    }
}
