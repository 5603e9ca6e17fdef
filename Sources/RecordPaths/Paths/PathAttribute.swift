public import SyncModel

/// A path as the text that a record holds: the `path` field of a file record, the path hint of a structured one.
///
/// A path that is UTF-8 is its own text. Any other is `/` and its bytes percent-encoded: a path in the folder
/// never starts with `/`, so the two cannot be confused.
public enum PathAttribute {
    /// The text of a path.
    public static func text(of path: FolderPath) -> String {
        path.text ?? "/" + String(decoding: PercentEncoding.encode(path.bytes), as: UTF8.self)
    }

    /// The path of a text, or `nil` where it is no safe path or not spelled as ``text(of:)`` would.
    public static func path(of text: String) -> FolderPath? {
        guard text.utf8.first == UInt8(ascii: "/") else { return FolderPath(text).flatMap(PathSafety.accepted) }
        guard let bytes = PercentEncoding.decode(text.utf8.dropFirst()), let path = FolderPath(bytes: bytes),
            self.text(of: path).utf8.elementsEqual(text.utf8)
        else { return nil }
        return PathSafety.accepted(path)
    }
}
