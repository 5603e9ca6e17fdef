import FolderControl
import SyncService
import SystemPackage

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
        directory = try PlainFiles.makeTemporaryDirectory("zonefolder")
        file = directory.appending((conflict.path.split(separator: "/").last).map(String.init) ?? "file")
        copy = directory.appending((conflict.copy.split(separator: "/").last).map(String.init) ?? "copy")
        try PlainFiles.write(bytes, to: file)
        try PlainFiles.write(copyBytes, to: copy)
    }

    /// Opens the editor and waits for its end.
    /// - Returns: What the first file has then.
    /// - Throws: ``CommandFailure`` where the editor failed.
    func run() throws -> [UInt8] {
        guard try TextEditor.edit([file, copy], by: editor) else {
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
