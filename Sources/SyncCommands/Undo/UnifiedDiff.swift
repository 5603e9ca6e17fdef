import DocumentMerging
import RecordMapping

/// What differs between two texts, line by line, as `diff -u` writes it.
struct UnifiedDiff {
    /// Lines that are shown before and after what differs.
    private static let context = 3

    /// The lines of the hunks; empty where the texts are equal.
    let lines: [String]

    private enum Step {
        case same(old: Int, new: Int)
        case removed(Int)
        case added(Int)

        var isSame: Bool { if case .same = self { true } else { false } }
    }

    /// - Returns: `nil` where one of them is no text: not UTF-8, or with a NUL in it.
    init?(from old: [UInt8], to new: [UInt8]) {
        guard let old = Self.text(old), let new = Self.text(new) else { return nil }
        lines = Self.hunks(old, new)
    }

    private static func text(_ bytes: [UInt8]) -> [Substring]? {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
        // By scalars: a carriage return with a line feed is one character.
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { Substring($0) }
        if lines.last?.isEmpty == true { lines.removeLast() } else { lines[lines.count - 1].append(Self.unended) }
        return lines
    }

    /// Marks a last line without a newline, which differs from the same one with it. No text has it: it is cut away above.
    private static let unended: Character = "\0"

    private static func hunks(_ old: [Substring], _ new: [Substring]) -> [String] {
        let steps = steps(old, new)
        let changed = steps.indices.filter { !steps[$0].isSame }
        var hunks: [Range<Int>] = []
        for index in changed {
            let range = max(0, index - context)..<min(steps.count, index + context + 1)
            if let last = hunks.last, range.lowerBound <= last.upperBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        var lines: [String] = []
        var (oldLine, newLine, next) = (0, 0, 0)
        for hunk in hunks {
            (oldLine, newLine) = (oldLine + hunk.lowerBound - next, newLine + hunk.lowerBound - next)
            var body: [String] = []
            var (oldCount, newCount) = (0, 0)
            for step in steps[hunk] {
                switch step {
                case .same(let index, _):
                    body += shown(old[index], " ")
                    (oldCount, newCount) = (oldCount + 1, newCount + 1)
                case .removed(let index):
                    body += shown(old[index], "-")
                    oldCount += 1
                case .added(let index):
                    body += shown(new[index], "+")
                    newCount += 1
                }
            }
            lines.append("@@ -\(range(oldLine, oldCount)) +\(range(newLine, newCount)) @@")
            lines += body
            (oldLine, newLine, next) = (oldLine + oldCount, newLine + newCount, hunk.upperBound)
        }
        return lines
    }

    private static func steps(_ old: [Substring], _ new: [Substring]) -> [Step] {
        var numbers: [[UInt8]: Int] = [:]
        func numbered(_ lines: [Substring]) -> [Int] {
            lines.map { line in
                let bytes = Array(line.utf8)
                if let number = numbers[bytes] { return number }
                numbers[bytes] = numbers.count
                return numbers.count - 1
            }
        }
        // Texts that have too little in common are shown one after the other.
        let matches =
            LineDiff.matches(from: numbered(old), to: numbered(new)) ?? [Int?](repeating: nil, count: old.count)
        var steps: [Step] = []
        var next = 0
        for (index, match) in matches.enumerated() {
            guard let match else {
                steps.append(.removed(index))
                continue
            }
            steps += (next..<match).map { .added($0) }
            steps.append(.same(old: index, new: match))
            next = match + 1
        }
        return steps + (next..<new.count).map { .added($0) }
    }

    private static func range(_ start: Int, _ count: Int) -> String {
        // As diff has it: an empty range is named by the line before it.
        count == 1 ? "\(start + 1)" : "\(count == 0 ? start : start + 1),\(count)"
    }

    private static func shown(_ line: Substring, _ sign: String) -> [String] {
        guard line.last == unended else { return [sign + line] }
        return [sign + line.dropLast(), #"\ No newline at end of file"#]
    }
}
