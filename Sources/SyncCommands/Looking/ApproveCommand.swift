import ArgumentParser
import SyncEngine

struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Let a batch pass that waits for a person's word.",
        discussion: """
            `zonefolder status` names the batch, `zonefolder plan` shows what is in it. The name stands for exactly \
            these files: where others join them, the batch has another name and waits again.
            """)

    @Argument(help: ArgumentHelp("The batch, as status names it.", valueName: "batch"))
    var batch: String

    @OptionGroup var folder: FolderArgument

    func run() async throws {
        guard try await ControlClient(for: try folder.stateDirectory).approve(batch: batch) else {
            throw CommandFailure.batchUnknown(batch)
        }
        StandardOutput.print("The batch \(batch) is approved.")
    }
}
