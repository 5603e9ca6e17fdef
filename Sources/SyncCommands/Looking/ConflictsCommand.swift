import ArgumentParser
import SyncEngine

struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts",
        abstract: "Show where both sides changed the same thing.",
        discussion: """
            The file holds the zone's version, or a merge with it; the copy beside it holds yours. Take from the copy \
            what you need, then delete it: that settles the conflict. Exit status 4 where there is one.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run() async throws {
        let conflicts = try await StatusSource(for: try folder.stateDirectory).report().conflicts
        if json {
            StandardOutput.print(try JSONText.pretty(conflicts))
        } else {
            for conflict in conflicts {
                StandardOutput.print(
                    WallClock.text(conflict.atMilliseconds) + "  " + ConflictText.lines(of: conflict)[0])
                for line in ConflictText.lines(of: conflict).dropFirst() { StandardOutput.print(line) }
            }
        }
        if !conflicts.isEmpty { throw ExitStatus.attention }
    }
}
