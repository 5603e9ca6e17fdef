import ProblemSentences

/// A conflict for people: both versions side by side, in 80 columns.
struct ConflictTable {
    private static let width = 80
    private static let widestName = 20
    /// Of a value; `conflicts --json` has all of it.
    private static let mostLines = 4
    /// Of the lines in which two texts differ.
    private static let mostTextLines = 20

    /// - Parameter account: The user record name of whose folder it is.
    static func lines(of conflict: ConflictComparison, account: String?) -> [String] {
        let nameWidth = min(widestName, max(5, conflict.fields.map(\.name.count).max() ?? 0))
        let cellWidth = (width - 2 - nameWidth - 4) / 2
        func row(_ name: String, _ zone: String, _ yours: String) -> [String] {
            let cells = [
                wrapped(name, nameWidth), wrapped(zone, cellWidth), wrapped(yours, cellWidth),
            ]
            return (0..<(cells.map(\.count).max() ?? 0)).map { line in
                let texts = zip(cells, [nameWidth, cellWidth, cellWidth]).map { cell, width in
                    (line < cell.count ? cell[line] : "").padded(to: width)
                }
                return trimmed("  " + texts.joined(separator: "  "))
            }
        }
        let copyIsYours = conflict.copyHolds == "yours"
        var lines = ["\(WallClock.text(conflict.atMilliseconds))  \(conflict.path)"]
        lines += row(
            "", "the zone's, in the \(copyIsYours ? "file" : "copy")", "yours, in the \(copyIsYours ? "copy" : "file")")
        lines += row("", "of " + time(conflict.zone), "of " + time(conflict.yours))
        lines += row(
            "", who(conflict.zone.userRecordName, account: account),
            conflict.yours.device.map { "on \($0)" } ?? "")
        if conflict.fields.isEmpty {
            lines += row("size", size(conflict.zone), size(conflict.yours))
        }
        if !conflict.lines.isEmpty {
            lines.append("  the zone's lines with -, yours with +:")
            lines += conflict.lines.prefix(mostTextLines).map { "  " + $0 }
            if conflict.lines.count > mostTextLines {
                lines.append("  … and \(conflict.lines.count - mostTextLines) lines more; --json has all of them")
            }
        }
        for field in conflict.fields {
            lines += row(field.name, field.zone ?? "(not there)", field.yours ?? "(not there)")
        }
        lines.append("  copy: \(conflict.copy)")
        lines.append("  → \(ConflictText.remedy(conflict.path))")
        return lines
    }

    private static func time(_ version: ConflictComparison.Version) -> String {
        version.atMilliseconds.map(WallClock.text) ?? "an unknown time"
    }

    private static func who(_ user: String?, account: String?) -> String {
        guard let user else { return "" }
        return user == account ? "by you, on another device" : "by \(PersonText.somebody(user))"
    }

    private static func size(_ version: ConflictComparison.Version) -> String {
        version.sizeBytes.map { Amounts.bytes(Int64($0)) } ?? "(not there)"
    }

    /// A text in lines of at most so many characters; white space between them counts as one space.
    private static func wrapped(_ text: String, _ width: Int) -> [String] {
        var rest = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")[...]
        var lines: [String] = []
        while !rest.isEmpty {
            guard lines.count < mostLines else {
                lines[mostLines - 1] = String(lines[mostLines - 1].prefix(width - 1)) + "…"
                break
            }
            let piece = rest.prefix(width)
            // At a space, where there is one in the piece's second half.
            let space = rest.count > width ? piece.lastIndex(of: " ") : nil
            let end = space.flatMap { piece.distance(from: piece.startIndex, to: $0) > width / 2 ? $0 : nil }
            lines.append(String(piece[..<(end ?? piece.endIndex)]))
            rest = rest[(end ?? piece.endIndex)...].drop { $0 == " " }
        }
        return lines
    }

    private static func trimmed(_ text: String) -> String {
        String(text.reversed().drop { $0 == " " }.reversed())
    }
}
