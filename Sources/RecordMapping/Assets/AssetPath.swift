import SyncModel

/// The text by which a JSON file names an asset: a path relative to the file, or `/` and a path from the folder's
/// root with its bytes percent-encoded, which also serves names that are no UTF-8.
enum AssetPath {
    private static let slash = UInt8(ascii: "/")

    /// The path that a text in the file at `file` names, or `nil` where that lies outside the folder, in the state
    /// directory, or is the file itself.
    static func path(_ text: String, from file: FolderPath) -> FolderPath? {
        var names: [ArraySlice<UInt8>]
        if text.utf8.first == slash {
            guard let bytes = PercentEncoding.decode(text.utf8.dropFirst()) else { return nil }
            names = bytes.split(separator: slash)
        } else {
            names = file.names.dropLast()
            for name in Array(text.utf8).split(separator: slash) {
                if name.elementsEqual(".".utf8) { continue }
                if name.elementsEqual("..".utf8) {
                    guard names.popLast() != nil else { return nil }
                } else {
                    names.append(name)
                }
            }
        }
        guard text.utf8.last != slash, let path = FolderPath(bytes: Array(names.joined(separator: [slash]))),
            path != file
        else { return nil }
        return PathSafety.accepted(path)
    }

    /// The plain text for an asset at `path`, seen from the file at `file`.
    static func text(_ path: FolderPath, from file: FolderPath) -> String {
        guard path.text != nil, file.text != nil else {
            return "/" + String(decoding: PercentEncoding.encode(path.bytes), as: UTF8.self)
        }
        let from = file.names.dropLast()
        let to = path.names
        let shared = zip(from, to.dropLast()).prefix { $0.elementsEqual($1) }.count
        let up = Array(repeating: ArraySlice("..".utf8), count: from.count - shared)
        return String(decoding: Array((up + to.dropFirst(shared)).joined(separator: [slash])), as: UTF8.self)
    }
}
