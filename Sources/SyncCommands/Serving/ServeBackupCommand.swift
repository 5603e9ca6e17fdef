import ArgumentParser
import CloudKitServer
import FolderSettings
import SystemPackage

struct ServeBackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy a server's data, also while it runs.",
        discussion: """
            The backup is a data directory itself: all that was answered with success before the command began is in it, and \
            `zonefolder serve --data DIRECTORY` serves it. DIRECTORY is a name that is free, an empty directory, or an \
            earlier backup of the same server, of which only the difference is copied. Until all is on its disk, nothing \
            is there but what was before; what an interrupted backup copied, the next one uses.

              zonefolder serve backup /srv/backup/notes

            A certificate and its key are not in it; nor are uploads that no record names. Files that the server itself has \
            lost are named on standard error, and the exit status is 4 then.
            """)

    @Argument(
        help: ArgumentHelp("Where the backup is to be, best on another disk.", valueName: "directory"),
        completion: .directory)
    var target: String

    @OptionGroup var data: ServerDataPlace

    @Flag(help: "Print one JSON object instead of text.")
    var json = false

    func validate() throws {
        guard !target.isEmpty else { throw ValidationError("A backup needs a directory.") }
    }

    func run() async throws {
        let directory = try ServerContainer.directory(data)
        let target = try AbsolutePath.of(target)
        if let folder = StateDirectory.folder(holding: target) {
            throw CommandFailure.syncedBackup(target, folder: folder)
        }
        let start = ContinuousClock.now
        var progress = AssetProgressLine(width: Terminal.errors.width)
        defer { progress.clear() }
        let report = try WebServicesServer.backUp(directory, to: target) { progress.show($0, at: .now) }
        let line = BackupLine(report, of: directory, in: target, duration: .now - start)
        progress.clear()
        StandardOutput.print(json ? try JSONText.pretty(line) : line.text)
        guard !line.lost.isEmpty else { return }
        StandardError.print(line.warning)
        throw ExitStatus.attention
    }
}

extension CommandFailure {
    static func syncedBackup(_ target: FilePath, folder: FilePath) -> Self {
        Self(
            status: .usage,
            message:
                "\(target) lies in the synced folder \(folder): a backup would be sent to a server as files of the folder. "
                + "Name a directory outside of it.")
    }
}
