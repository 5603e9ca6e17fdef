import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService
import SystemPackage

struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Go on after a pause.",
        discussion: """
            What waited goes out, and what changed in the zone meanwhile comes in. Where no daemon runs, the next one does \
            that. A folder that is not paused stays as it is.

              zonefolder resume ~/Notes
            """)

    @OptionGroup var folders: FolderArguments

    @Flag(help: "Print one JSON object for each folder instead of text: whether it was paused.")
    var json = false

    func run() async throws { try await folders.each(resume) }

    private func resume(_ directory: StateDirectory) async throws {
        // As for `pause`.
        if let outer = directory.outerFolder { throw StateError.nested(directory.folder, in: outer) }
        let wasPaused = try await FolderPausing.resume(directory)
        if json { return StandardOutput.print(try JSONText.pretty(["wasPaused": wasPaused])) }
        StandardOutput.print(wasPaused ? "\(directory.folder) goes on." : "\(directory.folder) was not paused.")
        guard FolderLock.holder(of: directory) == nil else { return }
        StandardOutput.print(
            "No daemon syncs it. → zonefolder start \(ShellWord.quoted(directory.folder.string))")
    }
}
