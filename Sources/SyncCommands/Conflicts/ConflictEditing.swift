import SyncEngine
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

/// Both versions of a file in a directory of their own, opened in the person's editor.
struct ConflictEditing {
    /// The version that the folder has; what is saved here is to stand.
    let file: FilePath
    private let directory: FilePath
    private let copy: FilePath
    private let editor: String

    /// - Throws: ``CommandFailure`` where no editor is named, or the files cannot be written.
    init(_ conflict: StatusReport.Conflict, _ bytes: [UInt8], _ copyBytes: [UInt8]) throws {
        guard let editor = ProgramEnvironment.current.editor else { throw CommandFailure.noEditor }
        self.editor = editor
        var template = Array((ProgramEnvironment.current.temporaryDirectory + "/zonefolder-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure.system(
                Errno(rawValue: errno), "make", FilePath(ProgramEnvironment.current.temporaryDirectory))
        }
        directory = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        file = directory.appending((conflict.path.split(separator: "/").last).map(String.init) ?? "file")
        copy = directory.appending((conflict.copy.split(separator: "/").last).map(String.init) ?? "copy")
        try PlainFiles.write(bytes, to: file)
        try PlainFiles.write(copyBytes, to: copy)
    }

    /// Opens the editor and waits for its end.
    /// - Returns: What the first file has then.
    /// - Throws: ``CommandFailure`` where the editor failed.
    func run() throws -> [UInt8] {
        // As git does: the variable may hold arguments.
        let line: [String] = ["sh", "-c", "\(editor) \"$@\"", editor, file.string, copy.string]
        var words = line.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let result = posix_spawn(&pid, "/bin/sh", nil, nil, &words, environ)
        guard result == 0 else { throw CommandFailure.system(Errno(rawValue: result), "start", "/bin/sh") }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            remove()
            throw CommandFailure.editorFailed(editor)
        }
        return try PlainFiles.read(file)
    }

    func remove() { PlainFiles.remove(directory) }
}

extension CommandFailure {
    static let noEditor = Self(
        status: .usage,
        message: "No editor is named. Set VISUAL or EDITOR, or settle it with --mine, --theirs or --merged FILE.")

    static func editorFailed(_ editor: String) -> Self {
        Self(status: .error, message: "The editor `\(editor)` failed, so nothing was settled.")
    }
}
