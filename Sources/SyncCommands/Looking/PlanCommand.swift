import ArgumentParser
import FolderControl
import SyncService

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Show what would be done now, without doing it.",
        discussion: """
            One line for each step: what is done, and to which file. Steps that wait for an approval end in a '?', those \
            that are held and not done as things are in a '!': `zonefolder status` tells why. \
            What was saved before is looked at first, for some seconds at most; where that was too little, it says so. \
            Nothing is printed where nothing is to be done. Asks the daemon: exit status 5 where none runs.
            """)

    @OptionGroup var folder: FolderArgument

    @Flag(help: "Print one JSON array instead of text.")
    var json = false

    func run() async throws {
        let plan = try await ControlClient(for: try folder.stateDirectory).plan()
        let steps = plan.steps
        if !plan.isCurrent {
            StandardError.print("Not every change in the folder was looked at yet: ask again for the whole plan.")
        }
        if json { return StandardOutput.print(try JSONText.pretty(steps)) }
        if steps.isEmpty, plan.isCurrent, StandardError.isTerminal { StandardError.print("Nothing is to be done.") }
        for step in steps {
            let target = step.target.map { " → \($0)" } ?? ""
            let mark = step.awaitsApproval ? " ?" : step.held != nil ? " !" : ""
            StandardOutput.print("\(step.action) \(step.path)\(target)\(mark)")
        }
    }
}
