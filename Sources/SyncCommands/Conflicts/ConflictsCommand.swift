import ArgumentParser
import FolderControl
import FolderSettings
import StateStorage
import SyncService

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show where both sides changed the same thing, side by side.",
        discussion: """
            The file holds the version that won, or a merge; the copy beside it holds the one that lost: yours, or the \
            zone's where it is called so. Each version is shown with its time, and with the device or the user that it is \
            of, as far as that is known. Settle one with `resolve`:

              zonefolder conflicts ~/Notes
              zonefolder resolve ~/Notes/Note/todo.json --mine

            Or take from the copy what you need, then delete it: that settles the conflict, too. Of a path in the folder, \
            those at and below it are shown. Exit status 4 where there is one, 1 where nothing is \
            known of the path.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON array instead of text, with values as long as they are.")
    var json = false

    func run() async throws {
        let place = try folder.place
        let directory = try FolderArgument.stateDirectory(of: place.folder)
        let device = try FolderConfiguration(of: directory).device
        let report = try await StatusSource(for: directory, path: place.path).report()
        let conflicts = report.conflicts.map { ConflictComparison($0, in: directory.folder, device: device) }
        if conflicts.isEmpty { try KnownPath.check(place.path, in: directory) }
        if json {
            StandardOutput.print(try JSONText.pretty(conflicts))
        } else {
            let lines = conflicts.flatMap { ConflictTable.lines(of: $0, account: report.account.userRecordName) }
            for line in lines { StandardOutput.print(line) }
            if !lines.isEmpty {
                let hint = FolderHint.lines(for: report.folder, in: try? AbsolutePath.of("."))
                for line in hint { StandardOutput.print(line) }
            }
        }
        if conflicts.isEmpty, StandardError.isTerminal {
            StandardError.print("There are no conflicts\(place.path.map { " at \($0)" } ?? "").")
        }
        if !conflicts.isEmpty { throw ExitStatus.attention }
    }
}
