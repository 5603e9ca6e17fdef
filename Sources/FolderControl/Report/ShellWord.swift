/// A text as one word of a shell's command line, so that commands in messages can be pasted as they are.
public enum ShellWord {
    /// The text itself where a shell leaves it alone, else the text in single quotes.
    public static func quoted(_ text: String) -> String {
        let plain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: ","),
                0x80...:
                true
            default: false
            }
        }
        guard !plain || text.isEmpty else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// A path relative to a folder as one word: with `./` before one that begins with a dash, which a command would take for an
    /// option.
    public static func path(_ path: String) -> String {
        quoted(path.utf8.first == UInt8(ascii: "-") ? "./" + path : path)
    }
}
