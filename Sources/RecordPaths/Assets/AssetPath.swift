package import SyncModel

/// The text by which a JSON file names an asset: a path relative to the file, or `/` and a path from the folder's
/// root with its bytes percent-encoded, which also serves names that are no UTF-8.
package enum AssetPath {
    private static let slash = UInt8(ascii: "/")

    /// Why a text names no file that can be an asset.
    package enum Refusal: Error {
        /// It ends as only a directory's path does: with a slash, `.` or `..`.
        case directory
        case outside, itself, reserved
        /// No name of the folder can be so: a zero byte, a percent sign without its digits, too long.
        case malformed

        /// As it goes after the path and a comma.
        package var words: String {
            switch self {
            case .directory: "which is a directory"
            case .outside: "which lies outside this folder"
            case .itself: "which is this file itself"
            case .reserved: "a name that zonefolder keeps for itself"
            case .malformed: "which is no path of a file"
            }
        }
    }

    /// The path that a text in the file at `file` names; an empty text names none, and is the caller's to see.
    package static func path(_ text: String, from file: FolderPath) throws(Refusal) -> FolderPath {
        var names: [ArraySlice<UInt8>]
        if text.utf8.first == slash {
            guard let bytes = PercentEncoding.decode(text.utf8.dropFirst()) else { throw .malformed }
            names = bytes.split(separator: slash)
        } else {
            names = file.names.dropLast()
            for name in Array(text.utf8).split(separator: slash) {
                if name.elementsEqual(".".utf8) { continue }
                if name.elementsEqual("..".utf8) {
                    guard names.popLast() != nil else { throw .outside }
                } else {
                    names.append(name)
                }
            }
        }
        let end = text.utf8.split(separator: slash, omittingEmptySubsequences: false).last ?? ""[...].utf8
        if end.isEmpty || end.elementsEqual(".".utf8) || end.elementsEqual("..".utf8) { throw .directory }
        guard let path = FolderPath(bytes: Array(names.joined(separator: [slash]))) else { throw .malformed }
        guard path != file else { throw .itself }
        // Whoever may write one record would write everyone's rules with it.
        guard path != .ignoreFile, let path = PathSafety.accepted(path) else { throw .reserved }
        return path
    }

    /// The plain text for an asset at `path`, seen from the file at `file`.
    package static func text(_ path: FolderPath, from file: FolderPath) -> String {
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
