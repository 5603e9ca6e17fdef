import ArgumentParser
import FolderSettings
import StateRows
import StateStorage
import SystemPackage

#if canImport(Glibc)
    import Glibc
#endif

struct ConfigEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change config.toml in an editor, and check it before it holds.",
        discussion: """
            The editor is that of VISUAL or EDITOR, or vi. It gets a draft; config.toml is replaced once the draft is \
            right. What is wrong is named with its line, and the draft stays for the next try.

              EDITOR=nano zonefolder config edit ~/Notes
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Also where that is another zone than before.")
    var yes = false

    func run() async throws {
        let directory = try folder.stateDirectory
        let draft = directory.path.appending("config.toml.draft")
        let before = try FolderConfiguration.text(of: directory)
        if PlainFiles.exists(draft) {
            StandardError.print("This goes on with the draft of before; \(draft)")
        } else {
            try PlainFiles.write(Array(before.utf8), to: draft)
        }
        let outcome = try await edited(draft, before, directory)
        try PlainFiles.delete(draft)
        StandardOutput.print(outcome.sentence)
    }

    /// Edits until the draft is right, or whoever edits gives up.
    private func edited(
        _ draft: FilePath, _ before: String, _ directory: StateDirectory
    ) async throws -> ConfigurationChange.Outcome {
        while true {
            let editor = ProgramEnvironment.current.editor ?? "vi"
            guard try TextEditor.edit([draft], by: editor) else {
                throw CommandFailure.editorFailed(editor, draft: draft)
            }
            do {
                guard let text = String(validating: try PlainFiles.read(draft), as: UTF8.self) else {
                    throw CommandFailure(status: .configuration, message: "The draft is not UTF-8.")
                }
                return try await ConfigurationChange(directory, from: before, to: text, isAgreed: yes).carryOut()
            } catch let error as StateError where error.code == .configuration {
                guard isatty(0) == 1 else { throw CommandFailure.wrongDraft(error, at: draft) }
                StandardError.print("zonefolder: \(error)")
                StandardError.printUnended("Edit it again? [Y/n] ")
                guard let answer = readLine(), !answer.lowercased().hasPrefix("n") else {
                    throw CommandFailure.wrongDraft(error, at: draft)
                }
            }
        }
    }
}

extension CommandFailure {
    static func wrongDraft(_ error: StateError, at draft: FilePath) -> Self {
        Self(
            status: .configuration,
            message:
                "\(error) Nothing was changed; the draft is \(draft), and `zonefolder config edit` goes on with it.")
    }

    static func editorFailed(_ command: String, draft: FilePath) -> Self {
        Self(
            status: .error,
            message: "The editor, \(command), ended with an error. Nothing was changed; the draft is \(draft).")
    }
}
