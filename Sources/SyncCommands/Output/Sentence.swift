/// Words of others between sentences of ours.
enum Sentence {
    /// A text with its full stop, before another sentence: a server's words seldom have one.
    static func ended(_ text: String) -> String {
        let closing: Set<Character> = [")", "'", "\"", "`", "»", "”", "’"]
        guard let last = text.last(where: { !closing.contains($0) }), !".!?…".contains(last) else { return text }
        return text + "."
    }
}
