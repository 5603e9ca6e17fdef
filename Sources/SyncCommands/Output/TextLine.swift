import FolderControl
import SyncService

/// The colours of words on a terminal.
enum Paint: String, Hashable, Sendable {
    case green = "32", yellow = "33", red = "31", magenta = "35", cyan = "36", dim = "2", bold = "1"

    /// The colour of a verdict; red where there is none.
    init(verdict: Verdict?) {
        self =
            switch verdict {
            case .inSync: .green
            case .syncing: .cyan
            case .pending, .paused, .offline, .notSynced: .yellow
            case .degraded, .unknown: .magenta
            case .attention, nil: .red
            }
    }
}

/// One line of a text for people, which a terminal may break and colour.
struct TextLine: Hashable, Sendable, ExpressibleByStringLiteral {
    var text: String
    /// Columns before what goes on in the next line.
    var hang: Int
    var paint: Paint?
    /// How many of the first characters are painted.
    var painted: Int

    /// - Parameters:
    ///   - hang: `nil` is as far as the text itself is indented.
    ///   - over: `nil` paints all of it.
    init(_ text: String, hang: Int? = nil, paint: Paint? = nil, over painted: Int? = nil) {
        self.text = text
        self.hang = hang ?? text.prefix { $0 == " " }.count
        self.paint = paint
        self.painted = paint == nil ? 0 : painted ?? text.count
    }

    init(stringLiteral text: String) {
        self.init(text)
    }

    /// The line as a terminal shows it, broken between words so that nothing is wider than it is; a word that is wider
    /// itself is broken too.
    func rendered(for terminal: Terminal) -> [String] {
        guard let width = terminal.width else { return [colored(text, painted, terminal)] }
        var lines: [String] = []
        var rest = painted
        for line in Self.broken(text, width: max(20, width), hang: hang) {
            lines.append(colored(line, min(rest, line.count), terminal))
            rest = max(0, rest - line.count)
        }
        return lines
    }

    private func colored(_ line: String, _ count: Int, _ terminal: Terminal) -> String {
        guard terminal.hasColours, let paint, count > 0 else { return line }
        return "\u{1B}[\(paint.rawValue)m\(line.prefix(count))\u{1B}[0m\(line.dropFirst(count))"
    }

    static func broken(_ text: String, width: Int, hang: Int) -> [String] {
        guard text.columns > width else { return [text] }
        let indent = String(repeating: " ", count: min(hang, width / 2))
        var lines: [String] = []
        var line = ""
        // Spaces inside a line stay as they are: they align columns.
        var rest = Substring(text)
        while !rest.isEmpty {
            let spaces = rest.prefix { $0 == " " }
            let word = rest.dropFirst(spaces.count).prefix { $0 != " " }
            rest = rest.dropFirst(spaces.count + word.count)
            if (line + spaces + word).columns <= width {
                line += spaces + word
                continue
            }
            if !line.allSatisfy({ $0 == " " }) {
                lines.append(line)
                line = indent
            } else {
                line += spaces
            }
            for character in word {
                if line.columns + String(character).columns > width {
                    lines.append(line)
                    line = indent
                }
                line.append(character)
            }
        }
        if line.contains(where: { $0 != " " }) { lines.append(line) }
        return lines
    }
}

extension String {
    /// Columns that a terminal needs: two for each of the wide characters of East Asia and for emoji.
    var columns: Int {
        reduce(0) { $0 + ($1.isWide ? 2 : 1) }
    }

    /// With spaces after it, up to so many columns.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - columns))
    }
}

extension Character {
    fileprivate var isWide: Bool {
        guard let scalar = unicodeScalars.first?.value else { return false }
        switch scalar {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return true
        default: return false
        }
    }
}
