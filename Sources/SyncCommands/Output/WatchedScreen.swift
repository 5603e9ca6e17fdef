/// Shows a text again and again in the same place of a terminal.
///
/// What was there before stays above it, and the last text stays when the command ends. A text is cut to the terminal's height:
/// lines that scrolled away could not be replaced.
struct WatchedScreen {
    private var shownLines = 0

    /// The control characters and lines that put a text in the place of the last one.
    mutating func frame(of lines: [TextLine], for terminal: Terminal) -> String {
        let shown = Self.fitting(lines.flatMap { $0.rendered(for: terminal) }, height: terminal.height ?? 24)
        let back = shownLines > 0 ? "\u{1B}[\(shownLines)A\r\u{1B}[J" : ""
        shownLines = shown.count
        return back + shown.map { $0 + "\n" }.joined()
    }

    /// The first lines, with a word on the others where there are too many; one line of the terminal stays free.
    static func fitting(_ lines: [String], height: Int) -> [String] {
        let room = max(2, height - 1)
        guard lines.count > room else { return lines }
        let left = lines.count - (room - 1)
        return lines.prefix(room - 1) + ["… and \(Amounts.count(left, "line")) more"]
    }
}
