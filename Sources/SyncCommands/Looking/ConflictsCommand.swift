import ArgumentParser
import StateStorage
import SyncEngine

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show where both sides changed the same thing, field by field.",
        discussion: """
            The file holds the version that won, or a merge; the copy beside it holds the one that lost: yours, or the \
            zone's where it is called so. Take from the copy what you need, then delete it: that settles the conflict. \
            Exit status 4 where there is one.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run() async throws {
        let directory = try folder.stateDirectory
        let conflicts = try await StatusSource(for: directory).report().conflicts
            .map { ConflictComparison($0, in: directory.folder) }
        if json {
            StandardOutput.print(try JSONText.pretty(conflicts))
        } else {
            for line in conflicts.flatMap(\.lines) { StandardOutput.print(line) }
        }
        if conflicts.isEmpty, StandardError.isTerminal { StandardError.print("There are no conflicts.") }
        if !conflicts.isEmpty { throw ExitStatus.attention }
    }
}
